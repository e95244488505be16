"""A feed-forward network against torch, activation by activation."""

from __future__ import annotations

import numpy as np
import pytest

from coheval.algo.feedforward import ACTIVATIONS, FeedForward

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.xdist_group("encoders")


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_as_torch_does(name: str) -> None:
    torch.manual_seed(2)
    activation = getattr(torch.nn, name)
    network = torch.nn.Sequential(torch.nn.Linear(5, 4), activation(), torch.nn.Linear(4, 3), activation())
    x = 3 * torch.randn(5)
    layers = [(network[i].weight.detach().numpy(), network[i].bias.detach().numpy()) for i in (0, 2)]
    with torch.no_grad():
        assert FeedForward(layers, name, name)(x.numpy()) == pytest.approx(network(x).numpy(), abs=1e-6)
        assert FeedForward(layers, name)(x.numpy()) == pytest.approx(network[:3](x).numpy(), abs=1e-6)
    assert np.isfinite(ACTIVATIONS[name](np.array([-200, 200], dtype=np.float32))).all()
