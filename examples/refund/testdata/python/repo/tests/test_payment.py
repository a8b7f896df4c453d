import pytest

from shop.order import Order
from shop.payment import CardGateway, VoucherGateway


@pytest.mark.parametrize("gateway", [CardGateway, VoucherGateway])
def test_same_key_pays_once(gateway):
    one = gateway()
    order = Order("A-1", 5000)
    assert one.refund(order, "k-1") is one.refund(order, "k-1")
    assert one.refund(order, "k-1").amount == 5000
