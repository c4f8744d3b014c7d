"""Every way in which a command ends badly: its exit code, and with --json an object on stdout."""

from __future__ import annotations

import json

import click
import pytest

from graph import cli
from nodes.errors import EngineFault, InputError, SetupError


def ends_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def command(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(cli.cli, "main", command)


def aborted(cause: BaseException | None) -> click.Abort:
    error = click.Abort()
    error.__cause__ = cause
    return error


BAD = [
    (InputError("bad", "bad_input"), 2, "bad_input"),
    (SetupError("bad"), 2, SetupError.code),
    (EngineFault("bad"), 3, EngineFault.code),
    (click.UsageError("bad"), 2, "usage"),
    (aborted(None), 130, "interrupted"),
    (aborted(KeyboardInterrupt("finish it later")), 130, "interrupted"),
]


@pytest.mark.parametrize(("error", "exit_code", "code"), BAD)
def test_errors(
    error: BaseException,
    exit_code: int,
    code: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ends_with(error, monkeypatch)
    assert cli.run(["runs", "--json"]) == exit_code
    shown = capsys.readouterr()
    assert json.loads(shown.out)["error"]["code"] == code
    assert cli.run(["runs"]) == exit_code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err


def test_a_fault_of_ours_is_told_to_programs_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends_with(ZeroDivisionError("ours"), monkeypatch)
    monkeypatch.setattr("sys.argv", ["octavo", "runs", "--json"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    shown = capsys.readouterr()
    assert left.value.code == 70
    assert json.loads(shown.out)["error"] == {"code": "internal", "message": "ZeroDivisionError"}
    assert "Traceback" in shown.err


@pytest.mark.parametrize("name", [*cli.cli.commands])
def test_every_command_shows_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"octavo {name}" in shown.partition("Example")[2]
    assert "--json" in shown


def test_the_exit_codes_are_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--help"]) == 0
    shown = capsys.readouterr().out
    for code in (1, 2, 3, cli.INTERRUPTED, cli.FAULT):
        assert f" {code} " in shown.partition("Exit codes")[2]


def test_a_limit_that_no_database_takes_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["runs", "--limit", "9" * 23]) == 2
    assert "error (usage)" in capsys.readouterr().err


def test_a_closed_stdin_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert cli.run(["route", "--json", "-"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "empty_question"


def test_a_question_that_begins_with_a_minus_is_told_how(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["ask", "-5 + 3 = ?"]) == 2
    assert 'octavo ask -- "-5 + 3"' in capsys.readouterr().err
    assert cli.run(["ask", "--jsn", "5"]) == 2
    assert " -- " not in capsys.readouterr().err


def test_json_behind_two_minuses_is_text() -> None:
    assert cli.wants_json(["ask", "x", "--json"])
    assert not cli.wants_json(["ask", "--", "--json"])
