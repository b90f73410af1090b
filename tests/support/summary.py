"""
summary.py FAILED_BUILDS LOGS: prints what the failed tests of a `meson test` run said, then "N passed, N failed".
Status 1 when anything failed or nothing ran.
"""
import glob
import json
import sys

GOOD = {"OK", "EXPECTEDFAIL"}
TAIL = 200  # lines of a failed test's output


def results(folder):
    for path in glob.glob(f"{folder}/testlog*.json"):
        with open(path, encoding="utf-8") as file:
            yield from map(json.loads, file)


def main():
    failed = int(sys.argv[1])
    passed = skipped = 0
    for test in results(sys.argv[2]):
        if test["result"] in GOOD:
            passed += 1
        elif test["result"] == "SKIP":
            skipped += 1
        else:
            failed += 1
            said = (test.get("stdout", "") + test.get("stderr", "")).splitlines()
            print(f"---- {test['name']}: {test['result']}", *said[-TAIL:], sep="\n")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
