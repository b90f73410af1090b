"""Writes the operations of src/engine that the memory engine does not perform, in C: missing.py DEPFILE OUTPUT ENGINE_FOLDER SOURCE..."""
import pathlib
import re
import sys

# In the headers: the type, the name and the parameters of a function.
DECLARATION = re.compile(r'^((?:const )?(?:struct |unsigned )?\w+[ *]+)(\w+)\(([^;{}]*?)\);', re.M)
DEFINITION = re.compile(r'^(?!static)\w[\w *]*?\b(\w+)\([^;{}]*\)\n\{', re.M)


def without_comments(path):
    return re.sub(r'/\*.*?\*/', '', pathlib.Path(path).read_text(), flags=re.S)


def body(result, name, parameters):
    """
    What is only sent has no effect, and a call without a task that was not sent says so. A test that needs another operation has to get it
    in the memory engine.
    """
    absent = f'memory_has_no("{name}");'
    if result == 'void':
        return absent if 'struct engine_call *' in parameters else ''
    if '(*replied)' in parameters:
        return 'return -ENOTSUP;'
    if result == 'int' and parameters.startswith('struct task *t,'):
        return f'if (!t)\n\t\treturn 0;\n\t{absent}'
    return absent


def main(depfile, output, folder, *sources):
    folder = pathlib.Path(folder)  # changes when it gets a header
    headers, sources = sorted(folder.glob('*.h')), [*folder.glob('*.c'), *sources]
    pathlib.Path(depfile).write_text(f'{output}: {" ".join(map(str, [folder, *headers, *sources]))}\n')
    defined = {name for source in sources for name in DEFINITION.findall(without_comments(source))}
    with open(output, 'w') as out:
        print('#include <errno.h>\n\n#include "memory.h"', file=out)
        for header in headers:
            print(f'#include "engine/{header.name}"', file=out)
        for header in headers:
            for result, name, parameters in DECLARATION.findall(without_comments(header)):
                if name not in defined:
                    print(f'\n{result}{name}({parameters})\n{{\n\t{body(result.strip(), name, parameters)}\n}}', file=out)


main(*sys.argv[1:])
