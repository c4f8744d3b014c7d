"""The command group `octavo engine`. Heavy modules are imported inside the commands: `octavo --help` must be quick."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from graph.terminal import to_json, visible

if TYPE_CHECKING:
    from graph.engine.contracts import Precision
    from graph.engine.control import Status
    from graph.engine.plan import Plan

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
model_option = click.option(
    "--model",
    metavar="NAME",
    help="Name in the registry, folder, .gguf file or Hugging Face id; default: OCTAVO_MODEL.",
)
precision_option = click.option(
    "--precision", type=click.Choice(["int8", "bf16"]), help="Default: int8 on a CPU where it pays, else bf16."
)


@click.group()
def engine() -> None:
    """vLLM, local: installed, started, watched.

    \b
    Examples:
      octavo engine plan                 what fits on this machine
      octavo engine up                   everything until it answers
      octavo engine up --model tiny      a 135M model for tests
      octavo engine status
    """


@engine.command()
@model_option
@precision_option
@json_option
def up(model: str | None, precision: Precision | None, as_json: bool) -> None:
    """Have the engine running: install, prepare the model, start, probe. Quick when it runs already.

    \b
    Examples:
      octavo engine up
      octavo engine up --precision bf16
      octavo engine up --model /data/Qwen2.5-7B-Instruct
    """
    from graph import render
    from graph.engine.up import ensure_up
    from graph.engine.wire import shown
    from graph.settings import settings

    began = time.monotonic()
    with render.Progress() as progress:
        try:
            found = asyncio.run(ensure_up(settings(), model=model, precision=precision, progress=progress))
        except KeyboardInterrupt:
            click.echo("The watcher works on; see: octavo engine status, or stop it: octavo engine down", err=True)
            raise
    seconds, address = round(time.monotonic() - began, 1), shown(found.base_url)
    if as_json:
        _print({**found.model_dump(mode="json", exclude={"api_key"}), "base_url": address, "seconds": seconds})
    else:
        own = "own engine" if found.supervised else "external"
        click.echo(f"{found.model} at {address}, {found.context} tokens of context, {own}, after {seconds} s")


@engine.command()
@json_option
def down(as_json: bool) -> None:
    """Stop the engine, or whatever its watcher is doing.

    \b
    Example:
      octavo engine down
    """
    from graph.engine.control import down as stop
    from graph.settings import settings

    stopped = asyncio.run(stop(settings()))
    _print({"stopped": stopped}) if as_json else click.echo("stopped" if stopped else "no engine was running")


@engine.command()
@json_option
def status(as_json: bool) -> None:
    """What the engine does now, and what it was found to do. Exit code 3 when it is not ready.

    \b
    Example:
      octavo engine status --json
    """
    from graph.engine.control import status as look
    from graph.settings import settings

    found = look(settings())
    if as_json:
        _print(found.model_dump(mode="json"))
    else:
        click.echo(visible("\n".join(status_lines(found))))
    if not (found.external or (found.running and found.state and found.state.phase == "ready")):
        sys.exit(3)


@engine.command()
@click.option("--lines", default=50, show_default=True, type=click.IntRange(1), help="How many of the last lines.")
@click.option("--watcher", is_flag=True, help="The watcher's log (installation, restarts) instead of vLLM's.")
@json_option
def logs(lines: int, watcher: bool, as_json: bool) -> None:
    """The last lines of vLLM's log.

    \b
    Examples:
      octavo engine logs --lines 200
      octavo engine logs --watcher
    """
    from graph.engine.control import log_path
    from graph.engine.control import logs as read
    from graph.settings import settings

    which: Any = "watcher" if watcher else "engine"
    found = read(settings(), lines, which)
    if as_json:
        _print({"path": str(log_path(settings(), which)), "lines": found})
    else:
        click.echo("\n".join(map(visible, found)))


@engine.command()
@model_option
@precision_option
@click.option("--branches", default=8, show_default=True, type=click.IntRange(1), help="Branches of one question.")
@json_option
def plan(model: str | None, precision: str | None, branches: int, as_json: bool) -> None:
    """What a model needs here, and whether its branches run side by side. Starts nothing; exit code 2: does not fit.

    \b
    Examples:
      octavo engine plan
      octavo engine plan --model tiny --branches 64 --json
    """
    from graph.engine.doctor import planned
    from graph.settings import settings

    found = planned(settings(), model, precision, branches)
    if as_json:
        _print({**found.model_dump(mode="json"), "fits": found.fits, "serial": found.serial})
    else:
        click.echo("\n".join(plan_lines(found)))
    if not found.fits:
        sys.exit(2)


@engine.command()
@model_option
@precision_option
@json_option
def verify(model: str | None, precision: str | None, as_json: bool) -> None:
    """Hash every file of a prepared model and compare with its manifest. Exit code 2 when something differs.

    \b
    Example:
      octavo engine verify --model tiny
    """
    from graph.engine.doctor import verified
    from graph.settings import settings

    name, known, wrong = verified(settings(), model, precision)
    if as_json:
        files = {file: entry.sha256 for file, entry in known.files.items()}
        _print({"model": name, "folder": known.folder, "source": known.source, "files": files, "faults": wrong})
    else:
        for file, entry in known.files.items():
            click.echo(f"{entry.sha256}  {file}  {entry.bytes}")
        click.echo("\n".join(wrong) or f"{name}: {len(known.files)} files, all as prepared")
    if wrong:
        sys.exit(2)


@engine.command()
@click.option("--models", "what", flag_value="models", help="Only prepared models and downloads.")
@click.option("--environment", "what", flag_value="environment", help="Only vLLM's environment and caches.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def purge(what: str | None, yes: bool, as_json: bool) -> None:
    """Remove the engine's files; questions and answers stay. The engine must be down.

    \b
    Examples:
      octavo engine purge --yes
      octavo engine purge --models
    """
    from graph.engine.control import purge as remove
    from graph.engine.layout import Layout
    from graph.engine.plan import gb
    from graph.settings import settings

    root = Layout(settings().home).root
    if not yes:
        click.confirm(f"Remove {what or 'everything'} below {root}?", abort=True, err=True)
    freed = remove(settings(), models=what != "environment", environment=what != "models")
    _print({"freed": freed}) if as_json else click.echo(f"{gb(freed)} freed")


def status_lines(found: Status) -> list[str]:
    """Status for people."""
    from graph.engine.plan import gb

    lines = [f"external endpoint  {found.external}"] if found.external else []
    state = found.state
    if state is None:
        return [*lines, "engine   never started here; octavo engine up"]
    phase = state.phase if found.running or state.phase in {"failed", "stopped", "resting"} else "gone"
    lines.append(f"engine   {phase}  {state.message}".rstrip())
    lines.append(f"model    {state.model} {state.precision}, {state.context} tokens of context".rstrip())
    if found.running:
        lines.append(f"address  http://127.0.0.1:{state.port}/v1, vLLM {state.version or '?'} (process {state.pid})")
        lines.append(
            f"load     {found.requests} requests, {gb(found.memory)} of memory, in this phase for {found.uptime:.0f} s"
        )
    rest = f"stops after {state.idle:g} idle minutes" if state.idle else "never stops by itself"
    lines.append(f"watcher  process {state.supervisor}, {state.restarts} restarts, {rest}")
    if state.last_error:
        lines.append(f"last error  {state.last_error}")
    if state.timings:
        lines.append(
            "seconds  " + ", ".join(f"{name} {spent:.1f}" for name, spent in state.timings.items() if name != "ready")
        )
    if found.probe:
        seen = found.probe
        lines.append(
            f"probe    choice {_yes(seen.choice)}, logprobs {_yes(seen.logprobs)}, "
            f"{seen.cached} of {seen.prompt} prompt tokens from the cache"
        )
    return [*lines, f"log      {state.log}"]


def plan_lines(found: Plan) -> list[str]:
    """A plan for people."""
    from graph.engine.plan import gb

    if found.parallel == 0:
        way = "unknown before the model is here" if not found.weights else "none: the cache holds no window"
    elif found.serial:
        way = f"{found.parallel} at once, so {found.branches} branches run in groups"
    else:
        way = f"all {found.branches} of a question at once (up to {found.parallel} full windows)"
    device = f"{found.tensor_parallel} GPU" if found.device == "gpu" else "CPU"
    return [
        f"model     {found.model}, {found.precision}, on {device}",
        f"weights   {gb(found.weights)} (1.2 to 1.5 times that while running)",
        f"memory    {gb(found.memory_need)} needed, at least {gb(found.memory_low)}; {gb(found.memory_free)} free",
        f"KV cache  {gb(found.kv_cache)}, {found.kv_per_token / 1024:.1f} KiB per token",
        f"window    {found.window} tokens for prompt and reply",
        f"branches  {way}",
        f"disk      {gb(found.disk_need)} needed, {gb(found.disk_free)} free",
        "fits" if found.fits else f"does not fit: {'; '.join(found.faults)}",
    ]


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _print(value: dict[str, Any]) -> None:
    click.echo(to_json(value))
