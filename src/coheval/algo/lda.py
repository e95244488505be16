"""Latent Dirichlet allocation by online variational Bayes.

A document's words come from topics in proportions θ_d ~ Dirichlet(α), a topic's words from β_k ~ Dirichlet(η). With
q(θ_d) = Dirichlet(γ_d) and q(β_k) = Dirichlet(λ_k), a batch is read by repeating, for each document until its γ rests,

    φ_dwk ∝ exp(E[log θ_dk] + E[log β_kw]),   γ_dk = α + Σ_w n_dw φ_dwk

and then moves λ towards what the batch would say if it were the whole corpus, D documents of which it has |B|:

    λ ← (1 - ρ_t) λ + ρ_t (η + D/|B| Σ_{d in B} n_dw φ_dwk),   ρ_t = (τ + t)^-κ

α = η = 1/K. Hoffman, Blei, Bach (2010), Online Learning for Latent Dirichlet Allocation.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import psi

Array = NDArray[np.float64]

_BATCH = 1_024  # documents
_TAU, _KAPPA = 10.0, 0.7  # how slowly old batches are forgotten
_STEPS = 100  # for a document, at most
_RESTS = 1e-3  # mean change of a document's γ after which it is done
_TINY = 1e-100  # instead of a zero below the line


def topics(counts: sp.csr_array, count: int, rng: np.random.Generator, *, passes: int = 5) -> Array:
    """λ [K, V] of documents' word counts [D, V]; β is each row beside its sum."""
    documents, words = counts.shape
    weights = rng.gamma(100.0, 0.01, (count, words))  # [K, V]
    step = 0
    for _ in range(passes):
        order = rng.permutation(documents)
        for start in range(0, documents, _BATCH):
            batch = counts[order[start : start + _BATCH]]
            likely = _likely(weights)
            _, used = _read(batch, likely, 1 / count)
            whole = 1 / count + documents / batch.shape[0] * used
            rate = (_TAU + step) ** -_KAPPA
            weights = (1 - rate) * weights + rate * whole
            step += 1
    return weights


def proportions(counts: sp.csr_array, weights: Array) -> Array:
    """E[θ] [D, K] of documents, given λ [K, V]; without any word all topics are as likely."""
    likely = _likely(weights)
    starts = range(0, counts.shape[0], _BATCH)
    gamma = np.concatenate([_read(counts[n : n + _BATCH], likely, 1 / len(weights))[0] for n in starts])
    shares: Array = gamma / gamma.sum(axis=1, keepdims=True)
    return shares


def _likely(weights: Array) -> Array:
    """exp(E[log β]) as [V, K], so that a word's row is at hand."""
    return np.ascontiguousarray(_expected(weights).T)


def _expected(parameters: Array) -> Array:
    """exp(E[log x]) of the Dirichlet distribution of each row."""
    expected: Array = np.exp(psi(parameters) - psi(parameters.sum(axis=1, keepdims=True)))
    return expected


def _read(batch: sp.csr_array, likely: Array, alpha: float) -> tuple[Array, Array]:
    """γ [B, K] of a batch, and Σ n φ [K, V]. Each document rests by itself, so that its γ depends on no other."""
    gamma = np.ones((batch.shape[0], likely.shape[1]))
    moving = np.arange(batch.shape[0])
    for _ in range(_STEPS):
        if not len(moving):
            break
        theta = _expected(gamma[moving])
        new = alpha + theta * (_shares(batch[moving], theta, likely) @ likely)
        change = np.abs(new - gamma[moving]).mean(axis=1)
        gamma[moving] = new
        moving = moving[change >= _RESTS]
    theta = _expected(gamma)
    used = (_shares(batch, theta, likely).T @ theta).T * likely.T
    return gamma, used


def _shares(batch: sp.csr_array, theta: Array, likely: Array) -> sp.csr_array:
    """[B, V] each count beside the sum of what its φ are proportional to."""
    row = np.repeat(np.arange(batch.shape[0]), np.diff(batch.indptr))  # [n] the document of each entry
    norm = np.einsum("nk,nk->n", theta[row], likely[batch.indices]) + _TINY
    return sp.csr_array((batch.data / norm, batch.indices, batch.indptr), shape=batch.shape)
