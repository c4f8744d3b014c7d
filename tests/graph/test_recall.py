"""Committed replies are found again; for a run that has just begun here, nothing is looked up that cannot be there."""

from __future__ import annotations

from pathlib import Path

from graph.exchange import key_of
from graph.record import Records
from tests.graph.samples import RUN, begin, made


async def test_a_new_run_recalls_what_it_saved_and_nothing_else(tmp_path: Path) -> None:
    records = await Records.open(tmp_path / "records.db")
    await begin(records)
    call = made(0, run=RUN)
    assert await records.recall(RUN, call.slot, call.key) is None
    await records.save_call(call)
    assert await records.recall(RUN, call.slot, call.key) == call
    assert await records.recall(RUN, call.slot, "0123456789abcdef") is None
    assert await records.recall(RUN, "branch:7", call.key) is None
    await records.close()


async def test_the_cap_is_no_part_of_the_key_and_all_else_is(tmp_path: Path) -> None:
    records = await Records.open(tmp_path / "records.db")
    await begin(records)
    first, second = made(0), made(0, id="repair", request={**made(0).request, "temperature": 0.1})
    for sent, cap in ((first, 100), (second, 90)):
        await records.save_call(sent.model_copy(update={"request": sent.request | {"max_tokens": cap}}))
    for sent, cap in ((first, 100), (second, 90)):  # both stand in the same place
        found = await records.recall(RUN, sent.slot, key_of(sent.request | {"max_tokens": 7}))
        assert found is not None
        assert (found.id, found.request) == (sent.id, sent.request | {"max_tokens": cap})
    assert await records.recall(RUN, first.slot, key_of(first.request | {"top_p": 0.5})) is None
    await records.close()


async def test_a_run_that_begins_again_recalls_what_another_process_saved(tmp_path: Path) -> None:
    first, second = await Records.open(tmp_path / "records.db"), await Records.open(tmp_path / "records.db")
    await begin(first)
    call = made(0, run=RUN)
    await first.save_call(call)
    await begin(second, run=RUN)
    assert await second.recall(RUN, call.slot, call.key) == call
    await first.close()
    await second.close()


async def test_a_failed_run_is_looked_up_again(tmp_path: Path) -> None:
    """Another process may have gone on with it meanwhile."""
    first, second = await Records.open(tmp_path / "records.db"), await Records.open(tmp_path / "records.db")
    await begin(first)
    await first.fail_run(RUN, "engine_fault", "the engine died")
    call = made(0, run=RUN)
    await second.save_call(call)
    assert await first.recall(RUN, call.slot, call.key) == call
    await first.close()
    await second.close()
