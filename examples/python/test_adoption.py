"""Ten things that a test does with pet-mock."""

import pytest
from pytest_pet_mock import PetMock, PetMockError


def test_start_gives_each_test_its_own_sandbox(pet_mock, client):
    assert pet_mock.requests.list() == []
    assert client.get(f"{pet_mock.url}/pets").status_code == 200


def test_list_returns_a_page_of_pets(pet_mock, client):
    response = client.get(f"{pet_mock.url}/pets", params={"limit": 2})
    assert [pet["name"] for pet in response.json()] == ["Biscuit", "Mrs. Whiskers"]
    assert "next" in response.links


@pytest.mark.pet_mock("rate-limit-exhaustion")
def test_429_says_how_long_to_wait(pet_mock, client):
    pet_mock.clock.freeze()
    responses = [client.get(f"{pet_mock.url}/pets") for _ in range(4)]
    assert [response.status_code for response in responses] == [200, 200, 200, 429]
    assert responses[-1].headers["Retry-After"] == "60"


@pytest.mark.pet_mock("rate-limit-exhaustion")
def test_wait_moves_the_clock(pet_mock, client):
    while (response := client.get(f"{pet_mock.url}/pets")).status_code == 200:
        pass
    pet_mock.clock.advance(f"{response.headers['Retry-After']}s")
    assert client.get(f"{pet_mock.url}/pets").status_code == 200


def test_ban_refuses_the_key_until_it_ends(pet_mock, client):
    pet_mock.ban("5m")
    assert client.get(f"{pet_mock.url}/pets").json()["code"] == "api_key_banned"
    pet_mock.clock.advance("5m")
    assert client.get(f"{pet_mock.url}/pets").status_code == 200


def test_create_adds_a_pet(pet_mock, client):
    response = client.post(f"{pet_mock.url}/pets", json={"name": "Rex", "categoryId": 1})
    assert response.status_code == 201
    assert pet_mock.pets.list(after=100)[0]["name"] == "Rex"


def test_fault_fails_one_call(pet_mock, client):
    pet_mock.rules.add(match={"operation": "listPets"}, then={"status": 503}, times=1)
    assert client.get(f"{pet_mock.url}/pets").status_code == 503
    pet_mock.clock.advance("30s")
    assert client.get(f"{pet_mock.url}/pets").status_code == 200


def test_explain_says_why_a_call_was_refused(pet_mock, client):
    client.get(f"{pet_mock.url}/pets", params={"limit": "many"})
    [refused] = pet_mock.requests.list(status=400)
    reason = "Wrong limit: expected a whole number from 1 to 100, found many."
    assert reason in pet_mock.requests.explain(refused)


@pytest.mark.pet_mock("rate-limit-exhaustion")
def test_conduct_finds_a_retry_that_comes_too_early(pet_mock, client):
    pet_mock.conduct.expect("early-retry")
    for _ in range(7):
        client.get(f"{pet_mock.url}/pets")
    assert "early-retry" in [finding["id"] for finding in pet_mock.conduct.findings()]


def test_stop_deletes_the_sandbox():
    with PetMock("stopped") as mock:
        mock.pets.delete(1)
    with pytest.raises(PetMockError, match="no sandbox"):
        mock.clock.now()
