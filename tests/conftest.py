"""Options that all tests share."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-expected`."""
    parser.addoption(
        "--update-expected",
        action="store_true",
        help="write what comes out as what is expected; read the diff before you commit it",
    )


@pytest.fixture
def update_expected(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be written anew."""
    return bool(request.config.getoption("--update-expected"))
