import pytest
import requests

pytest_plugins = ["pytest_pet_mock"]


@pytest.fixture
def client(pet_mock_key):
    """Stands for your client: give it the URL and the key of the test."""
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {pet_mock_key}"
        yield session
