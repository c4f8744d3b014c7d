"""Everyday wordings in both languages: each is answered rightly or not at all (None: silent, for "
"a reason or by limit)."""

from __future__ import annotations

import pytest

from nodes.contracts import Language
from nodes.logic import solve

ENGLISH: list[tuple[str, str | None]] = [
    (
        "Five runners finished a race: Ana, Bo, Cy, Di and Ed. Bo finished right after Ana. Cy was "
        "first. Ed did not finish last. Di finished before Ana. Who finished last?",
        "Bo",
    ),
    (
        "Four cars are parked in a row: a red car, a blue car, a white car and a black car. The red car "
        "is directly to the left of the blue car. The white car is at the far right. Which car is at "
        "the far left?",
        None,
    ),
    (
        "Three friends, Ann, Ben and Cat, compare their ages. Ann is younger than Ben. Cat is older "
        "than Ben. Who is the oldest?",
        "Cat",
    ),
    ("Alice is taller than Bob, and Bob is taller than Carol. Who is the shortest?", "Carol"),
    ("A is heavier than B. C is lighter than B. Which is the heaviest?", "A"),
    ("Lily finished ahead of Max. Max finished ahead of Noah. Did Lily finish ahead of Noah?", "Yes"),
    (
        "In a queue of four people, Kim is in front of Lee, Lee is in front of Mo, and Mo is in front "
        "of Nia. Who is last?",
        None,
    ),
    (
        "The museum is older than the library. The library is older than the theatre. The station is "
        "newer than the theatre. Which building is the oldest?",
        "museum",
    ),
    ("Today is warmer than yesterday. Yesterday was warmer than Monday. Was Monday warmer than today?", None),
    ("If the battery is dead, the car will not start. The car starts. Is the battery dead?", "No"),
    ("The lamp is on only if the switch is up. The lamp is on. Is the switch up?", "Yes"),
    ("The picnic will be cancelled if it rains or snows. It snows. Will the picnic be cancelled?", "Yes"),
    (
        "You can enter the club only if you are a member or a guest of a member. Sam entered the club. "
        "Is Sam a member?",
        None,
    ),
    ("All employees with a badge can enter. Maria is an employee and has a badge. Can Maria enter?", "Yes"),
    ("No reptiles have fur. Snakes are reptiles. Do snakes have fur?", "No"),
    (
        "All roses are flowers. Some flowers fade quickly. Does it follow that some roses fade quickly? "
        "Answer yes or no.",
        "no",
    ),
    (
        "Premises: All squares are rectangles. All rectangles are polygons. Conclusion: All squares are "
        "polygons. Is the conclusion valid? Answer valid or invalid.",
        None,
    ),
    (
        "Exactly one of the three suspects, Art, Bea and Cal, is guilty. If Art is guilty, then Bea is "
        "guilty. Cal is not guilty. Who is guilty?",
        "Bea",
    ),
    ("Either the butler or the gardener did it. The butler did not do it. Who did it?", "gardener"),
    ("Unless the alarm is off, the door is locked. The door is not locked. Is the alarm off?", "Yes"),
    ("Jane is a lawyer or a doctor. Jane is not a lawyer. Is Jane a doctor?", "Yes"),
    (
        "If Tom is at home, the light is on. If the light is on, the cat sleeps. Tom is at home. Does the cat sleep?",
        "Yes",
    ),
    (
        'A says: "B is a liar." B says: "We are both truth-tellers." Each always lies or always '
        "tells the truth. Who tells the truth?",
        "A",
    ),
    ("Not every member voted. Does it follow that some member did not vote? Answer yes or no.", "yes"),
    ("It is false that all swans are white. Does it follow that some swan is not white? Answer yes or no.", "yes"),
    ("Mary is in the garden or in the kitchen. Mary is not in the garden. Is Mary in the kitchen?", "Yes"),
    ("Tom arrived before Sam. Kim arrived after Sam. Who arrived first?", "Tom"),
    ("Tom was born before Sam. Kim was born after Sam. Who is the oldest?", None),
    ("The concert is after the lecture. The dinner is before the lecture. Which event is last?", "concert"),
    (
        "Five books are on a table: an atlas, a novel, a diary, a comic and a dictionary. The atlas is "
        "thicker than the novel. The diary is thinner than the novel. The comic is thinner than the "
        "diary. The dictionary is the thickest. Which book is the second-thickest?",
        "atlas",
    ),
    (
        "There are four swimmers: Ada, Bea, Cleo and Dot. Ada finished between Bea and Cleo. Dot "
        "finished first. Bea finished last. Who finished second?",
        "Cleo",
    ),
    (
        "Three cities: Oslo, Rome and Cairo. Oslo is colder than Rome. Cairo is hotter than Rome. Which "
        "city is the hottest?",
        "Cairo",
    ),
    ("If the key is in the drawer, Mia finds it. Mia does not find the key. Is the key in the drawer?", "No"),
    ("Every cyclist in the club owns a helmet. Bruno does not own a helmet. Is Bruno a cyclist in the club?", "No"),
    ("All lawyers are graduates. No graduates are illiterate. Kim is illiterate. Is Kim a lawyer?", "No"),
    ("Some lawyers are graduates. Kim is a lawyer. Is Kim a graduate?", "Cannot be determined"),
    ("If it is Sunday, the bakery is closed. The bakery is closed. Is it Sunday?", None),
    ("The light is green if and only if the door is locked. The door is not locked. Is the light green?", "No"),
    (
        "Ben is at school or at home. If Ben is at school, he wears a uniform. Ben does not wear a "
        "uniform. Is Ben at home?",
        "Yes",
    ),
    ("Nora is not both tired and hungry. Nora is tired. Is Nora hungry?", "No"),
    ("Nora is neither tired nor hungry. Is Nora hungry?", "No"),
    ("If Nora is tired, then she is hungry or sad. Nora is tired. Nora is not sad. Is Nora hungry?", "Yes"),
    ("Only adults can vote. Pia can vote. Is Pia an adult?", "Yes"),
    ("Pia can vote only if she is an adult. Pia is not an adult. Can Pia vote?", "No"),
    ("The plan works unless the budget is cut. The budget is not cut. Does the plan work?", "Yes"),
    ("If the plan fails, then either Ann or Bob is fired. The plan fails. Ann is not fired. Is Bob fired?", "Yes"),
    ("At most one of Ann, Bob and Cid is guilty. Ann is guilty. Is Cid guilty?", "No"),
    ("At least one of Ann, Bob and Cid is guilty. Ann is not guilty. Bob is not guilty. Is Cid guilty?", "Yes"),
    ("If Ann is guilty, Bob is innocent. Bob is guilty. Is Ann guilty?", None),
    ("All of the guests brought a gift. Leo did not bring a gift. Was Leo a guest?", "No"),
    ("No one who smokes is an athlete. Leo smokes. Is Leo an athlete?", "No"),
    ("Everyone who owns a dog likes walking. Leo does not like walking. Does Leo own a dog?", "No"),
    (
        "Some of the apples are rotten. All rotten things are thrown away. Does it follow that some "
        "apples are thrown away? Answer yes or no.",
        "yes",
    ),
    ("Can we conclude that Tom is a spy? All spies are secretive. Tom is secretive.", None),
    (
        "Anyone who passes the exam gets a certificate. Max got a certificate. Did Max pass the exam?",
        "Cannot be determined",
    ),
    ("There is a student who likes math. Sam is a student. Does Sam like math?", "Cannot be determined"),
    ("Birds fly. Penguins are birds. Do penguins fly?", "Yes"),
    ("Dogs bark. Rex is a dog. Does Rex bark?", "Yes"),
    ("A dog barks. Rex is a dog. Does Rex bark?", None),
    ("The dog barks. Rex is a dog. Does Rex bark?", None),
    ("If x is even, then x is divisible by 2. x is odd. Is x divisible by 2?", None),
    ("Max is Tom's brother. Tom is tall. Is Max tall?", None),
    ("Kim is a friend of Lee. Lee is a friend of Mo. Is Kim a friend of Mo?", None),
    ("Either it rains or it snows. It does not rain. Does it snow?", "Yes"),
    ("If it rains tomorrow, the match is cancelled. It rains today. Is the match cancelled?", None),
    ("If the water boils, the kettle whistles. The kettle whistles. Does the water boil?", "Cannot be determined"),
    ("Ann is taller than Ben. Ben is older than Cy. Who is the tallest?", None),
    ("Ann is twice as tall as Ben. Who is taller?", None),
]
CHINESE: list[tuple[str, str | None]] = [
    ("甲、乙、丙、丁四人赛跑，没有并列。乙比甲快，丙比乙快，丁比甲慢。谁第一？", "丙"),
    ("小张比小李重，小李比小王重。谁最轻？", "小王"),
    ("如果灯亮着，那么开关是开的。灯亮着。开关是开的吗？", "是"),
    ("只有买了票，才能进场。小赵没有买票。小赵能进场吗？", "否"),
    ("只有会员才能借书。小赵借了书。小赵是会员吗？", "是"),
    ("小王要么在家，要么在公司。小王不在家。小王在公司吗？", "是"),
    ("所有玫瑰都是花。有些花很快凋谢。由此能推出有些玫瑰很快凋谢吗？请回答“能”或“不能”。", "不能"),
    ("没有一个学生迟到。小明是学生。小明迟到了吗？", "否"),
    ("班里的学生都交了作业。小明是班里的学生。小明交作业了吗？", "是"),
    ("如果老师来，学生就安静。学生不安静。老师来了吗？", "否"),
    ("除非天晴，否则不去爬山。去爬山了。天晴吗？", "是"),
    (
        "张三、李四、王五三人中恰有一人说真话。张三说：“李四说谎。”李四说：“王五说谎。"
        "”王五说：“张三和李四都说谎。”谁说真话？",
        None,
    ),
    ("凡是金属都能导电。塑料不能导电。塑料是金属吗？", "否"),
    ("小李或者小王去了北京，但不是两人都去了。小李去了北京。小王去了北京吗？", "否"),
    ("如果今天是星期一，那么图书馆闭馆。图书馆没有闭馆。今天是星期一吗？", "否"),
    ("并非所有的天鹅都是白色的。由此能推出有的天鹅不是白色的吗？请回答“能”或“不能”。", "能"),
    ("书架上有三本书：红书、绿书和蓝书。红书在绿书右边，蓝书在绿书左边。中间是哪本书？", "绿书"),
    ("小明、小红、小刚三人参加比赛，没有并列。小明不是第一名。小红是第二名。谁是第一名？", "小刚"),
    ("甲说：“乙说谎。”乙说：“我们都说真话。”每人要么总说真话，要么总说谎。谁说真话？", "甲"),
    ("小赵先到，小钱比小赵晚到，小孙比小钱晚到。谁最后到？", None),
    ("小赵比小钱先到，小孙比小钱后到。谁最先到？", "小赵"),
    ("苹果比香蕉贵，香蕉比橙子贵。哪种水果最便宜？", None),
    ("四个城市：北京、上海、广州和深圳。北京比上海冷，上海比广州冷，深圳比广州热。最热的是哪个城市？", None),
    ("如果钥匙在抽屉里，小米就能找到。小米没有找到。钥匙在抽屉里吗？", "否"),
    ("每个会员都有卡。小陈没有卡。小陈是会员吗？", "否"),
    ("有些会员没有卡。小陈是会员。小陈有卡吗？", "无法确定"),
    ("小陈不是既累又饿。小陈累了。小陈饿吗？", None),
    ("小陈既不累也不饿。小陈饿吗？", None),
    ("如果小陈累了，那么小陈饿了或者小陈困了。小陈累了，小陈不困。小陈饿了吗？", None),
    ("只有成年人才能投票。小陈能投票。小陈是成年人吗？", "是"),
    ("除非预算被削减，否则计划继续。预算没有被削减。计划继续吗？", "是"),
    ("甲、乙、丙三人中至少有一人有罪。甲没有罪。乙没有罪。丙有罪吗？", "是"),
    ("没有一个吸烟的人是运动员。小陈吸烟。小陈是运动员吗？", "否"),
    ("凡是通过考试的人都得到了证书。小陈得到了证书。小陈通过考试了吗？", "无法确定"),
    ("狗会叫。旺财是狗。旺财会叫吗？", None),
    ("如果明天下雨，比赛就取消。今天下雨了。比赛取消了吗？", None),
    ("小陈是小李的哥哥。小李很高。小陈很高吗？", None),
    ("张三和李四都不是医生，或者王五是医生。王五不是医生。张三是医生吗？", "否"),
    ("如果张三是医生，那么李四不是护士。李四是护士。张三是医生吗？", "否"),
    ("张三是医生或者律师。张三不是医生。张三是律师吗？", None),
    ("并非如果下雨就取消比赛。下雨了吗？", None),
    ("不下雨的话比赛就举行。比赛没有举行。下雨了吗？", None),
    ("只有不下雨，比赛才举行。比赛举行了。下雨了吗？", "否"),
    ("如果小王去，小李就不去。小李去了。小王去了吗？", "否"),
    ("小王去当且仅当小李去。小李没去。小王去了吗？", "否"),
    ("所有的猫都怕水。有的猫会游泳。由此能推出有的会游泳的动物怕水吗？请回答“能”或“不能”。", None),
    ("任何人都不能进入。小王能进入吗？", None),
    ("每个人都有梦想。小王有梦想吗？", None),
]


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [(one, "en", answer) for one, answer in ENGLISH] + [(one, "zh", answer) for one, answer in CHINESE],
)
def test_wordings(question: str, language: Language, expected: str | None) -> None:
    solved = solve(question, language)
    assert (solved and solved.answer) == expected
