"""Reads traces in the format of Playwright's trace viewer: files of a folder, or an archive."""
import io
import json
import pathlib
import zipfile


class Files:
    """The files of a trace in its folder."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def lines(self, extension):
        return self.path.with_suffix("." + extension).read_text(encoding="utf-8")

    def read(self, name):
        return (self.path.parent / name).read_bytes()


class Archive:
    """Those in a .zip."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(io.BytesIO(pathlib.Path(path).read_bytes()))  # pylint: disable=consider-using-with

    def lines(self, extension):
        return self.zip.read("trace." + extension).decode()

    def read(self, name):
        return self.zip.read(name)


class Action:
    """One call, from its events."""

    def __init__(self, before):
        self.id, self.method, self.params, self.title = before["callId"], before["method"], before["params"], before.get("title")
        self.name = f"{before['class']}.{before['method']}"
        self.start, self.end, self.error, self.point, self.log = before["startTime"], None, None, None, []

    def add(self, event):
        if event["type"] == "after":
            self.end, self.error = event["endTime"], event.get("error")
        elif event["type"] == "input":
            self.point = event.get("point")
        elif event["type"] == "log":
            self.log.append(event["message"])


class Node:
    """A node of a snapshot: an element with its attributes, or a text."""

    def __init__(self, name, attributes, children):
        self.name, self.attributes, self.children = name, attributes, children

    def all(self):
        yield self
        for child in self.children:
            yield from child.all()

    @property
    def text(self):
        return self.attributes if self.name == "#text" else "".join(child.text for child in self.children)

    def find(self, name, **attributes):
        """The first element of that name with these attributes, None without."""
        return next((node for node in self.all() if node.name == name
                     and all(node.attributes.get(key) == value for key, value in attributes.items())), None)


def resolve(snapshots, at, value):
    """
    The node that `value` stands for in snapshot number `at` of a frame: a text, an element, or [[snapshots ago, number]] for the
    node with that number there, counted in post-order.
    """
    if isinstance(value, str):
        return Node("#text", value, [])
    if isinstance(value[0], list):
        ago, number = value[0]
        return list(numbered(snapshots, at - ago))[number]
    name, attributes, *children = [*value, {}][:2] if len(value) == 1 else value
    return Node(name, attributes, [resolve(snapshots, at, child) for child in children])


def numbered(snapshots, at):
    """The nodes of a snapshot that it holds itself, in post-order."""
    def walk(value):
        if isinstance(value, str) or not isinstance(value[0], list):
            if not isinstance(value, str):
                for child in value[2:]:
                    yield from walk(child)
            yield resolve(snapshots, at, value)
    return walk(snapshots[at]["html"])


class Trace:
    def __init__(self, path):
        self.files = Archive(path) if str(path).endswith(".zip") else Files(path)
        self.text = self.files.lines("trace")
        self.events = [json.loads(line) for line in self.text.splitlines()]
        self.network_text = self.files.lines("network")
        self.requests = [json.loads(line)["snapshot"] for line in self.network_text.splitlines()]
        self.actions, known = [], {}
        for event in self.events:
            if event["type"] == "before":
                known[event["callId"]] = Action(event)
                self.actions.append(known[event["callId"]])
            elif event.get("callId") in known:
                known[event["callId"]].add(event)

    def of_type(self, *types):
        return [event for event in self.events if event["type"] in types]

    def action(self, method):
        """The last action with that method."""
        return [action for action in self.actions if action.method == method][-1]

    def snapshots(self, action, phase):
        return [event["snapshot"] for event in self.of_type("frame-snapshot")
                if event["snapshot"]["callId"] == action.id and event["snapshot"]["phase"] == phase]

    def document(self, action, phase, frame=None):
        """The main frame's document at that time, or that of the frame with this id; None without."""
        found = [each for each in self.snapshots(action, phase) if (each["isMainFrame"] if frame is None else each["frameId"] == frame)]
        if not found:
            return None
        of_frame = [event["snapshot"] for event in self.of_type("frame-snapshot") if event["snapshot"]["frameId"] == found[0]["frameId"]]
        return resolve(of_frame, of_frame.index(found[0]), found[0]["html"])

    def request(self, url):
        """The last one of that address."""
        return [request for request in self.requests if request["request"]["url"] == url][-1]

    def body(self, request):
        name = request["response"]["content"].get("_file")
        return name and self.files.read(name)
