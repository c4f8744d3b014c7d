"""Every command of `octavo`, by its output and exit code, against a scripted endpoint."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import unicodedata
from typing import get_args

import click
import pytest

from graph import cli
from graph.asking import PRINTED
from nodes.contracts import Mode
from nodes.errors import EngineFault
from tests.graph.programs import ROOT, Octavo

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m red \x1b[0m\u202e\rFAKE"
"""Window title, clear screen, C1 control sequence, colour, text direction, overwriting."""
QUESTION = "A box holds 9 pens and another one 8. How many pens are there?"


def unsafe(text: str) -> list[str]:
    """Control characters other than tab and line end, and everything else that a terminal acts on."""
    return [c for c in text if (unicodedata.category(c) == "Cc" and c not in "\t\n") or c == "\u202e"]


def test_help_of_every_command_has_an_example() -> None:
    context = click.Context(cli.cli)
    names = cli.cli.list_commands(context)
    assert {"ask", "resume", "route", "runs", "show", "doctor", "engine"} <= set(names)
    for name in names:
        command = cli.cli.get_command(context, name)
        assert command is not None
        assert f"octavo {name}" in (command.help or ""), name


def test_help_is_quick_because_it_imports_nothing_heavy() -> None:
    heavy = ("langgraph", "langchain_core", "openai", "pydantic", "rich", "sqlite_utils", "sympy")
    code = f"import sys; from graph import cli; cli.run(['--help']); print([m for m in {heavy} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "Commands:" in shown
    assert shown.splitlines()[-1] == "[]"


def test_modes_are_those_of_the_contract() -> None:
    assert get_args(Mode) == cli.MODES


def test_ask_prints_the_answer_and_what_it_rests_on(octavo: Octavo) -> None:
    found = octavo("ask", "--mode", "4", QUESTION)
    lines = found.out.splitlines()
    assert (found.code, lines[0], found.err) == (0, "17", "")
    facts = {line.split()[0]: line for line in lines[2:]}
    assert list(facts) == ["route", "branches", "agreement", "tokens", "seconds", "run", "recorded"]
    assert "4 of up to 4" in facts["branches"]
    assert "4 answered" in facts["branches"]
    run = facts["run"].split()[1]
    assert facts["recorded"].endswith(f"{octavo.home / 'records.db'}   octavo show {run[:8]}")
    assert octavo("runs", "--json").json[0]["id"] == run


@pytest.mark.parametrize("mode", cli.MODES)
def test_ask_as_json_in_every_mode(octavo: Octavo, mode: str) -> None:
    done = octavo("ask", "--json", "--mode", mode, f"{QUESTION} Prove and verify it, explain why, compare.")
    found = done.json
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    assert tuple(found)[: len(PRINTED)] == PRINTED
    assert PRINTED == (
        "run", "answer", "status", "cause", "route", "budget", "agreement", "confidence", "tokens", "seconds",
    )  # fmt: skip
    assert (found["answer"], found["status"], found["cause"], found["agreement"]) == ("17", "answered", None, 1.0)
    assert found["budget"] == {"auto": 8, "light": 1, "deep": 8}.get(mode) or int(mode)
    if mode.isdigit():
        assert (found["branches"], octavo.paid()) == (int(mode), int(mode))


@pytest.mark.parametrize(
    "text", ['It\'s "$12" & `x` \\ 100%', "小明有三个苹果，又买了五个。一共多少？", "line\nline\n", "-"]
)
def test_a_question_from_stdin_is_unchanged(octavo: Octavo, text: str) -> None:
    found = octavo("ask", "--json", "--mode", "1", "-", stdin=f"{text}\n".encode())
    assert found.code == 0
    assert octavo("runs", "--json").json[0]["question"] == text


def test_streaming_goes_to_stderr_and_speakers_are_not_mixed(octavo: Octavo) -> None:
    octavo.script(answers=["5", "6", "7", "8"], latency=0.01)
    found = octavo("ask", "--stream", "--json", "--mode", "4", QUESTION)
    assert found.json["status"] == "answered"
    spoken = re.findall(
        r"\[(branch:\d)\] Let us work it out step by step, then check it once more\.\n\nANSWER: (\d)", found.err
    )
    assert sorted(branch for branch, _ in spoken) == [f"branch:{index}" for index in range(4)]
    assert sorted(answer for _, answer in spoken) == ["5", "6", "7", "8"]


def test_the_deadline_gives_the_best_so_far(octavo: Octavo) -> None:
    octavo.script(script=["", "hang"])
    found = octavo("ask", "--json", "--mode", "2", "--deadline", "2", QUESTION)
    assert (found.code, found.json["answer"], found.json["partial"]) == (0, "17", "deadline")
    octavo.script(script=["hang", "hang"])
    found = octavo("ask", "--mode", "2", "--deadline", "1.5", QUESTION)
    assert (found.code, found.out.splitlines()[0]) == (1, "no verdict (timeout)")
    assert "the deadline was over; this is the best so far" in found.out


@pytest.mark.parametrize(
    ("script", "ended", "code", "answer"), [(["", "hang"], 1, 0, "17"), (["hang", "hang"], 0, 1, "")]
)
def test_ctrl_c_gives_the_best_so_far(octavo: Octavo, script: list[str], ended: int, code: int, answer: str) -> None:
    octavo.script(script=script)
    with octavo.start("ask", "--json", "--stream", "--mode", "2", QUESTION) as child:
        assert child.stderr is not None
        heard = ""
        while heard.count(" answered 17") < ended or heard.count("[branch:") < 1:
            piece = child.stderr.read(1)
            assert piece, heard
            heard += piece
        child.send_signal(signal.SIGINT)
        out, err = child.communicate()
    found = json.loads(out)
    assert (child.returncode, found["answer"], found["partial"]) == (code, answer, "interrupted")
    assert "Ctrl-C again leaves at once" in err


def test_ctrl_c_twice_leaves_a_server_that_says_nothing(octavo: Octavo) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        octavo.set(OCTAVO_BASE_URL=f"http://127.0.0.1:{silent.getsockname()[1]}/v1")
        with octavo.start("ask", QUESTION) as child:
            connection, _ = silent.accept()
            while child.poll() is None:  # two that arrive together count as one
                child.send_signal(signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(0.5)
            out, err = child.communicate()
            connection.close()
    assert (child.returncode, out) == (cli.INTERRUPTED, "")
    assert err.strip().startswith("interrupted")


def test_the_first_ctrl_c_leaves_a_set_up_at_once(octavo: Octavo) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        octavo.set(OCTAVO_BASE_URL=f"http://127.0.0.1:{silent.getsockname()[1]}/v1")
        with octavo.start("ask", QUESTION) as child:
            connection, _ = silent.accept()
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=8)  # the request itself is given up after 10 s
            connection.close()
    assert (child.returncode, out) == (cli.INTERRUPTED, "")
    assert err.strip() == "interrupted; nothing was asked yet"


def test_the_deadline_counts_from_the_start(octavo: Octavo) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        octavo.set(OCTAVO_BASE_URL=f"http://127.0.0.1:{silent.getsockname()[1]}/v1")
        found = octavo("ask", "--json", "--deadline", "0.2", QUESTION)
    assert (found.code, found.error["code"]) == (3, "engine_timeout")
    assert "the deadline was over" in found.error["message"]


def test_resume_pays_for_the_missing_calls_only(octavo: Octavo) -> None:
    octavo.script(script=["", "hang"])
    with octavo.start("ask", "--stream", "--mode", "2", QUESTION) as child:
        assert child.stderr is not None
        assert any(" answered 17" in line for line in child.stderr)
        child.kill()
    run = octavo("runs", "--json", "--status", "running").json[0]["id"]
    octavo.script(script=[])
    found = octavo("resume", "--json", run[:8])
    assert (found.code, found.json["run"], found.json["answer"], found.json["agreement"]) == (0, run, "17", 1.0)
    assert octavo.paid() == 1
    again = octavo("resume", "--json", run)
    assert again.json == found.json
    assert octavo.paid() == 1


def test_route_prints_the_stable_fields_first(octavo: Octavo) -> None:
    found = octavo("route", "--json", "Weng earns 12 dollars an hour. How much does she earn in 50 minutes?")
    assert list(found.json)[:6] == ["id", "top", "labels", "scores", "budget", "reason"]
    assert (found.json["top"], found.json["labels"]) == ("numeric", ["numeric"])
    assert set(found.json["scores"]) == {
        "entity", "relation", "numeric", "logic", "code", "style", "safety", "format", "other",
    }  # fmt: skip
    text = octavo("route", "Weng earns 12 dollars an hour. How much does she earn in 50 minutes?")
    assert text.out.startswith("numeric")
    assert octavo.paid() == 0


def test_route_of_a_file_keeps_order_and_ids(octavo: Octavo) -> None:
    path = octavo.home.parent / "requests.jsonl"
    items = [
        {"id": "b", "text": QUESTION},
        {"id": 7, "text": "只有张三去，李四才去。"},
        {"id": "a", "text": "x" * 3000},
    ]
    path.write_text("\n\n".join(json.dumps(item, ensure_ascii=False) for item in items), encoding="utf-8")
    found = octavo("route", "--file", str(path), "--json")
    assert [json.loads(line)["id"] for line in found.out.splitlines()] == ["b", 7, "a"]
    path.write_text("")
    empty = octavo("route", "--file", str(path), "--json")
    assert (empty.code, empty.out, empty.err) == (0, "", f"no lines in {path}\n")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"id": 1}', "bad_line"),
        ("[]", "bad_line"),
        ("nonsense", "bad_line"),
        ('{"id": null, "text": "x"}', "bad_line"),
        ("[" * 100_000, "bad_line"),
        ('{"id": 1, "text": 7}', "empty_question"),
        ('{"id": 1, "text": " "}', "empty_question"),
        ('{"id": 1, "text": "a\\u0000"}', "nul_byte"),
        ('{"id": 1, "text": "\\ud800"}', "lone_surrogate"),
        ('{"id": 1, "text": "' + "x" * 1_000_000 + '"}', "question_too_long"),
    ],
    ids=lambda value: value[:24],
)
def test_a_bad_line_is_named_and_nothing_is_printed_before_it(octavo: Octavo, line: str, code: str) -> None:
    path = octavo.home.parent / "requests.jsonl"
    path.write_text(f'{{"id": 0, "text": "fine"}}\n\n{line}\n')
    found = octavo("route", "--file", str(path), "--json")
    assert (found.code, found.error["code"]) == (2, code)
    assert f"{path}, line 3:" in found.error["message"]


def test_route_wants_one_source(octavo: Octavo) -> None:
    assert octavo("route").code == octavo("route", "x", "--file", __file__).code == 2


def test_runs_are_found_by_words_and_status(octavo: Octavo) -> None:
    octavo("ask", "--mode", "1", "明天的会议几点开始？")
    octavo("ask", "--mode", "1", QUESTION)
    assert [row["question"] for row in octavo("runs", "--json").json] == [QUESTION, "明天的会议几点开始？"]
    assert [row["question"] for row in octavo("runs", "--json", "--search", "会议").json] == ["明天的会议几点开始？"]
    assert octavo("runs", "--json", "--status", "failed").json == []
    assert len(octavo("runs", "--limit", "1").out.splitlines()) == 2
    assert octavo("runs", "--status", "odd", "--json").error["code"] == "unknown_status"


def test_show_tells_everything(octavo: Octavo) -> None:
    run = octavo("ask", "--json", "--mode", "2", QUESTION).json["run"]
    found = octavo("show", run[:8], "--json").json
    assert {"run", "route", "findings", "calls", "candidates", "tallies", "ballots", "verdict"} <= set(found)
    assert [call["request"]["messages"][0]["role"] for call in found["calls"]] == ["system", "system"]
    text = octavo("show", run).out
    for words in (f"run {run}", QUESTION, "branch:0", "branch:1", "tally 1", "verdict  17", "calls  2"):
        assert words in text
    assert "check it once more" not in text
    assert "check it once more" in octavo("show", run, "--text").out
    assert octavo("show", "zzz", "--json").error["code"] == "unknown_run"


def test_doctor_names_the_command_that_mends(octavo: Octavo) -> None:
    assert octavo("doctor").code == 0
    octavo("ask", "--mode", "1", QUESTION)
    (octavo.home / "records.db").write_text("not a database")
    found = octavo("doctor", "--json")
    bad = {finding["check"]: finding for finding in found.json if not finding["ok"]}
    assert (found.code, list(bad)) == (2, ["records"])
    assert bad["records"]["mend"].startswith("mv ")
    assert "FAIL records" in octavo("doctor").out


def test_an_own_engine_that_does_not_run_is_exit_code_3(octavo: Octavo) -> None:
    octavo.set(OCTAVO_BASE_URL="")
    found = octavo("engine", "status")
    assert (found.code, "octavo engine up" in found.out) == (3, True)


@pytest.mark.parametrize(
    "arguments", [["ask"], ["ask", "--deadline", "x", "y"], ["nonsense"], ["runs", "--limit", "0"]]
)
def test_wrong_usage_is_exit_code_2_and_json_when_asked(octavo: Octavo, arguments: list[str]) -> None:
    found = octavo(*arguments)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("error (usage): ")
    assert "--help" in found.err
    assert octavo(*arguments, "--json").error["code"] == "usage"


def test_no_verdict_is_exit_code_1(octavo: Octavo) -> None:
    octavo.set(OCTAVO_RETRIES="0")
    octavo.script(script=["500", "500"])
    found = octavo("ask", "--mode", "2", QUESTION)
    assert (found.code, found.out.splitlines()[0]) == (1, "no verdict (infra)")
    assert "answered 500" in found.err
    assert "see: octavo doctor" in found.err
    octavo.script(script=["500", "500"])
    told = octavo("ask", "--json", "--mode", "2", QUESTION).json
    assert "answered 500" in told["error"]


def test_escape_codes_never_reach_the_terminal(octavo: Octavo) -> None:
    octavo.script(answers=[HOSTILE], function="", rules={"": f"{HOSTILE}\nANSWER: {HOSTILE}"})
    shown = [octavo("ask", "--stream", "--mode", "2", f"{QUESTION} {HOSTILE}")]
    run = octavo("runs", "--json").json[0]["id"]
    octavo.script(script=["400"])
    shown.append(octavo("ask", "--mode", "1", f"{QUESTION} {HOSTILE}"))
    for arguments in (["ask", "--json", "--mode", "1", HOSTILE], ["runs"], ["runs", "--json"], ["show", run]):
        shown.append(octavo(*arguments))
    for arguments in (
        ["show", "--text", run],
        ["show", "--json", run],
        ["route", HOSTILE],
        ["route", HOSTILE, "--json"],
    ):
        shown.append(octavo(*arguments))
    shown += [octavo("show", HOSTILE), octavo(HOSTILE), octavo("ask", "--mode", HOSTILE, "x"), octavo("--" + HOSTILE)]
    assert [unsafe(found.out + found.err) for found in shown] == [[]] * len(shown)
    assert "\\x1b[2J" in shown[0].out + shown[0].err


def test_a_terminal_that_is_not_utf_8_shows_escapes(octavo: Octavo) -> None:
    octavo("ask", "--mode", "1", "小明有几个苹果？")
    found = octavo.child("runs", PYTHONIOENCODING="ascii")
    assert found.code == 0
    assert "\\u5c0f\\u660e" in found.out


def test_a_closed_pipe_ends_quietly(octavo: Octavo) -> None:
    octavo("ask", "--mode", "1", QUESTION)
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "graph.cli", "runs"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (cli.PIPE_CLOSED, b"")


def test_a_fault_of_ours_is_not_taken_for_a_missing_verdict(
    octavo: Octavo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("graph.asking.diagnose", lambda: 1 / 0)
    monkeypatch.setattr(sys, "argv", ["octavo", "doctor"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == cli.FAULT
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_an_error_of_the_engine_points_to_the_doctor(octavo: Octavo, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        raise EngineFault("it is on fire")

    monkeypatch.setattr("graph.asking.start_engine", fail)
    found = octavo("ask", QUESTION)
    assert (found.code, found.err) == (3, "error (engine_fault): it is on fire\nsee: octavo doctor\n")
    assert octavo("ask", QUESTION, "--json").error == {
        "code": "engine_fault",
        "message": "it is on fire",
        "hint": "see: octavo doctor",
    }
