"""Classification of customer messages by a rule that the question states, so that the label is exact.

A message is made of sentences, each of one intent or of none. One intent at difficulty 1; several and an order of
precedence at 2; at 3 also intents that are denied, which do not count.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from evals.generators.draft import Draft
from nodes.contracts import Language

LABELS: tuple[str, ...] = ()
NAMES: dict[Language, dict[str, str]] = {
    "en": {"refund": "refund", "delivery": "delivery", "account": "account", "praise": "praise", "none": "other"},
    "zh": {"refund": "退款", "delivery": "物流", "account": "账户", "praise": "表扬", "none": "其他"},
}
SENTENCES: dict[Language, dict[str, tuple[str, ...]]] = {
    "en": {
        "refund": (
            "I would like my money back for the kettle.",
            "Please return the amount that I paid for the shoes.",
            "You charged me twice, so pay back one of the charges.",
            "Since the lamp is broken, I want to be reimbursed.",
        ),
        "delivery": (
            "My parcel has not arrived yet.",
            "Where is the box that you sent last week?",
            "The courier left my package at the wrong house.",
            "The tracking page has not moved for four days.",
        ),
        "account": (
            "I cannot log in with my password any more.",
            "Please change the e-mail address of my profile.",
            "The site says that my user name does not exist.",
            "How do I switch off two-step sign-in?",
        ),
        "praise": (
            "Your assistant on the phone was wonderful.",
            "The coat is even nicer than in the pictures.",
            "I am very happy with the quality of the pans.",
            "Thank you for the quick and friendly help.",
        ),
        "none": (
            "I have been a customer since spring.",
            "I am writing from my phone.",
            "My sister told me about your shop.",
            "It is rather cold here this week.",
            "I will be at home until Friday.",
        ),
    },
    "zh": {
        "refund": (
            "水壶的钱请退给我。",
            "我要求退回买鞋付的那笔钱。",
            "你们扣了我两次款，请把多扣的还给我。",
            "台灯是坏的，我想要回我的钱。",
        ),
        "delivery": (
            "我的包裹还没有到。",
            "上周寄出的箱子现在在哪里？",
            "快递员把我的包裹放到了别人家。",
            "快递信息已经四天没有更新了。",
        ),
        "account": (
            "我用密码怎么也登录不上去。",
            "请修改我个人资料里的邮箱。",
            "网站提示我的用户名不存在。",
            "怎样关闭两步登录验证？",
        ),
        "praise": (
            "你们的电话客服非常棒。",
            "大衣比图片上还好看。",
            "我对锅的质量非常满意。",
            "感谢你们又快又热情的帮助。",
        ),
        "none": (
            "我从春天起就是你们的顾客。",
            "我是用手机写的这条留言。",
            "是我姐姐告诉我你们这家店的。",
            "这个星期这里挺冷的。",
            "星期五以前我都在家。",
        ),
    },
}
DENIED: dict[Language, dict[str, str]] = {
    "en": {
        "refund": "I do not want any money back.",
        "delivery": "There is nothing wrong with the delivery.",
        "account": "My account works as it should.",
        "praise": "I cannot say that I am pleased.",
    },
    "zh": {
        "refund": "我不是要退钱。",
        "delivery": "送货方面没有任何问题。",
        "account": "我的账户一切正常。",
        "praise": "我谈不上满意。",
    },
}
ASK: dict[Language, str] = {
    "en": "Classify the customer's message. The labels are {labels}. {rule}Answer with the label only."
    "\n\nMessage: {text}",
    "zh": "给下面的顾客留言分类，标签有：{labels}。{rule}只回答标签。\n\n留言：{text}",
}
RULE: dict[Language, str] = {
    "en": "If several labels fit, the one that stands first in this list counts. What the customer denies does not"
    " count. If none fits, the label is {none}. ",
    "zh": "如果有几个标签都符合，以上面列表中排在最前的为准。顾客否认的不算。都不符合时，标签为{none}。",
}
INTENTS = ("refund", "delivery", "account", "praise")


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """A message, the labels in random order, and the rule."""
    order = rng.sample(INTENTS, len(INTENTS))
    meant = rng.sample(INTENTS, {1: 1, 2: rng.choice((2, 3)), 3: rng.choice((0, 1, 2))}[difficulty])
    denied = rng.sample([intent for intent in INTENTS if intent not in meant], 2 if difficulty == 3 else 0)
    sentences = [rng.choice(SENTENCES[language][intent]) for intent in meant]
    sentences += [DENIED[language][intent] for intent in denied]
    sentences += rng.sample(SENTENCES[language]["none"], min(difficulty, 2) + (not meant))
    rng.shuffle(sentences)
    names = NAMES[language]
    text = ASK[language].format(
        labels=(", " if language == "en" else "、").join(names[intent] for intent in (*order, "none")),
        rule=RULE[language].format(none=names["none"]),
        text=(" " if language == "en" else "").join(sentences),
    )
    return Draft(text, names[label(order, meant)], hidden=False, meta={"meant": sorted(meant), "order": order})


def label(order: Sequence[str], meant: Sequence[str]) -> str:
    """The first label of the list that is meant, else `none`."""
    return next((intent for intent in order if intent in meant), "none")
