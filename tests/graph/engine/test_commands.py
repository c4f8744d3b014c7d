"""The command group, by its text and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graph import settings as module
from graph.engine.commands import engine, plan_lines
from graph.engine.control import log_path
from graph.engine.layout import Layout
from graph.engine.plan import plan
from graph.engine.registry import resolve
from nodes.errors import SetupError
from tests.graph.engine.fake_server import serving
from tests.graph.engine.test_plan import machine


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = module.Settings(home=tmp_path / "home", base_url=None, model=None, engine_port=free_port)
    monkeypatch.setattr(module, "settings", lambda: found)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(engine, arguments)


def test_every_command_has_help_with_an_example() -> None:
    assert set(engine.commands) == {"up", "down", "status", "logs", "plan", "verify", "purge"}
    for name in engine.commands:
        shown = run(name, "--help")
        assert shown.exit_code == 0
        assert f"octavo engine {name}" in shown.output
        assert "--json" in shown.output


def test_plan_as_json_and_as_text() -> None:
    found = json.loads(run("plan", "--model", "tiny", "--json").output)
    assert found["model"] == "smollm2-135m"
    assert found["kv_per_token"] == 23040
    assert "window" in run("plan", "--model", "tiny").output
    assert isinstance(run("plan", "--model", "nonsense").exception, SetupError)


def test_plan_says_parallel_serial_or_why_not() -> None:
    spec = resolve("default")
    assert "all 8 of a question at once" in "\n".join(plan_lines(plan(spec, "int8", machine(14))))
    assert "run in groups" in "\n".join(plan_lines(plan(spec, "int8", machine(6.7))))
    assert "does not fit: it needs" in "\n".join(plan_lines(plan(spec, "int8", machine(2))))
    assert "unknown before" in "\n".join(plan_lines(plan(resolve("a/b"), "bf16", machine(8))))


def test_status_without_an_engine_is_exit_code_3() -> None:
    found = run("status")
    assert found.exit_code == 3
    assert "octavo engine up" in found.output
    assert run("status", "--json").exit_code == 3
    assert run("down").output == "no engine was running\n"


def test_purge_asks_first() -> None:
    assert CliRunner().invoke(engine, ["purge"], input="n\n").exit_code == 1
    assert json.loads(run("purge", "--yes", "--json").output) == {"freed": 0}


def test_up_with_an_external_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as url:
        found = module.Settings(home=tmp_path, base_url=url, api_key="a-secret")
        monkeypatch.setattr(module, "settings", lambda: found)
        shown = run("up", "--json")
    assert json.loads(shown.stdout)["model"] == "m"
    assert "a-secret" not in shown.output


def test_the_group_is_light_to_import() -> None:
    heavy = (
        "import sys, graph.engine.commands as c; print([m for m in ('rich', 'pydantic', 'httpx2') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_logs_show_escape_codes_and_send_none(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "home")
    layout.make()
    log_path(module.settings(), "engine").write_text("plain 中文\n\x1b[2Jgone\n", encoding="utf-8")
    shown = run("logs").output
    assert "plain 中文" in shown
    assert "\\x1b[2Jgone" in shown
    assert "\x1b" not in shown


def test_json_of_logs_carries_no_control_character_and_no_override(tmp_path: Path) -> None:
    path = log_path(module.settings())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("a\x9b2Jb\u202ec\x7f 中文\n", encoding="utf-8")
    shown = run("logs", "--json").output
    assert not {"\x9b", "\u202e", "\x7f"} & set(shown)
    assert "中文" in shown
    assert json.loads(shown)["lines"] == ["a\x9b2Jb\u202ec\x7f 中文"]


@pytest.mark.parametrize("json_", [(), ("--json",)])
def test_no_password_of_an_address_is_shown(
    json_: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(names=("m",)) as url:
        secret = url.replace("://", "://me:se%2Fcret@")
        for model in (None, "other"):
            found = module.Settings(home=tmp_path / "home", base_url=secret, model=model)
            monkeypatch.setattr(module, "settings", lambda found=found: found)
            for command in ("up", "status"):
                done = run(command, *json_)
                assert "cret" not in done.output + str(done.exception)
