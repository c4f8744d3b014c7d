"""The wiring of the committee, on one screen.

    intake -> router -> committee -> { specialists || branch x n } -> judge -> finish
                            ^                                           |
                            |---------------- next wave ----------------|
                                                judge <- verify <-------'

A wave is one super-step of top-level `Send` tasks: every branch is visible, lands in SQLite and is resumed alone. A
super-step is a barrier, so specialists have a subgraph with super-steps of their own and never wait for a branch.
"""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from graph.state import BadState, BranchTask, Context, Findings, Input, Output, State, Wave, read
from graph.steps import Parts, Steps
from nodes.contracts import Decision, Route

Graph = CompiledStateGraph[State, Context, Input, Output]


def wire(parts: Parts) -> StateGraph[State, Context, Input, Output]:
    """The whole graph, not compiled: the caller adds a checkpointer, or the LangGraph server does."""
    steps = Steps(parts)
    graph = StateGraph(State, context_schema=Context, input_schema=Input, output_schema=Output)
    graph.add_node("intake", steps.intake)
    graph.add_node("router", steps.router)
    graph.add_node("committee", steps.committee)
    graph.add_node("specialists", specialists(steps).compile())
    graph.add_node("branch", steps.branch, input_schema=BranchTask)
    graph.add_node("judge", steps.judge, defer=True)
    graph.add_node("verify", steps.verify)
    graph.add_node("finish", steps.finish)

    graph.add_edge(START, "intake")
    graph.add_edge("intake", "router")
    graph.add_conditional_edges("router", after_router, ["committee", "finish"])
    graph.add_conditional_edges("committee", fan_out, ["branch", "specialists"])
    graph.add_edge("branch", "judge")
    graph.add_edge("specialists", "judge")
    graph.add_conditional_edges("judge", after_judge, ["committee", "verify", "finish"])
    graph.add_edge("verify", "judge")
    graph.add_edge("finish", END)
    return graph


def after_router(state: State) -> str:
    """A policy rule ends the run before any model call."""
    return "finish" if read(Route, state.get("decided"), "decided").block else "committee"


def fan_out(state: State) -> list[Send | str]:
    """The branches of the open wave, and with the first wave the specialists."""
    wave, route = read(Wave, state.get("wave"), "wave"), read(Route, state.get("decided"), "decided")
    common = {"request": state["request"], "decided": state["decided"]}
    sends: list[Send | str] = [
        Send("branch", {**common, "index": index, "wave": wave.number})
        for index in wave.branches
        if f"branch:{index}" not in state.get("candidates", {})
    ]
    if wave.number == 0 and route.specialists:
        sends.append("specialists")
    return sends


def after_judge(state: State) -> str:
    """Where the judge sends the run."""
    return {"wave": "committee", "verify": "verify", "finish": "finish"}[
        read(Decision, state.get("decision"), "decision").next
    ]


def specialists(steps: Steps) -> StateGraph[State, Context, State, Findings]:
    """The specialists' subgraph: whoever has all it waits for runs, side by side, until nobody is left."""
    after = {name: one.after for name, one in steps.parts.specialists.items()}
    graph = StateGraph(State, context_schema=Context, output_schema=Findings)

    def ready(state: State) -> list[str]:
        chosen, done = read(Route, state.get("decided"), "decided").specialists, state.get("findings", {})
        if strangers := [name for name in chosen if name not in after]:
            raise BadState("decided", f"there are no specialists {strangers}, only {list(after)}")
        waits = {name: [other for other in after[name] if other in chosen] for name in chosen if name not in done}
        return [name for name, others in waits.items() if all(other in done for other in others)] or [END]

    graph.add_node("ready", nothing)
    graph.add_edge(START, "ready")
    for name in after:
        graph.add_node(name, steps.specialist(name))
        graph.add_edge(name, "ready")
    graph.add_conditional_edges("ready", ready, [*after, END])
    return graph


def nothing(state: State) -> dict[str, Any]:  # noqa: ARG001 - LangGraph passes by name
    """A node that only decides who is next; its decision is the edge behind it."""
    return {}
