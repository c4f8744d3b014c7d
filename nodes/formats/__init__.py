"""Formats: JSON and its schemas, Markdown tables and headings, and what a request demands of the form of its reply.

All of it is deterministic and linear in the text or bounded by a named limit; no model call. A defect is named, a
repair says what it did, and nothing here ever changes what a text says.
"""
