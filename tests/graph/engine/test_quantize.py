"""The part of int8 that needs no torch; the numbers are proved by serving the prepared model."""

from __future__ import annotations

from graph.engine import quantize


def test_projections_become_int8_and_nothing_else() -> None:
    assert quantize.is_linear("model.layers.0.self_attn.q_proj.weight")
    assert quantize.is_linear("model.layers.0.mlp.down_proj.weight")
    for name in ("lm_head.weight", "model.embed_tokens.weight", "model.norm.weight", "a.q_proj.bias"):
        assert not quantize.is_linear(name)
        assert list(quantize.quantize(name, None)) == [(name, None)]


def test_the_configuration_says_so() -> None:
    before = {"model_type": "qwen2"}
    after = quantize.mark(before)
    group = after["quantization_config"]["config_groups"]["group_0"]
    assert after["model_type"] == "qwen2"
    assert "quantization_config" not in before
    assert (group["weights"]["strategy"], group["weights"]["dynamic"]) == ("channel", False)
    assert (group["input_activations"]["strategy"], group["input_activations"]["dynamic"]) == ("token", True)
    assert after["quantization_config"]["ignore"] == ["lm_head"]
