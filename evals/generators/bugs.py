"""Planted bugs: a short Python program whose function does not do what its name says.

Asked is what the program prints, or in which line it fails. The gold comes from a description of the bug in Python of
our own, never from running the program; the tests run it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from evals.generators.draft import Draft
from nodes.contracts import Language

LABELS = ("code",)
PRINTS: dict[Language, tuple[str, ...]] = {
    "en": (
        "This program has a bug. What does it print?\n\n```python\n{}\n```",
        "The function below does not do what its name says. What is the output of the program as it stands?"
        "\n\n```python\n{}\n```",
    ),
    "zh": (
        "下面的程序有一个错误。它实际会打印什么？\n\n```python\n{}\n```",
        "下面的函数并没有实现它的名字所说的功能。程序按现在的写法会输出什么？\n\n```python\n{}\n```",
    ),
}
FAILS: dict[Language, str] = {
    "en": "This program stops with an exception. In which line is it raised? Answer with the number of the line; the"
    " first line is 1.\n\n```python\n{}\n```",
    "zh": "下面的程序会因异常而停止。异常是在第几行引发的？只回答行号，第一行是 1。\n\n```python\n{}\n```",
}
Bug = Callable[[random.Random], tuple[str, str]]
"""Makes a program and what it prints."""


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """A program that prints something else than it should, or every third time one that fails."""
    if rng.random() < 1 / 3:
        program, line = failing(rng, difficulty)
        return Draft(
            FAILS[language].format(program), str(line), hidden=False, meta={"program": program, "asks": "line"}
        )
    program, printed = rng.choice(BUGS[difficulty])(rng)
    return Draft(rng.choice(PRINTS[language]).format(program), printed, meta={"program": program, "asks": "output"})


def numbers(rng: random.Random, low: int = 2, high: int = 30, size: tuple[int, int] = (4, 6)) -> list[int]:
    """Different numbers in random order."""
    return rng.sample(range(low, high), rng.randint(*size))


def skips_an_end(rng: random.Random) -> tuple[str, str]:
    """The loop leaves out the first or the last value."""
    values, first = numbers(rng), rng.random() < 0.5
    span = "1, len(values)" if first else "len(values) - 1"
    program = f"""def total(values):
    result = 0
    for i in range({span}):
        result += values[i]
    return result

print(total({values}))"""
    return program, str(sum(values[1:] if first else values[:-1]))


def returns_early(rng: random.Random) -> tuple[str, str]:
    """`return` stands inside the loop."""
    values, limit = numbers(rng), rng.randint(5, 20)
    program = f"""def count_above(values, limit):
    count = 0
    for value in values:
        if value > limit:
            count += 1
        return count

print(count_above({values}, {limit}) + {len(values) * 10})"""
    return program, str(int(values[0] > limit) + len(values) * 10)


def starts_at_zero(rng: random.Random) -> tuple[str, str]:
    """The largest of negative numbers is compared with 0."""
    values, offset = [-value for value in numbers(rng)], rng.randint(40, 99)
    program = f"""def largest(values):
    best = 0
    for value in values:
        if value > best:
            best = value
    return best

print(largest({values}) + {offset} * 2)"""
    return program, str(offset * 2)


def divides_whole(rng: random.Random) -> tuple[str, str]:
    """`//` where `/` was meant."""
    values = numbers(rng, 3, 60)
    program = f"""def mean(values):
    return sum(values) // len(values)

print(mean({values}))"""
    return program, str(sum(values) // len(values))


def resets_inside(rng: random.Random) -> tuple[str, str]:
    """The sum of a row is kept in a variable that is set to 0 in the wrong loop."""
    rows = [numbers(rng, 1, 15, (2, 3)) for _ in range(3)]
    program = f"""def total(rows):
    for row in rows:
        result = 0
        for value in row:
            result += value
    return result

print(total({rows}) * 2)"""
    return program, str(sum(rows[-1]) * 2)


def removes_while_iterating(rng: random.Random) -> tuple[str, str]:
    """A list loses items while it is gone through, so the item after a removed one is not looked at."""
    values = [rng.randint(1, 9) * 2 if rng.random() < 0.7 else rng.randint(1, 9) * 2 + 1 for _ in range(6)]
    program = f"""def drop_even(values):
    for value in values:
        if value % 2 == 0:
            values.remove(value)
    return values

