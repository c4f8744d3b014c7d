"""Wording: a text that is to be rewritten, what must survive in it, and the terms that are fixed."""
