"""README.md holds the options table that the program prints: readme_options.py BROWSERD README"""
import subprocess
import sys

BEGIN, END = "<!-- options: browserd --markdown -->\n", "<!-- end of options -->\n"


def main():
    program, readme = sys.argv[1:]
    expected = subprocess.run([program, "--markdown"], capture_output=True, text=True, check=True).stdout
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    found = text.partition(BEGIN)[2].partition(END)[0]
    if found == expected:
        return
    print(f"The options table of {readme} is not what the program prints. Put this between the two marks:\n{expected}")
    for theirs, ours in zip(found.splitlines(), expected.splitlines()):
        if theirs != ours:
            print(f"first difference:\n- {theirs}\n+ {ours}")
            break
    sys.exit(1)


main()
