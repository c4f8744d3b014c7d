"""Specialists that can answer a request without a model, whatever the router made of it.

A reader that understands every word of a question costs milliseconds and no token, so each is asked. Where one can
answer, it joins the route, and outside the modes that fix the number of branches it stands in for all of them: branches
are opened only if it has no answer after all.
"""

from __future__ import annotations

from collections.abc import Mapping

from nodes.contracts import Request, Route, Specialist

STAGED = ("auto", "light", "deep")
"""Modes in which nothing is opened that cannot change the answer."""


def readers(request: Request, specialists: Mapping[str, Specialist]) -> tuple[str, ...]:
    """Names of those whose reader covers the whole request (their `reads`), in dependency order."""
    return tuple(name for name, one in specialists.items() if (reads := getattr(one, "reads", None)) and reads(request))


def joined(request: Request, route: Route, specialists: Mapping[str, Specialist]) -> Route:
    """The route with the specialists that can compute the answer; the same route where there are none."""
    able = () if route.block else readers(request, specialists)
    if not able:
        return route
    chosen = tuple(name for name in specialists if name in {*route.specialists, *able})
    alone = able[0] if len(able) == 1 and request.mode in STAGED else route.stand_in
    return route.model_copy(
        update={
            "specialists": chosen,
            "stand_in": alone,
            "reason": f"{route.reason}; {' and '.join(able)} can compute the answer without a model",
        }
    )
