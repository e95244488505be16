"""The service does what its OpenAPI says: schemathesis asks, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from serve.running import Here, here
from starlette.testclient import TestClient


@pytest.fixture(scope="module")
def asked() -> Iterator[Here]:
    with here(metrics=("chrf", "rc"), body=20_000) as running:
        yield running


@pytest.fixture
def described(asked: Here) -> Any:
    return schemathesis.openapi.from_asgi("/openapi.json", asked.client.app)


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_service_does_what_it_says(case: Any) -> None:
    case.call_and_validate()


def test_every_operation_is_documented(asked: Here) -> None:
    told = TestClient(asked.client.app).get("/openapi.json", headers={"host": "localhost"}).json()
    assert set(told["paths"]) == {"/v1/score", "/v1/explain", "/v1/parse", "/v1/metrics", "/healthz"}
    for operations in told["paths"].values():
        for operation in operations.values():
            assert operation["summary"]
            assert operation["description"]
            for status, answer in operation["responses"].items():
                kind = "application/json" if status == "200" else "application/problem+json"
                assert list(answer["content"]) == [kind]
    for name in ("score", "explain", "parse"):
        assert told["paths"][f"/v1/{name}"]["post"]["requestBody"]["content"]["application/json"]["examples"]
