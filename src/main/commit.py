#!/usr/bin/env python3
"""Prints the commit of the sources: commit.py ROOT.

In an archive that `git archive` made, commit.txt beside this file has it. In a clone, git knows it; `-dirty` follows if files were
changed since. Sources that lie in the repository of another project are not a clone, and fail."""

import pathlib
import re
import subprocess
import sys

LENGTH = 12


def git(root, *arguments):
    return subprocess.run(['git', '-C', root, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def commit_of(root):
    exported = pathlib.Path(__file__).with_name('commit.txt').read_text(encoding='utf-8').strip()
    if re.fullmatch(r'[0-9a-f]{40,64}', exported):
        return exported[:LENGTH]
    if pathlib.Path(git(root, 'rev-parse', '--show-toplevel')).resolve() != pathlib.Path(root).resolve():
        raise FileNotFoundError(f'{root} is not the root of a clone')
    return git(root, 'describe', '--always', '--dirty', '--exclude=*', f'--abbrev={LENGTH}')


if __name__ == '__main__':
    try:
        print(commit_of(sys.argv[1]))
    except (OSError, subprocess.CalledProcessError):
        sys.exit(1)
