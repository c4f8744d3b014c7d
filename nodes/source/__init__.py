"""What can be said about source code without running it: snippets, names, calls, and what small programs do."""
