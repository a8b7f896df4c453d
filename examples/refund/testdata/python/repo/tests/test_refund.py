import pytest

from shop.order import Status
from shop.refund import NotRefundable


def test_paid_order_is_paid_back(service, orders):
    done = service.refund("A-1", "k-1", "ann")
    assert done.amount == 5000
    assert orders.get("A-1").status is Status.REFUNDED


def test_refund_leaves_a_record(service):
    service.refund("A-1", "k-1", "ann")
    assert service.audit.about("A-1") == [("ann", "refund", "A-1")]


def test_refunded_order_is_not_paid_back_again(service):
    service.refund("A-1", "k-1", "ann")
    with pytest.raises(NotRefundable):
        service.refund("A-1", "k-2", "ann")
