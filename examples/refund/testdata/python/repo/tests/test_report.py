from shop.report import line, tax


def test_tax():
    assert tax(11900) == 1900


def test_line_of_last_year():
    assert line(11600) == "116.00 holds 16.00 tax"
