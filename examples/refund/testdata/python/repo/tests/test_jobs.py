from shop.jobs import refund_all, run


def test_nightly_job_refunds(service):
    assert [done.amount for done in run("stale", service, ["A-1", "A-2"])] == [5000, 1200]


def test_refund_all(service):
    assert refund_all(service, ["A-1", "A-2"]) == 6200
