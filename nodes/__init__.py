"""What each step of the committee does: plain typed async functions on contracts.

Imports `prompts` and the standard scientific libraries only: never langgraph, openai or sqlite.
"""
