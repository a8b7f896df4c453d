import pytest

from shop.audit import Audit
from shop.order import Order, Orders, Status
from shop.payment import CardGateway
from shop.refund import RefundService


@pytest.fixture
def orders() -> Orders:
    all_orders = Orders()
    all_orders.add(Order("A-1", 5000, Status.PAID))
    all_orders.add(Order("A-2", 1200, Status.SHIPPED))
    return all_orders


@pytest.fixture
def service(orders: Orders) -> RefundService:
    return RefundService(orders, CardGateway(), Audit())
