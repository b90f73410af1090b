"""
What a browser says, made wrong: members that are missing, of another type or repeated, ids of something else, replies to other calls,
messages that come twice, late or again.
"""
import copy
import json
import random
import threading

REMEMBERED = 400  # messages that may be said again
KINDS = ("session", "frame", "target", "context", "request", "loader", "opener", "guid", "script", "object", "node",
         "realm", "navigation", "usercontext", "parent", "collector")  # these of WebDriver BiDi


def _nested(depth, chance):
    value = {}
    for _ in range(depth):
        value = {"a": value} if chance.random() < 0.5 else [value]
    return value


class Liar:
    """Changes one message of the browser in 1 / `rate`; a `rate` of 0 is honest. Used by several threads."""

    def __init__(self, seed, rate):
        self.chance, self.rate = random.Random(seed), rate
        self._ids = {kind: [] for kind in KINDS}
        self._said, self._held = [], []
        self._lock = threading.Lock()

    def __call__(self, message):
        with self._lock:
            return self._answer(message)

    def _answer(self, message):
        if not self.rate:
            return [message]
        self._learn(message)
        if "method" in message:
            self._said = (self._said + [json.dumps(message)])[-REMEMBERED:]
        told = [message]
        if self.chance.random() < self.rate:
            told = self.chance.choices((self._changed, self._twice, self._held_back, self._of_another, self._failed, self._misnumbered, self._cut),
                                       (50, 10, 8, 8, 6, 4, 1))[0](message)
        if self._said and self.chance.random() < self.rate * 2:
            told.insert(0, self._said_again())
        if self._held and self.chance.random() < 0.3:
            told.append(self._held.pop(self.chance.randrange(len(self._held))))
        return told

    # ---- ids ----

    @staticmethod
    def _kind(name):
        name = name.lower()
        return next((kind for kind in KINDS if name in (kind + "id", kind) or (name.endswith("id") and kind in name)), None)

    def _learn(self, value, above=""):
        for name, inner in value.items() if isinstance(value, dict) else ((above, item) for item in value):
            kind = self._kind(above if name == "id" else name)
            if isinstance(inner, (dict, list)):
                self._learn(inner, name)
            elif kind and isinstance(inner, (str, int)) and inner not in self._ids[kind][-50:]:
                self._ids[kind] = (self._ids[kind] + [inner])[-200:]

    def _other_ids(self, value, above=""):
        """Some of the ids in it become those of something else."""
        for name, inner in list(value.items()) if isinstance(value, dict) else list(enumerate(value)):
            kind = self._kind(above if name == "id" else str(name))
            if isinstance(inner, (dict, list)):
                self._other_ids(inner, str(name))
            elif kind and self.chance.random() < 0.4:
                value[name] = self.chance.choice(self._ids[kind] or ["none"]) if self.chance.random() < 0.9 else f"N{self.chance.randrange(1000)}"
        return value

    # ---- lies ----

    def _junk(self):
        return self.chance.choice((
            None, 0, -1, 1e308, -1e308, 2 ** 31, 2 ** 63, 2 ** 64, -2 ** 63, 1e-9, True, False, "", "x", "x" * 70000, "\0", "\ud800", "../../etc/passwd", [], {},
            [[]], [{}], {"id": {}}, [None] * 500, "about:blank", "chrome://gpu", "9" * 400, _nested(40, self.chance), _nested(500, self.chance),
            *(self.chance.choice(ids) for ids in self._ids.values() if ids)))

    def _places(self, value, path=()):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value[:8]):
            yield path + (name,)
            if isinstance(inner, (dict, list)):
                yield from self._places(inner, path + (name,))

    def _changed(self, message):
        message = copy.deepcopy(message)
        for _ in range(self.chance.choice((1, 1, 1, 2, 5))):
            place = self.chance.choice(list(self._places(message)) or [("id",)])
            holder = message
            for name in place[:-1]:
                holder = holder[name]
            how = self.chance.random()
            if how < 0.25 and isinstance(holder, dict):
                holder.pop(place[-1], None)
            elif how < 0.4 and isinstance(holder, list):
                holder *= 3
            else:
                holder[place[-1]] = self._junk()
        return [message]

    def _twice(self, message):
        return [message, copy.deepcopy(message)]

    def _held_back(self, message):
        self._held.append(message)
        return []

    def _of_another(self, message):
        return [self._other_ids(copy.deepcopy(message)), message]

    def _failed(self, message):
        if "id" not in message:
            return [message]
        if message.get("type") == "success":
            return [{"type": "error", "id": message["id"], "error": self.chance.choice(("unknown error", "no such frame", "unsupported operation", [], 7)),
                     "message": self.chance.choice(("Error: NS_BINDING_ABORTED", "no", {}))}]
        return [{**{name: value for name, value in message.items() if name != "result"}, "error": self.chance.choice((
            {"code": -32000, "message": "Cannot find context with specified id"}, {"code": -32000, "message": "no"}, "wrong", [], {"message": 7}))}]

    def _misnumbered(self, message):
        if "id" not in message:
            return [message]
        return [{**message, "id": self.chance.choice((message["id"] + 1, message["id"] - 1, 0, -1, 2 ** 40, "7", None))}]

    def _cut(self, message):
        text = json.dumps(message)
        return [text[:self.chance.randrange(len(text))].encode()]

    def _said_again(self):
        """An event of before: as it was, with other ids, or wrong."""
        message = json.loads(self.chance.choice(self._said))
        how = self.chance.random()
        if how < 0.6:
            self._other_ids(message)
        elif how < 0.8:
            message = self._changed(message)[0]
        if self._ids["frame"] and self.chance.random() < 0.1:
            frame, parent = self.chance.choice(self._ids["frame"]), self.chance.choice(self._ids["frame"])
            message.update(method="Page.frameNavigated", params={"frame": {"id": frame, "parentId": parent, "loaderId": str(self.chance.random()),
                                                                           "url": "http://x/", "name": "n"}, "type": "Navigation"})
        return message
