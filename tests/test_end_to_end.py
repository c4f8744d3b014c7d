"""One question through the whole committee on a real vLLM: nothing scripted, the engine's own evidence is looked at.

Everything asserted here comes from the records: token ids that the engine's own tokenizer turns back into the text,
log-probabilities, prompt tokens served from its prefix cache. With the engine stopped there is nothing to assert.
"""

from __future__ import annotations

import httpx2
import pytest

from graph.engine.contracts import Endpoint
from graph.model import EngineModel
from graph.record import Reader
from graph.run import open_committee
from graph.settings import Settings, read
from nodes.contracts import Answer
from nodes.errors import EngineUnreachable
from tests.real_engine import free_port

pytestmark = pytest.mark.engine
QUESTION = "Tom has 3 red pens and 4 blue pens. How many pens does Tom have?"


async def ask(settings: Settings, endpoint: Endpoint) -> Answer:
    model = EngineModel([endpoint], retries=0, token_ids=True)
    try:
        async with open_committee(settings, model=model) as committee:
            return await committee.ask(QUESTION, mode="8")
    finally:
        await model.close()


def calls_of(settings: Settings, run: str) -> list[dict]:
    with Reader.open(settings.records) as reader:
        return [call for call in reader.show(run)["calls"] if call["slot"].startswith("branch:")]


def detokenize(endpoint: Endpoint, tokens: list[int]) -> str:
    found = httpx2.post(
        endpoint.base_url.removesuffix("/v1") + "/detokenize",
        json={"model": endpoint.model, "tokens": tokens},
        headers={"Authorization": f"Bearer {endpoint.api_key}"},
    )
    return found.raise_for_status().json()["prompt"]


async def test_eight_branches_on_a_real_engine(with_engine: Settings, engine: Endpoint):
    answer = await ask(with_engine, engine)
    calls = calls_of(with_engine, answer.run)

    assert answer.branches == len(calls) == 8
    assert len({call["request_digest"] for call in calls}) == 8
    assert all(call["status"] == "ok" and call["completion_tokens"] > 0 for call in calls)
    assert sum(call["cached_tokens"] for call in calls) > 0
    assert answer.tokens >= sum(call["prompt_tokens"] + call["completion_tokens"] for call in calls)
    for call in calls:
        choice = call["response"]["choices"][0]
        said = choice["message"]["content"]
        content = choice["logprobs"]["content"]
        assert len(choice["token_ids"]) == call["completion_tokens"]
        assert said.strip() in detokenize(engine, choice["token_ids"])
        assert "".join(token["token"] for token in content).strip().startswith(said.strip())  # then the end token
        assert all(token["logprob"] <= 0 for token in content)
        assert any(token["logprob"] < 0 for token in content)


async def test_without_the_engine_there_is_no_answer(tmp_path, engine: Endpoint):
    nobody = engine.model_copy(update={"base_url": f"http://127.0.0.1:{free_port()}/v1"})
    answer = await ask(read(home=tmp_path), nobody)
    assert (answer.status, answer.cause) == ("no_verdict", "infra")
    with pytest.raises(EngineUnreachable):
        await EngineModel([nobody], retries=0).check()
