"""The group `octavo eval`: every module of this folder is one command.

A module defines `command`, a click command; its name is the module's, without a final underscore (`import_`) and with
dashes for the others. Modules are imported when their command is asked for, so that `octavo --help` answers at once.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import cast

import click


class Commands(click.Group):
    """Finds its commands in this folder."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Every command, by name."""
        return sorted(modules())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        module = modules().get(cmd_name)
        return cast(click.Command, import_module(f"{__name__}.{module}").command) if module else None


def modules() -> dict[str, str]:
    """Name of the module by name of the command."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return {name.rstrip("_").replace("_", "-"): name for name in found}


@click.group(name="eval", cls=Commands)
def group() -> None:
    """Is it any good: record branches once, judge them many times.

    \b
    Examples:
      octavo eval record --data cases.jsonl --per-family 60 --out pool.jsonl.gz
      octavo eval pool pool.jsonl.gz
    """
