"""The watcher: one detached process per home that brings a model server up and keeps it up.

    python -m graph.engine.supervise  <  Order as JSON on standard input

It forks away, so that no caller is its parent; it holds a file lock, so that there is one; it writes `state.json`,
so that any number of callers see what it does. It installs, prepares, starts vLLM, probes it, restarts it after a
crash with growing pauses, gives up with a named error after several crashes in quick succession, and stops when
nothing was asked for long enough. If the watcher itself is killed, the kernel ends vLLM's leader with it, and the
next watcher sweeps up what is left.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType

from graph.engine import prepare as preparation
from graph.engine import process
from graph.engine.contracts import OnProgress, Order
from graph.engine.install import install, installed
from graph.engine.layout import Layout, own_key
from graph.engine.machine import survey
from graph.engine.plan import plan
from graph.engine.registry import resolve
from graph.engine.server import Resting, Server, Stopped
from graph.engine.start import Launch, launch
from graph.engine.status_file import Reporter, read_state
from nodes.errors import OctavoError

TAKEN = 3
"""Exit code of the starter when another watcher holds the lock."""
Prepare = Callable[[Order, OnProgress], Launch]


def prepare(order: Order, on_progress: OnProgress) -> Launch:
    """From an order to a server that can be started: plan, environment, model, flags. Raises SetupError."""
    layout, machine, spec = Layout(order.home), survey(order.home), resolve(order.model)
    precision = spec.precision(machine.device, order.precision)
    whole = installed(layout, machine.device)
    ready = preparation.prepared(layout, spec, precision) is not None
    plan(spec, precision, machine, installed=whole, prepared=ready).require()
    install(layout, machine.device, order.torch_index, on_progress)
    folder = preparation.prepare(layout, spec, precision, on_progress)
    spec = preparation.measured(spec, folder)
    chosen = plan(spec, precision, survey(order.home), installed=True, prepared=True)
    chosen.require()
    return launch(layout, spec, folder, chosen, machine, order.port, own_key(layout))


def main(prepare: Prepare = prepare) -> int:
    """Read the order, fork the watcher away, return once it has the lock (0) or another one has it (TAKEN)."""
    order = Order.model_validate_json(sys.stdin.read())
    Layout(order.home).make()
    ear, mouth = os.pipe()
    if os.fork():
        os.close(mouth)
        answer = os.read(ear, 1)
        return {b"+": 0, b"-": TAKEN}.get(answer, 1)
    os.close(ear)
    watch(order, prepare, mouth)
    return 0


def watch(order: Order, prepare: Prepare, mouth: int) -> None:
    """The watcher's life. `mouth` is told `+` when the lock is ours and the first state is written, else `-`."""
    layout = Layout(order.home)
    with layout.lock.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.write(mouth, b"-")
            return
        os.set_inheritable(lock.fileno(), False)
        sweep(layout)
        reporter = Reporter(layout, order)
        os.write(mouth, b"+")
        os.close(mouth)
        signal.signal(signal.SIGTERM, _stop)
        signal.signal(signal.SIGINT, _stop)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        _work(layout, order, prepare, reporter)


def _work(layout: Layout, order: Order, prepare: Prepare, reporter: Reporter) -> None:
    try:
        Server(layout, order, prepare(order, reporter.tell), reporter).run()
    except Resting as rest:
        reporter.phase("resting", str(rest))
    except Stopped as stop:
        reporter.phase("stopped", str(stop))
    except OctavoError as error:
        reporter.fail(error)
    except Exception as error:  # noqa: BLE001 - the last line of defence: callers must see why, not wait for ever
        traceback.print_exc()
        reporter.fail(OctavoError(f"the watcher failed: {error!r}; see {str(layout.watcher_log)!r}"))


def sweep(layout: Layout) -> None:
    """End what an earlier, killed watcher left running: only processes of its session that work in our run folder."""
    old = read_state(layout)
    if old and old.pid:
        process.end_session(old.pid, layout.run, grace=0)
    with contextlib.suppress(OSError):
        layout.probe.unlink()


def _stop(number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise Stopped(f"stopped by {signal.Signals(number).name}")


if __name__ == "__main__":
    sys.exit(main())
