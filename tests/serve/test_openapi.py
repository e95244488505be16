"""Every route is told of in OpenAPI, with its problems and an example that works."""

from __future__ import annotations

from typing import Any

from serve.running import Here


def described(served: Here) -> Any:
    return served.client.get("/openapi.json").json()


def test_every_operation_is_documented(served: Here) -> None:
    told = described(served)
    assert set(told["paths"]) == {"/v1/score", "/v1/explain", "/v1/parse", "/v1/metrics", "/healthz"}
    for operations in told["paths"].values():
        for operation in operations.values():
            assert operation["summary"]
            assert operation["description"]
            for status, answer in operation["responses"].items():
                kind = "application/json" if status == "200" else "application/problem+json"
                assert list(answer["content"]) == [kind]


def test_every_example_is_answered(served: Here) -> None:
    for path, operations in described(served)["paths"].items():
        for operation in operations.values():
            if "requestBody" in operation:
                for example in operation["requestBody"]["content"]["application/json"]["examples"].values():
                    assert served.client.post(path, json=example["value"]).status_code == 200


def test_the_page_is_there(served: Here) -> None:
    page = served.client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert '<script type="module" src="/page.js"></script>' in page.text
    assert "style=" not in page.text
    script = served.client.get("/page.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "drawExplanation" in script.text
    assert "innerHTML" not in script.text
    assert "--accent" in served.client.get("/page.css").text
