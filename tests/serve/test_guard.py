"""Keys, names, headers, and what the log says."""

from __future__ import annotations

from typing import Any

import pytest

from coheval.errors import UsageError
from coheval.serve.server import check_key
from serve.running import Here, here

KEY = "k" * 24
BODY = {"candidates": ["It rained."], "references": ["Rain fell."], "metrics": ["chrf"]}


@pytest.fixture(scope="module")
def locked() -> Any:
    with here(metrics=("chrf",), key=KEY) as running:
        yield running


@pytest.mark.parametrize("given", [None, "", KEY, f"Basic {KEY}", f"Bearer {KEY}x", f"Bearer {KEY[:-1]}", "Bearer ü"])
def test_without_the_key_nothing_is_told(locked: Here, given: str | None) -> None:
    headers = {} if given is None else {"authorization": given.encode()}
    for answer in (
        locked.client.post("/v1/score", json=BODY, headers=headers),
        locked.client.get("/v1/metrics", headers=headers),
        locked.client.get("/v1/nothing", headers=headers),
    ):
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["content-type"] == "application/problem+json"


def test_with_the_key(locked: Here) -> None:
    headers = {"authorization": f"Bearer {KEY}"}
    assert locked.client.post("/v1/score", json=BODY, headers=headers).status_code == 200
    assert locked.client.get("/v1/metrics", headers=headers).status_code == 200
    assert locked.client.get("/healthz").status_code == 200
    assert "security" in locked.client.get("/openapi.json").json()["paths"]["/v1/score"]["post"]


def test_beyond_this_machine_a_key_is_needed() -> None:
    for host in ("127.0.0.1", "::1", "localhost", "127.8.9.1"):
        check_key(None, host)
    for host in ("0.0.0.0", "::", "192.168.0.7", "example.org", ""):
        check_key(KEY, host)
        with pytest.raises(UsageError, match="needs an API key"):
            check_key(None, host)
    for weak in ("", "short", "k" * 20 + "\n", "k k" * 20, "ü" * 20):
        with pytest.raises(UsageError, match="at least 16 printable characters"):
            check_key(weak, "127.0.0.1")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("localhost.:80", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("[::1]", 200),
        ("192.168.0.7", 200),
        ("Testserver", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost@evil.example", 421),
        ("", 421),
        ("[", 421),
        (":8000", 421),
    ],
)
def test_only_known_names(served: Here, host: str, status: int) -> None:
    assert served.client.get("/healthz", headers={"host": host}).status_code == status


def test_every_answer_has_the_headers(served: Here) -> None:
    answers = [served.client.get(path) for path in ("/", "/healthz", "/openapi.json", "/nothing", "/v1/metrics")]
    answers += [
        served.score(**BODY),
        served.client.post("/v1/score"),
        served.client.get("/", headers={"host": "evil.example"}),
    ]
    for answer in answers:
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers


def test_the_log_has_no_text_of_users(served: Here) -> None:
    served.log.clear()
    served.score(**BODY)
    served.client.get("/v1/<script>%0asecret?secret")
    served.client.request("SECRET", "/healthz")
    assert len(served.log) == 3
    assert served.log[0].startswith("POST /v1/score 200 ")
    assert served.log[1].startswith("GET (another path) 404 ")
    assert served.log[2].startswith("(another method) /healthz 405 ")


def test_metrics_are_told(served: Here) -> None:
    told = served.client.get("/v1/metrics").json()
    assert told["defaults"] == ["moverscore"]
    chrf = next(one for one in told["metrics"] if one["metric"] == "chrf")
    assert chrf["needs"] == ["references"]
    assert chrf["range"] == [0.0, 100.0]
    assert chrf["higher_is_better"]
    assert told["limits"]["characters"] == served.service.settings.characters
