import pytest

from shop.backoffice import BackOffice, Denied


@pytest.fixture
def office(service):
    return BackOffice(service, {"ann"})


def test_refund_from_the_back_office(office):
    request = {"order": "A-1", "key": "k-1", "by": "ann"}
    assert office.handle("refund", request) == "refunded 50.00 of A-1"


def test_only_staff_may_refund(office):
    with pytest.raises(Denied):
        office.handle("refund", {"order": "A-1", "key": "k-1", "by": "bob"})


def test_history(office):
    office.handle("refund", {"order": "A-1", "key": "k-1", "by": "ann"})
    assert office.handle("history", {"order": "A-1"}) == "refund"
