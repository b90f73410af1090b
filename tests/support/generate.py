"""
Property testing in one page: cases come from a seeded generator, a failing one is made smaller while it still fails,
and printed with the seed. TEST_SEED repeats a run, TEST_CASES changes the number of cases.
"""
import os
import random

CASES = int(os.environ.get("TEST_CASES", 20))
FEWER = max(1, CASES // 3)  # for properties whose cases differ little and open several pages each
SHRINKING_LIMIT = 60  # further runs for making a failing case smaller

WORDS = ("a", "-1", "0", "null", "../..", "' or 1=1", "<b>", "\u00e9\u4f60", "\U0001F600", "\u202e", "{}", "%s%n", " ", "\n", "\\")


def seed():
    return int(os.environ.get("TEST_SEED") or random.SystemRandom().randrange(1 << 32))


def text(chance, longest=40):
    """Text with a liking for what breaks programs."""
    ranges = ((32, 127), (0xA0, 0xD7FF), (0x10000, 0x10FFFF))
    any_character = lambda: chr(chance.randrange(*chance.choice(ranges)))
    pieces = [chance.choice(WORDS) if chance.random() < 0.5 else any_character() for _ in range(chance.randrange(8))]
    return "".join(pieces)[:longest]


def for_all(make, check, cases=CASES, valid=lambda case: True):
    """
    check(case) for `cases` cases from make(random.Random). `valid` decides which smaller cases are allowed when a
    failing one is being shrunk.
    """
    start = seed()
    print(f"seed {start}, {cases} cases", flush=True)
    chance = random.Random(start)
    for number in range(cases):
        case = make(chance)
        error = _failure(check, case)
        if error:
            small, error = _shrink(check, case, error, valid)
            raise AssertionError(f"case {number + 1} fails (repeat with TEST_SEED={start}): {small!r}\n{error}") from error


def _failure(check, case):
    try:
        check(case)
    except Exception as error:  # whatever goes wrong is what is looked for
        return error
    return None


def _shrink(check, case, error, valid):
    left = SHRINKING_LIMIT
    candidates = _smaller(case)
    while left > 0:
        candidate = next(candidates, None)
        if candidate is None:
            break
        if not valid(candidate):
            continue
        left -= 1
        now = _failure(check, candidate)
        if now:
            case, error, candidates = candidate, now, _smaller(candidate)
    return case, error


def _smaller(value):
    """Simpler values of the same shape, the simplest first."""
    if isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int):
        yield from dict.fromkeys(n for n in (0, value // 2, value - 1) if abs(n) < abs(value))
    elif isinstance(value, str) and value:
        yield from dict.fromkeys(("", value[:len(value) // 2], value[1:], value[:-1]))
    elif isinstance(value, (list, tuple)):
        parts = list(value)
        if isinstance(value, list):
            yield from (parts[:index] + parts[index + 1:] for index in range(len(parts)))
        for index, part in enumerate(parts):
            for small in _smaller(part):
                yield type(value)(parts[:index] + [small] + parts[index + 1:])
    elif isinstance(value, dict):
        for name, part in value.items():
            for small in _smaller(part):
                yield {**value, name: small}
