"""Statements in both languages: what follows is said, what is open is said to be open, and what is not read is not."""

from __future__ import annotations

import pytest

from nodes.answers import equal, parse
from nodes.contracts import Language
from nodes.logic import solve
from nodes.logic.statements import Case, Reading, united
from nodes.logic.syntax import parse as formula

MEETING = "只有张三或李四去开会，王五才会去。如果王五去了，那么谁一定在？"
OPEN_EN, OPEN_ZH = "Cannot be determined", "无法确定"
ENGLISH: list[tuple[str, str | None]] = [
    ("If it rains, the street gets wet. The street is wet. Is it raining?", OPEN_EN),
    ("If it rains, the street gets wet. The street is wet. Is it raining? Answer yes or no.", None),
    ("If it rains, the street gets wet. The street is wet. Does it follow that it rains? Answer yes or no.", "no"),
    ("If it rains, the street gets wet. The street is wet. Does it follow that it rains?", "No"),
    ("If John studies, he passes. John does not pass. Did John study?", "No"),
    ("John will pass if he studies. John studied. Will John pass?", "Yes"),
    ("John will pass only if he studies. John studied. Will John pass?", OPEN_EN),
    ("Only members may vote. Ann may vote. Is Ann a member?", "Yes"),
    ("All birds can fly. Tweety cannot fly. Is Tweety a bird?", "No"),
    ("Some birds can fly. Tweety is a bird. Can Tweety fly?", OPEN_EN),
    ("Not all students passed. Tom is a student. Did Tom pass?", OPEN_EN),
    ("None of the students passed. Tom is a student. Did Tom pass?", "No"),
    ("Every student who studied passed. Tom is a student. Tom studied. Did Tom pass?", "Yes"),
    ("Neither Ann nor Ben has a car. Does Ann have a car?", "No"),
    ("Ann or Ben has a car, but not both. Ann has a car. Does Ben have a car?", "No"),
    ("Either Ann or Ben has a car. Ann does not have a car. Does Ben have a car?", "Yes"),
    ("Either Ann or Ben has a car. Ann has a car. Does Ben have a car?", None),
    ("At least two of Ann, Ben and Cy passed. Ann did not pass. Did Cy pass?", "Yes"),
    ("If Kim or Lee comes, Max will leave. Max did not leave. Did Kim come?", "No"),
    ("It is not the case that Kim or Lee came. Did Lee come?", "No"),
    ("The store is closed if the manager is ill or the power is out. The power is out. Is the store closed?", "Yes"),
    ("The cars move if and only if the light is green. The cars do not move. Is the light green?", "No"),
    ("Whoever is a doctor is rich. Mia is not rich. Is Mia a doctor?", "No"),
    ("If an object is red, then it is warm. The lamp is red. Is the lamp warm?", "Yes"),
    ("Mia is Greek. All Greeks are human. No humans are fish. Is Mia a fish?", "No"),
    ("Most birds can fly. Tweety is a bird. Can Tweety fly?", None),
    ("Nobody but Kim came. Did Lee come?", None),
    ("All except Tom passed. Did Tom pass?", None),
    ("Bob is a former teacher. All teachers are patient. Is Bob patient?", None),
    ("If Kim had come, Lee would have come. Kim did not come. Did Lee come?", None),
    ("Paris is the capital of France. Is Paris in Europe?", None),
    ("Tom is Bob's father. Bob is Sam's father. Is Tom Sam's father?", None),
    (
        "All humans are mortal. All Greeks are humans. Does it follow that some Greeks are mortal? Answer yes or no.",
        None,
    ),
]
CHINESE: list[tuple[str, str | None]] = [
    ("如果下雨，地就湿。地湿了。下雨了吗？", OPEN_ZH),
    ("只要下雨，地就湿。地没有湿。下雨了吗？", "否"),
    ("只有下雨，地才湿。地湿了。下雨了吗？", "是"),
    ("只有下雨，地才湿。下雨了。地湿了吗？", OPEN_ZH),
    ("只要努力，就能成功。小明没有成功。小明努力了吗？", "否"),
    ("当且仅当下雨，小张才带伞。小张没带伞。今天下雨了吗？", "否"),
    ("要么小明来，要么小红来。小明来了。小红来了吗？", "否"),
    ("小明或小红会来。小明来了。小红来了吗？", OPEN_ZH),
    ("小明和小红都不来。小红来吗？", "否"),
    ("所有金属都导电。铜是金属。铜导电吗？", "是"),
    ("不是所有学生都及格了。小明是学生。小明及格了吗？", OPEN_ZH),
    ("所有学生都没有及格。小明是学生。小明及格了吗？", "否"),
    ("有些学生喜欢音乐。小明是学生。小明喜欢音乐吗？", OPEN_ZH),
    ("有的学生是党员。所有党员都写过申请书。有的学生写过申请书，这个结论正确吗？", "是"),
    ("甲、乙、丙三人中至多有一人获奖。甲获奖了。乙获奖了吗？", "否"),
    ("甲、乙、丙三人中至少有两人通过了考试。甲没有通过考试。乙通过考试了吗？", "是"),
    ("如果小王参加比赛，小李就参加比赛。小王参加了比赛。谁一定参加了比赛？", "小李"),
    ("只有小明和小红都同意，计划才会通过。计划通过了。小红同意了吗？", "是"),
    ("只有张三去，李四才去；只有李四去，王五才去。王五去了。张三去了吗？", "是"),
    ("张三和李四至少有一人去。如果张三去，王五就去。如果李四去，王五也去。王五去吗？", "是"),
    ("没有鸟是哺乳动物。所有蝙蝠都是哺乳动物。结论：没有蝙蝠是鸟。\n结论是正确、错误还是不确定？", "正确"),
    ("如果明天下雨，运动会就取消。运动会没有取消。由此能推出明天没有下雨吗？", "是"),
    ("大多数学生及格了。小明是学生。小明及格了吗？", None),
    ("除了小明，大家都来了。小红来了吗？", None),
    ("小明有5个苹果，小红比小明多3个。小红有苹果吗？", None),
]


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [(one, "en", answer) for one, answer in ENGLISH] + [(one, "zh", answer) for one, answer in CHINESE],
)
def test_answers(question: str, language: Language, expected: str | None) -> None:
    solved = solve(question, language)
    assert (solved and solved.answer) == expected


