"""Writes the operations of src/engine that the memory engine does not perform, in C: missing.py DEPFILE OUTPUT ENGINE_FOLDER SOURCE..."""
import pathlib
import sys

depfile, output, folder, *sources = sys.argv[1:]
sys.path.insert(0, folder)
import operations  # noqa: E402


def body(o):
    """
    What is only sent has no effect, and a call without a task that was not sent says so. A test that needs another operation has to get it
    in the memory engine.
    """
    absent = f'memory_has_no("{o.name}");'
    if o.result.strip() == 'void':
        return absent if o.call else ''
    if 'replied' in o.arguments:
        return 'return -ENOTSUP;'
    if o.result.strip() == 'int' and o.list[0] == 'struct task *t':
        return f'if (!t)\n\t\treturn 0;\n\t{absent}'
    return absent


folder = pathlib.Path(folder)  # changes when it gets a header
pathlib.Path(depfile).write_text(f'{output}: {" ".join(map(str, [folder, *folder.glob("*.[ch]"), *sources]))}\n')
defined = operations.definitions(sources)
with open(output, 'w') as out:
    print(f'#include <errno.h>\n\n#include "memory.h"\n{operations.includes()}', file=out)
    for o in operations.declarations():
        if o.name not in defined:
            print(f'\n{o.declare(o.name)}\n{{\n\t{body(o)}\n}}', file=out)
