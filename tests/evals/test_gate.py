"""The gate: green on the same, red on a fall, and the cause by name."""

from __future__ import annotations

import pytest

from evals import gate, reports
from evals.answering import Outcome
from evals.judging import questions
from evals.modes import mode
from graph.settings import Settings
from nodes.branch import branch_call
from nodes.contracts import Request
from nodes.errors import InputError
from tests.evals.pooled import many, sample

SETTINGS = Settings()


def outcomes(right: float = 1.0, agreement: float = 0.8, length: float = 100, count: int = 40) -> list[Outcome]:
    return [
        Outcome(id=f"q{n}", family="f", cluster=f"q{n}", right=right if n else 0, completed=1, answered=1, tokens=9,
                agreement=agreement, confidence=0.9, generated=length + n % 3, seconds=1, branches=8)
        for n in range(count)
    ]  # fmt: skip


def pool(**fields: object) -> reports.Pool:
    given = {"name": "p", "digest": "d", "samples": 1, "questions": 1, "ungraded": 0, "models": ("m",), "prompts": (),
             "temperatures": (0.7,), "statuses": {}}  # fmt: skip
    return reports.Pool.model_validate(given | fields)


def measured(found: list[Outcome], **fields: object) -> gate.Baseline:
    return gate.baseline("judge@8", pool(**fields), found, gate.digests(pool(**fields), SETTINGS))


def test_the_same_is_green() -> None:
    found = gate.compare(measured(outcomes()), measured(outcomes()))
    assert (found.green, found.changed, found.reasons) == (True, {}, ())


@pytest.mark.parametrize(
    ("now", "red"),
    [
        (outcomes(right=0.0), ["accuracy"]),
        (outcomes(agreement=0.5), ["agreement"]),
        (outcomes(length=150), ["length"]),
        (outcomes(length=60), ["length"]),
        (outcomes(agreement=1.0), []),  # more agreement is no alarm
    ],
)
def test_red_says_which_figure_moved(now: list[Outcome], red: list[str]) -> None:
    found = gate.compare(measured(outcomes()), measured(now))
    assert [name for name, figure in found.figures.items() if figure.red] == red
    assert found.green is not bool(red)
    assert all(name in " ".join(found.reasons) for name in red)


def test_one_question_is_within_the_interval() -> None:
    now = [one.model_copy(update={"right": 0.0}) if one.id == "q7" else one for one in outcomes()]
    assert gate.compare(measured(outcomes()), measured(now)).green


def test_what_changed_is_named() -> None:
    before = measured(outcomes())
    digests = before.digests | {"parameter branch.temperature": "0.2", "artefact cues.toml": "0"}
    found = gate.compare(before.model_copy(update={"digests": digests}), measured(outcomes(), models=("n",)))
    assert list(found.changed) == [
        "artefact cues.toml", "model m", "model n", "parameter branch.temperature"
    ]  # fmt: skip
    assert found.changed["parameter branch.temperature"] == ("0.2", "0.7")
    assert found.changed["model n"] == ("", "recorded")


def test_every_kind_that_can_change_an_answer_is_watched() -> None:
    kinds = {name.split()[0] for name in gate.digests(pool(), SETTINGS)}
    assert kinds == {"model", "prompt", "parameter", "artefact", "code"}
    other = gate.digests(pool(), SETTINGS.model_copy(update={"stop_probability": 0.95}))
    assert other["parameter stop_probability"] == "0.95"


def test_a_pool_of_other_prompts_is_stale() -> None:
    today = branch_call(Request(run="r", question="x"), "closed", 2).prompt
    samples = [sample(0, "7", prompt=today), sample(1, "7", prompt="0" * 16), sample(2, "7")]
    assert gate.stale(samples) == 1
    found = gate.compare(measured(outcomes()), measured(outcomes()), stale_samples=1)
    assert not found.green
    assert "record the set anew" in found.reasons[0]


def test_other_questions_or_another_mode_are_no_comparison() -> None:
    with pytest.raises(InputError, match="1 questions are not in both"):
        gate.compare(measured(outcomes()), measured(outcomes(count=41)))
    with pytest.raises(InputError, match="judged as"):
        gate.compare(measured(outcomes()).model_copy(update={"mode": "vote@8"}), measured(outcomes()))
    with pytest.raises(InputError, match="no question"):
        gate.baseline("judge@8", pool(), [], {})


def test_a_baseline_survives_its_file(tmp_path) -> None:
    found = gate.baseline("vote@3", pool(), mode("vote@3").run(questions(many(3, ["7", "7", "8"]))), {"a": "b"})
    gate.write(tmp_path / "b.json", found)
    assert gate.read(tmp_path / "b.json") == found
    (tmp_path / "b.json").write_text("{}")
    with pytest.raises(InputError, match="is no baseline"):
        gate.read(tmp_path / "b.json")
    with pytest.raises(InputError, match="--update"):
        gate.read(tmp_path / "absent.json")
