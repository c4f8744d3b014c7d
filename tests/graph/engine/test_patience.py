"""When to restart, when to give up, when to rest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graph.engine.patience import IdleClock, Patience, read_metrics

METRICS = """# HELP vllm:num_requests_running Number of requests in model execution batches.
vllm:num_requests_running{engine="0",model_name="default"} 7.0
vllm:num_requests_waiting{engine="0",model_name="default"} 2.0
vllm:num_requests_waiting_by_reason{engine="0",model_name="default",reason="capacity"} 2.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="default"} 3.0
vllm:request_success_total{engine="0",finished_reason="abort",model_name="default"} 1.0
vllm:request_success_created{engine="0",finished_reason="stop"} 1.7960787135485265e+09
vllm:prompt_tokens_total{engine="0",model_name="default"} 9263.0
vllm:prompt_tokens_by_source_total{engine="0",source="local_compute"} 4431.0
vllm:generation_tokens_total{engine="0",model_name="default"} 1.0724e+04
"""


def metrics(counted: float, running: float = 0) -> str:
    return f"vllm:request_success_total {counted}\nvllm:num_requests_running {running}\n"


def test_reads_what_vllm_prints() -> None:
    assert read_metrics(METRICS) == (3 + 1 + 9263 + 10724, 9)
    assert read_metrics("") == (0, 0)


def test_gives_up_after_quick_crashes_and_earlier_when_it_never_worked() -> None:
    seen = Patience()
    assert [seen.after_crash(5) for _ in range(5)] == [1.0, 2.0, 4.0, 8.0, None]
    assert [Patience().after_crash(0), Patience(crashes=1).after_crash(0)] == [1.0, None]


def test_a_steady_time_forgives() -> None:
    seen = Patience()
    assert all(seen.after_crash(3600) == 1.0 for _ in range(50))


@given(st.lists(st.floats(0, 1000), max_size=30))
def test_pauses_stay_within_bounds_and_end(times: list[float]) -> None:
    seen = Patience()
    pauses = [seen.after_crash(ready_for) for ready_for in times]
    assert all(pause is None or seen.first <= pause <= seen.longest for pause in pauses)
    quick = Patience()
    assert None in [quick.after_crash(1.0) for _ in range(quick.limit)]


def test_rests_only_after_silence() -> None:
    clock = IdleClock(limit=60, since=0)
    assert not clock.idle(metrics(0), 10)
    assert not clock.idle(metrics(0), 69)  # the first look counts as work
    assert clock.idle(metrics(0), 70)
    assert not clock.idle(metrics(1), 71)
    assert not clock.idle(metrics(1, running=1), 500)
    assert not clock.idle(metrics(1), 559)
    assert clock.idle(metrics(1), 560)


def test_zero_means_never() -> None:
    assert not IdleClock(limit=0, since=0).idle(metrics(0), 1e9)
