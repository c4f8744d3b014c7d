"""The real watcher around the fake server: only `prepare` is another, and the clocks run faster."""

from __future__ import annotations

import sys
from pathlib import Path

from graph.engine import patience, server, supervise
from graph.engine.contracts import OnProgress, Order, Progress
from graph.engine.layout import Layout, own_key
from graph.engine.start import Launch
from nodes.errors import SetupError


def prepare(order: Order, on_progress: OnProgress) -> Launch:
    mode = (order.home / "mode").read_text() if (order.home / "mode").exists() else "good"
    if mode == "no_torch":
        raise SetupError("pip found no torch: set OCTAVO_TORCH_INDEX")
    if mode == "bug":
        raise ZeroDivisionError("a fault of ours")
    on_progress(Progress(phase="install", message="pretending", done=1, total=2, unit="bytes"))
    with (order.home / "starts").open("a") as starts:
        starts.write("start\n")
    layout = Layout(order.home)
    return Launch(
        argv=(sys.executable, str(Path(__file__).with_name("fake_server.py")), str(order.port), mode),
        env={"VLLM_API_KEY": own_key(layout)},
        cwd=layout.run,
        served="smollm2-135m",
        precision="bf16",
        window=4096,
    )


if __name__ == "__main__":
    server.TICK, server.HEALTH_EVERY, server.GRACE = 0.02, 0.1, 5.0
    patience.Patience.first = 0.01
    sys.exit(supervise.main(prepare))