def test_one_of_the_two_is_there_but_not_known_which() -> None:
    solved = solve(MEETING, "zh")
    assert solved is not None
    assert (solved.status, solved.open_among) == ("unknown", ("张三", "李四"))
    assert solved.answer == "张三和李四中至少有一人，但不能确定是哪一个"
    english = solve("Wendy comes only if Zack or Lena comes. Wendy comes. Who must come?", "en")
    assert english is not None
    assert english.open_among == ("Zack", "Lena")
    assert english.answer == "At least one of them, Zack or Lena, but it is not certain which"


def test_facts_name_quantifiers_and_what_is_negated() -> None:
    solved = solve(
        "No poet is a banker. Some teachers are poets.\nConclusion: Some teachers are not bankers.\nIs "
        "the conclusion true, false or uncertain?",
        "en",
    )
    assert solved is not None
    assert equal(parse(solved.answer), parse("true"))
    assert solved.quantifiers == ("all x: (poet(x) -> not banker(x))", "some x: (teacher(x) and poet(x))")
    assert solved.negations == ("banker(x)",)


@pytest.mark.parametrize(
    ("conclusion", "answer"),
    [
        ("Therefore, no owner of a boat is a member of the choir.", "valid"),
        ("Therefore, every resident of Ardal is a member of the choir.", "invalid"),
        ("So, necessarily, being a member of the choir is sufficient for not being an owner of a boat.", "valid"),
        ("Hence, whoever is neither an owner of a boat nor a resident of Ardal is not a member of the choir.", "valid"),
        ("We may conclude that some member of the choir is not an owner of a boat.", "invalid"),
        ("Surely nobody sings.", None),
    ],
)
def test_validity(conclusion: str, answer: str | None) -> None:
    argument = (
        '"Here comes a perfectly valid argument: First, every member of the choir is a resident of Ardal. Second, no '
        f'resident of Ardal is an owner of a boat. {conclusion}"\nIs the argument, given the stated premises, '
        "deductively valid or invalid?\nOptions:\n- valid\n- invalid"
    )
    solved = solve(argument, "en")
    assert (solved and solved.answer) == answer


def test_a_hidden_premise_is_the_option_that_is_missing() -> None:
    question = (
        '"Rex is a dog, so Rex barks." Which unstated premise makes this argument valid?\n'
        "(A) Some dogs bark.\n(B) Everything that barks is a dog.\n(C) All dogs bark."
    )
    solved = solve(question, "en")
    assert solved is not None
    assert solved.answer == solved.hidden == "(C) All dogs bark."
    assert solve(question.replace("All dogs bark", "Dogs might well bark"), "en") is None, "one option is not read"


@pytest.mark.parametrize(
    ("premises", "claim", "status"),
    [
        (("come~ to meeting(ann)",), "come~(ann)", "entailed"),
        (("off(lamp)", "on(radio)"), "on(lamp)", "contradicted"),
    ],
)
def test_one_key_for_one_predicate(premises: tuple[str, ...], claim: str, status: str) -> None:
    def read(source: str) -> object:
        name, _, thing = source.rstrip(")").partition("(")
        return {"kind": "atom", "name": name, "terms": (thing,)}

    atom = formula("p(x)").__class__
    known = tuple(atom.model_validate(read(one)) for one in premises)
    assert Case([Reading(known, (atom.model_validate(read(claim)),))]).status() == status


def test_an_unknown_is_not_said_where_a_word_could_link() -> None:
    premises = (formula("all x: (owner(x) -> happy(x))"), formula("owns(tom)"))
    assert Case([Reading(premises, (formula("happy(tom)"),))]).status() is None
    assert Case([Reading(premises, (formula("happy(tom)"),))], formal=True).status() == "unknown"
    assert Case([Reading(premises, (formula("rich(tom)"),))], formal=True).status() is None, "nothing is said of rich"


def test_united_is_stable() -> None:
    reading = Reading((formula("a -> b"),), (formula("b"),))
    assert united(reading) == united(united(reading)) == reading