print(sum(drop_even({values})))"""
    left, place = list(values), 0
    while place < len(left):
        if left[place] % 2 == 0:
            left.remove(left[place])
        place += 1
    return program, str(sum(left))


def rebinds_the_argument(rng: random.Random) -> tuple[str, str]:
    """The function makes a new list and the caller keeps the old one."""
    values, item = numbers(rng), rng.randint(31, 60)
    program = f"""def add(values, item):
    values = values + [item]

numbers = {values}
add(numbers, {item})
print(sum(numbers) + len(numbers))"""
    return program, str(sum(values) + len(values))


def wrong_slice(rng: random.Random) -> tuple[str, str]:
    """A slice that ends one too early."""
    word = "".join(rng.sample("abcdefghijklmnopqrstuvwxyz", rng.randint(7, 9)))
    n = rng.randint(3, 4)
    program = f"""def last_letters(word, n):
    return word[-n:-1][::-1]

print(last_letters("{word}", {n}))"""
    return program, word[-n:-1][::-1]


def shared_default(rng: random.Random) -> tuple[str, str]:
    """A list as default value is shared by all calls."""
    first, second, third = (rng.randint(2, 40) for _ in range(3))
    program = f"""def collect(item, found=[]):
    found.append(item)
    return sum(found)

collect({first})
collect({second}, [1])
print(collect({third}) * 2 + collect(1))"""
    return program, str((first + third) * 2 + first + third + 1)


def late_binding(rng: random.Random) -> tuple[str, str]:
    """Functions made in a loop all see its last value."""
    factor, numbers_ = rng.randint(3, 9), rng.sample(range(2, 9), 3)
    program = f"""def multipliers(factors):
    return [lambda x: x * factor for factor in factors]

print(sum(function({factor}) for function in multipliers({numbers_})))"""
    return program, str(3 * factor * numbers_[-1])


def shared_rows(rng: random.Random) -> tuple[str, str]:
    """The rows of a matrix are one and the same list."""
    width, height, value = rng.randint(2, 5), rng.randint(3, 6), rng.randint(11, 60)
    program = f"""def grid(width, height):
    return [[0] * width] * height

cells = grid({width}, {height})
cells[1][0] = {value}
print(sum(sum(row) for row in cells))"""
    return program, str(value * height)


def overwrites(rng: random.Random) -> tuple[str, str]:
    """Counting overwrites instead of adding when a value comes again."""
    values = [rng.randint(1, 4) for _ in range(rng.randint(6, 8))]
    weight = rng.randint(5, 30)
    program = f"""def weigh(values, weight):
    totals = {{}}
    for place, value in enumerate(values):
        totals[value] = place * weight
    return sum(totals.values())

print(weigh({values}, {weight}))"""
    last = {value: place for place, value in enumerate(values)}
    return program, str(sum(last.values()) * weight)


BUGS: dict[int, tuple[Bug, ...]] = {
    1: (skips_an_end, divides_whole, returns_early, starts_at_zero),
    2: (resets_inside, rebinds_the_argument, wrong_slice, removes_while_iterating, skips_an_end),
    3: (shared_default, late_binding, shared_rows, removes_while_iterating, overwrites),
}


def failing(rng: random.Random, difficulty: int) -> tuple[str, int]:
    """A program of some harmless lines and one that raises; more lines at higher difficulty. Returns its number."""
    values = numbers(rng)
    lines = [f"values = {values}", "names = {'a': 1, 'b': 2}", "text = 'abc'", "best = None", "total = sum(values)"]
    harmless = [
        "total = total + len(text)", "first = values[-len(values)]", "second = names.get('c')", "half = total // 2",
        "text = text + str(total)", "last = values[len(values) - 1]", "names['c'] = len(values)", "empty = text[100:]",
        "share = 0 / len(values)", "flag = best is None", "joined = ','.join(names)", "values = sorted(values)",
    ]  # fmt: skip
    raising = rng.choice((
        "item = values[len(values)]", "value = names['z']", "ratio = total / (len(text) - len(text))",
        "number = int('12.5')", "size = len(best)", "word = text + len(values)", "values = values.sorted()",
        "best.append(total)", "pair = values + 'x'", "rest = total % (total - total)",
    ))  # fmt: skip
    body = rng.sample(harmless, 2 * difficulty + 1)
    place = rng.randint(1, len(body))
    body.insert(place, raising)
    wrapped = difficulty > 1 and rng.random() < 0.5
    if not wrapped:
        return "\n".join([*lines, *body, "print(total)"]), len(lines) + place + 1
    inside = [f"    {line}" for line in (*lines, *body, "return total")]
    return "\n".join(["def work():", *inside, "", "print(work())"]), 1 + len(lines) + place + 1
