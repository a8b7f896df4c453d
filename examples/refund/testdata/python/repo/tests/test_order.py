import pytest

from shop.order import InvalidTransition, Order, Status


def test_paid_order_ships():
    order = Order("A-1", 5000, Status.PAID)
    order.move(Status.SHIPPED)
    assert order.status is Status.SHIPPED


def test_cancelled_order_stays_cancelled():
    order = Order("A-1", 5000, Status.CANCELLED)
    with pytest.raises(InvalidTransition):
        order.move(Status.PAID)
