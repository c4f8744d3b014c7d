"""Is it any good: cases, runs, comparison, blame. Imports `graph`, `nodes`, `prompts`."""
