"""Which answers are equal; every text has a normal form."""

from concurrent.futures import ThreadPoolExecutor

import cn2an
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.answers import Context, equal, own_keys, parse, probe_keys

SAME = [
    ("1,000", "1000"), ("1，000", "1 000"), ("１２３", "123"), ("007", "7"), ("+7", "7"), ("−7", "-7"),
    ("1e3", "1000"),
    ("3.0", "3"), ("$10.00", "10 dollars"), ("$10", "10"), ("US$10", "10 USD"), ("¥100", "100元"),
    ("3角5分", "0.35元"),
    ("$2M", "$2,000,000"), ("€1.5 million", "1500000 euros"), ("50%", "0.5"), ("50 percent", "百分之五十"),
    ("12.5％", "1/8"), ("1/2", "0.5"), (r"\frac{1}{2}", "0.5"), (r"\dfrac12", "1/2"), ("3 1/2", "3.5"),
    (r"3\frac{1}{2}", "7/2"), ("½", "0.5"), ("1/3", "0.33333"), ("0.30000000000000004", "0.3"),
    ("$7.78", r"$\frac{70}{9}$"), ("2^{10}", "1024"), ("2^10", "2**10"), (r"\sqrt{12}", r"2\sqrt{3}"), ("√4", "2"),
    (r"\pi/2", r"\frac{\pi}{2}"), ("90°", r"90^\circ"), ("3×10⁴", "30000"), (r"x^2+2x+1", r"(x+1)^2"),
    (r"\frac{a+1}{a-1}", r"(a+1)/(a-1)"), (r"\sin(2x)", r"2\sin x\cos x"), ("5!/2", "60"), ("x = 5", "5"),
    (r"f(x)=5", "5"), ("x >= 5", r"[5, \infty)"), ("5 <= x", r"x \geq 5"), ("-x > -1", "x < 1"),
    (r"x \in [1,2)", "[1, 2)"), ("y = 2x + 3", "2x+3"), ("2x + 2y = 4", "x + y = 2"), ("2:4", "1:2"), ("3比4", "3:4"),
    (r"1 \pm \sqrt{2}", r"1+\sqrt{2}, 1-\sqrt{2}"), ("(1, 2)", r"\left(1,2\right)"), ("{1, 2}", "{2, 1}"),
    (r"\{1, 2\}", "2, 1"), ("6 and 8", "8, 6"), ("[1, 2]", "[1,2]"), ('{"a": 1, "b": [2]}', "{'b': [2.0], 'a': 1}"),
    ("'abc'", "abc"), ("True", "yes"), ("是", "yes"), ("不对", "错误"), ("No, he lies.", "no"), ("No.", "否"),
    ("1 km", "1000 m"), ("2两", "100克"), ("3斤", "1.5千克"), ("1亩", "666.67平方米"), ("60 km/h", "60千米/小时"),
    ("5 feet 6 inches", "5.5 ft"), ("1.5 hours", "90 min"), ("一个半小时", "90分钟"), ("2 square meters", "2 m^2"),
    ("20 degrees Celsius", "68°F"), ("18个", "18"), ("5 apples", "5"), ("£3", "3 pounds"), ("3 lb", "3 pounds"),
    ("2024-05-01", "May 1, 2024"), ("2024年5月1日", "1 May 2024"), ("05/01/2024", "二零二四年五月一日"),
    ("民国113年", "2024年"), ("3:00 PM", "15:00"), ("下午3点", "15:00"), ("十点半", "10:30"),
    ("Monday", "星期一"), ("周日", "Sunday"),
    ("一百零五", "105"), ("1.5万", "15000"), ("三亿", "300000000"), ("三分之一", "1/3"),
    ("五又二分之一", "5.5"), ("两千", "2000"),
    ("负三点二", "-3.2"), ("贰拾叁", "23"), ("二零二四", "2024"), ("七五折", "75%"), ("三成", "30%"),
    ("第三", "3rd"), ("翻了一番", "增长到2倍"),
    ("two thirds", "2/3"), ("one hundred and five", "105"), ("half a million", "500000"), ("two dozen", "24"),
    ("a quarter", "0.25"), ("minus three point two", "-3.2"), ("twenty-first", "21"), ("3-5", "3 to 5"),
    ("The Eiffel Tower", "eiffel tower."), ("Paris!", "ｐａｒｉｓ"), ("(A)", "a"), ("]})", "] } )"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\left[\begin{array}{cc}1&2\\3&4\end{array}\right]"),
    ("Elvira will have €77 left", "77"), ("the number of rides is 60", "60"),
    (r"The area is \(5\pi\) square units", r"5\pi"),
]  # fmt: skip
DIFFERENT = [
    ("1000", "100"), ("1/3", "0.333"), ("3.14", r"\pi"), ("50%", "50"), ("5 percentage points", "5%"), ("$10", "€10"),
    ("10 kg", "10 g"), ("1000", "1 km"), ("-5%", "5%"), ("3 1/2", "31/2"), ("(1, 2)", "(2, 1)"), ("[1, 2]", "[2, 1]"),
    ("[1,2)", "[1,2]"), ("x < 1", "x > 1"), ("x + y = 2", "x + y = 3"), ("x+1", "y+1"), ("'ABC'", "'abc'"),
    ("'2'", "3"), ("3:00 AM", "15:00"), ("12:00 AM", "12:00"), ("Monday", "星期二"), ("2024-05-01", "2024-01-05"),
    ("二十三", "203"), ("1.5万", "150000"), ("2.5", "2.6"), ("True", "False"), ("yes", "no"), ("不是", "是"),
    (r"4", r"4\sqrt{2}"), ("A", "B"), ("Paris", "Rome"), ("1.0", "1.00001"), ("7", "AZYUK7A"), ("1, 2", "1, 3"),
    ("{'a': 1}", "{'a': 2}"), ("", "0"), ("$1.45 billion", "1450000001 dollars"), ("(1,2),(3,4)", "(1,2)"),
    ("增长100%", "增长200%"), ("10:20", "11:22"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SAME)
def test_equal(a: str, b: str) -> None:
    first, second = parse(a), parse(b)
    assert equal(first, second)
    assert equal(second, first)
    assert meet(a, b)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_not_equal(a: str, b: str) -> None:
    assert not equal(parse(a), parse(b))
    assert not equal(parse(b), parse(a))


def meet(a: str, b: str) -> bool:
    """The filing promise: one's own keys meet the other's own or probe keys."""
    first, second = parse(a), parse(b)
    own = set(own_keys(first)), set(own_keys(second))
    return bool(own[0] & own[1] or own[0] & set(probe_keys(second)) or own[1] & set(probe_keys(first)))


def test_the_question_says_whether_a_bare_number_is_a_percentage() -> None:
    asked = Context.of("What percentage of the class passed?")
    assert equal(parse("50", asked), parse("50%", asked))
    assert not equal(parse("0.5", asked), parse("50%", asked))


def test_the_question_says_whether_order_counts() -> None:
    asked = Context.of("Sort these numbers in ascending order: 3, 1, 2")
    assert not equal(parse("1, 2, 3", asked), parse("3, 2, 1", asked))
    assert equal(parse("1, 2, 3"), parse("3, 2, 1"))


def test_numbers_of_the_question_are_not_the_answer() -> None:
    asked = Context.of("How many minutes has she walked after 5 days of 40 hours?")
    assert equal(parse("She has walked for 200 minutes after 5 days", asked), parse("200", asked))
    assert parse("She has walked for 200 minutes after 5 days").kind == "text"


PIECES = [
    "1", "0.5", "12", ",", "/", "%", "\\frac{1}{2}", "^", "(", ")", "[", "]", "{", "}", "百分之", "三", "十", "万",
    "分之",     "=", "<", "\\pm", "\\pmA", " and ", "kg",
    "$", "'", '"', ":", "x", "-", "e", "!", "\\sqrt", "半", "年", "月", "日",
    "点", "第", " ",
]  # fmt: skip
TEXTS = st.text(max_size=40) | st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(TEXTS)
def test_any_text_has_a_normal_form_and_equals_itself(text: str) -> None:
    value = parse(text)
    assert equal(value, parse(text))
    hash(value.key)
    own_keys(value), probe_keys(value)


@given(TEXTS, TEXTS)
def test_equality_is_symmetric_and_filed(a: str, b: str) -> None:
    first, second = parse(a), parse(b)
    assert equal(first, second) == equal(second, first)
    if equal(first, second):
        assert meet(a, b)


@given(st.integers(-(10**12), 10**12))
def test_integers_in_many_forms(number: int) -> None:
    value = parse(str(number))
    for form in (
        f"{number:,}",
        f"{number}.0",
        f"${number}$",
        f"\\boxed{{{number}}}",
        f"**{number}**",
        f"Answer: {number}.",
    ):
        assert equal(value, parse(form)), form


@given(st.integers(0, 10**12 - 1))
def test_chinese_numerals(number: int) -> None:
    assert equal(parse(cn2an.an2cn(number)), parse(str(number)))
    assert equal(parse(cn2an.an2cn(number, "up")), parse(str(number)))


@given(st.integers(-999, 999), st.integers(1, 999))
def test_fractions_in_many_forms(above: int, below: int) -> None:
    value = parse(f"{above}/{below}")
    assert equal(value, parse(f"\\frac{{{above}}}{{{below}}}"))
    assert equal(value, parse(f"{above / below:.15g}"))
    assert not equal(value, parse(f"{above}/{below}+1"))


@given(st.decimals(-(10**6), 10**6, places=2), st.decimals(-(10**6), 10**6, places=2))
def test_short_decimals_are_equal_only_when_they_are(a: object, b: object) -> None:
    assert equal(parse(str(a)), parse(str(b))) == (a == b)


@pytest.mark.parametrize(
    "atom",
    [
        "(",
        "[",
        "1,",
        "\\frac",
        "9^9^",
        "!",
        "-",
        "and ",
        "一",
        "万",
        "\\(",
        "$",
        "'",
        "a=",
        "\\pm",
        "1-",
        "\\cup",
        "thousand ",
    ],
)
def test_long_hostile_answers_end_in_any_thread(atom: str) -> None:
    with ThreadPoolExecutor(1) as pool:
        for size in (300, 1_999, 50_000):
            text = atom * (size // len(atom))
            assert equal(*pool.map(parse, [text, text]))


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ('[{"item":"x","quantity":30}]', '[{"item": "x", "quantity": 30}]', True),
        ("{12:30, 12:45}", "{12:45, 12:30}", True),
        ("B, D", "D, B", True),
        ("B和D", "D、B", True),
        ("A and C", "C, A", True),
        ("A, C", "A, B", False),
        ("Ann, Bob", "Bob, Ann", False),
    ],
)
def test_keys_of_quoted_pairs_and_sets_of_capitals(one: str, other: str, wanted: bool) -> None:
    assert equal(parse(one), parse(other)) is wanted
