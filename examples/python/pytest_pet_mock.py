"""A pytest plugin for pet-mock. Each test that uses the fixture `pet_mock` has a sandbox of its own.

Copy this file beside your conftest.py, add `pytest_plugins = ["pytest_pet_mock"]` there, and run

    npx pet-mock exec -- pytest
"""

from __future__ import annotations

import json
import os
import re
import urllib.error
import urllib.request
import uuid
from datetime import datetime
from typing import Any, Callable, Dict, Iterator, List
from urllib.parse import quote, urlencode

import pytest

Object = Dict[str, Any]
Objects = List[Object]

HOW_TO_RUN = """\
PET_MOCK_URL is not set. Let pet-mock run your tests:
    npx pet-mock exec -- pytest
Or start `npx pet-mock` in another terminal, and run them with its URL:
    PET_MOCK_URL=http://127.0.0.1:7387/v1 pytest"""

FAIL_ON = {"never": [], "error": ["error"], "warning": ["error", "warning"]}

# pet-mock is on this machine, where a proxy does not lead.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class PetMockError(Exception):
    """pet-mock refused a command. The message says why."""


class _Part:
    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call


class Clock(_Part):
    def now(self) -> datetime:
        return datetime.fromisoformat(self._call("GET", "clock")["at"].replace("Z", "+00:00"))

    def advance(self, by: str) -> None:
        """Moves the clock forward by a duration, such as "60s" or "1h30m"."""
        self._call("POST", "clock/advance", {"by": by})

    def freeze(self) -> None:
        self._call("POST", "clock/freeze")


class Rules(_Part):
    def add(self, **rule: Any) -> str:
        """Adds a rule before all others, and returns its name. docs/scenarios.md has the fields."""
        return self._call("POST", "rules", rule)["name"]

    def delete(self, name: str) -> None:
        self._call("DELETE", f"rules/{quote(name, safe='')}")


class Pets(_Part):
    def list(self, **filters: Any) -> Objects:
        return self._call("GET", "pets", **filters)["pets"]

    def add(self, **pet: Any) -> Object:
        return self._call("POST", "pets", pet)

    def delete(self, pet_id: int) -> None:
        self._call("DELETE", f"pets/{pet_id}")


class Requests(_Part):
    def list(self, **filters: Any) -> Objects:
        """The requests of this test, the newest last. docs/admin.md has the filters, such as status=429."""
        return self._call("GET", "requests", **filters)["requests"]

    def explain(self, request: Object) -> List[str]:
        """Why this request got its response, in sentences."""
        return self._call("GET", f"requests/{request['id']}")["explanation"]["sentences"]

    def format(self) -> str:
        """A line for each request, and below a refusal or a fault its reason."""
        lines = []
        for request in self.list(view="rows"):
            known = [request[name] for name in ("method", "target", "status", "code", "fault")]
            lines.append(f"#{request['id']} " + " ".join(str(value) for value in known if value is not None))
            if request["code"] or request["fault"]:
                # The first sentence repeats the line.
                lines += [f"    {sentence}" for sentence in self.explain(request)[1:]]
        return "\n".join(lines) or "No request came with the key of this test: let your client send it."


class Conduct(_Part):
    def findings(self) -> Objects:
        """What the client did wrong, the worst first."""
        return self._call("GET", "conduct")["findings"]

    def expect(self, finding: str) -> None:
        """From now on, this finding fails nothing. If it does not appear, that is a finding."""
        self._call("POST", "conduct/expected", {"id": finding})


class PetMock:
    """A sandbox of the server at PET_MOCK_URL: its own pets, counts, bans, clock, rules and requests."""

    def __init__(self, name: str) -> None:
        if "PET_MOCK_URL" not in os.environ:
            pytest.fail(HOW_TO_RUN, pytrace=False)
        self.url = os.environ["PET_MOCK_URL"]
        self.sandbox = f"{re.sub('[^a-z0-9]+', '-', name.lower())[:40].strip('-')}-{uuid.uuid4().hex[:8]}"
        self.clock, self.rules, self.pets = Clock(self.call), Rules(self.call), Pets(self.call)
        self.requests, self.conduct = Requests(self.call), Conduct(self.call)
        self._plain_key = os.environ.get("PET_MOCK_KEY", "")

    def __enter__(self) -> PetMock:
        self.call("POST", "reset")  # The first change that names a sandbox creates it.
        self._plain_key = self._plain_key or self.call("GET", "scenario")["key"]
        return self

    def __exit__(self, *_: object) -> None:
        self.call("DELETE", "sandboxes")

    @property
    def key(self) -> str:
        """The API key. Its suffix selects this sandbox."""
        return f"{self._plain_key}+{self.sandbox}"

    def use(self, scenario: str | Object) -> None:
        """Restarts the sandbox with a shipped scenario, or with one of your own."""
        self._plain_key = self.call("PUT", "scenario", {"scenario": scenario})["key"]

    def ban(self, duration: str) -> None:
        self.call("POST", f"keys/{quote(self._plain_key, safe='')}/ban", {"for": duration})

    def call(self, method: str, path: str, body: Object | None = None, **query: Any) -> Any:
        """Sends any command of the admin plane to this sandbox. /__admin/docs lists them all."""
        admin = os.environ.get("PET_MOCK_ADMIN") or re.sub("/v1/?$", "/__admin", self.url)
        url = f"{admin}/{path}?{urlencode({**query, 'sandbox': self.sandbox})}"
        data = None if method == "GET" else json.dumps(body or {}).encode()
        headers = {"Content-Type": "application/json"}
        if token := os.environ.get("PET_MOCK_ADMIN_TOKEN"):
            headers["Authorization"] = f"Bearer {token}"
        try:
            with _open(urllib.request.Request(url, data, headers, method=method), timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                message = json.loads(text)["message"]
            except (KeyError, TypeError, ValueError):
                message = f"{error.code}: {text[:200]}"
            raise PetMockError(message) from None


@pytest.fixture
def pet_mock(request: pytest.FixtureRequest) -> Iterator[PetMock]:
    with PetMock(request.node.name) as mock:
        for marker in request.node.iter_markers("pet_mock"):
            mock.use(*marker.args)
            break
        yield mock
        severities = FAIL_ON[request.config.getoption("pet_mock_fail_on")]
        findings = [each for each in mock.conduct.findings() if each["severity"] in severities]
        lines = [f"{each['id']}: {each['title']}" for each in findings if not each.get("expected")]
        if lines:
            pytest.fail("\n".join([*lines, mock.requests.format()]), pytrace=False)


@pytest.fixture
def pet_mock_key(pet_mock: PetMock) -> str:
    return pet_mock.key


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "which findings about its client fail a test: none (the default), errors, or also warnings"
    parser.getgroup("pet-mock").addoption("--pet-mock-fail-on", choices=FAIL_ON, default="never", help=text)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "pet_mock(scenario): start the sandbox of this test with a scenario")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    report = (yield).get_result()
    mock = getattr(item, "funcargs", {}).get("pet_mock")
    if call.when == "call" and report.failed and mock is not None:
        try:
            text = mock.requests.format()
        except (OSError, PetMockError) as error:
            text = f"The requests are not known: {error}"
        report.sections.append(("pet-mock: requests of this test", text))
