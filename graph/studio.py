"""The graph that `langgraph dev` loads: `graph.studio:graph`.

No checkpointer here: the server gives it the project's own, named in `langgraph.json`.
"""

from graph.run import build

graph = build()
