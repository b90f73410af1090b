"""
summary.py FAILED_BUILDS LOGS: prints what the failed tests of a `meson test` run said, the slowest tests with their seconds, then
"N passed, N failed". Status 1 when anything failed or nothing ran.
"""
import glob
import json
import sys

GOOD = {"OK", "EXPECTEDFAIL"}
TAIL = 200  # lines of a failed test's output
SLOWEST = 20


def results(folder):
    for path in glob.glob(f"{folder}/testlog*.json"):
        with open(path, encoding="utf-8") as file:
            yield from map(json.loads, file)


def print_slowest(tests):
    print("Slowest tests, in seconds:")
    for test in sorted(tests, key=lambda test: test["duration"], reverse=True)[:SLOWEST]:
        print(f"{test['duration']:8.1f}  {test['name'].split(' / ')[-1]}")


def main():
    failed = int(sys.argv[1])
    passed = skipped = 0
    tests = list(results(sys.argv[2]))
    for test in tests:
        if test["result"] in GOOD:
            passed += 1
        elif test["result"] == "SKIP":
            skipped += 1
        else:
            failed += 1
            said = (test.get("stdout", "") + test.get("stderr", "")).splitlines()
            print(f"---- {test['name']}: {test['result']}", *said[-TAIL:], sep="\n")
    if tests:
        print_slowest(tests)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
