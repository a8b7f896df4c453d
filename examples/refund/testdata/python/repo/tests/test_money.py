import pytest

from shop.money import cents, shown


@pytest.mark.parametrize("text, amount", [("12.50", 1250), ("3", 300), ("0.5", 50)])
def test_cents(text, amount):
    assert cents(text) == amount


def test_shown():
    assert shown(1250) == "12.50"
