"""
Writes what lets several engines stand in one program, from the operations that the headers of src/engine declare:

    operations.py header DEPFILE OUTPUT            struct engine_operations, one pointer for each operation
    operations.py names DEPFILE OUTPUT ENGINE      macros that give the operations of one engine names of their own
    operations.py table DEPFILE OUTPUT ENGINE      its struct engine_operations
    operations.py dispatch DEPFILE OUTPUT          the operations, each of which calls that of the engine of its target, frame, call...

An engine is a folder below src/engine whose files define operations under the names of the headers; the build includes its macros in front of
each. What it does not define fails with -ENOTSUP, or has no effect where it is only sent. What is defined in src/engine itself holds for all
engines. An operation with nothing that says whose it is (SUBJECTS) belongs to the one engine that defines it.
"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent
ENGINES = ('cdp', 'bidi')  # the first one is asked where a target has ended
DECLARATION = re.compile(r'^((?:const )?(?:struct |unsigned )?\w+[ *]+)(\w+)\(([^;{}]*?)\);', re.M)
DEFINITION = re.compile(r'^(?!static)\w[\w *]*?\b(\w+)\([^;{}]*\)\n\{', re.M)

# The type of a parameter, and how to find the engine of one.
SUBJECTS = (
    (re.compile(r'(?:const )?struct engine_target \*(\w+)'), 'of_target({})'),
    (re.compile(r'const struct engine_frame \*(\w+)'), 'of_target({}->target)'),
    (re.compile(r'(?:const )?struct engine_cast \*(\w+)'), 'of_target({})'),
    (re.compile(r'(?:const )?struct launch \*(\w+)'), 'of_launch({})'),
    (re.compile(r'const struct engine_options \*(\w+)'), 'of_options({})'),
    (re.compile(r'(?:const )?struct engine_call \*(\w+)'), 'of_call({})'),
)
CALL = re.compile(r'struct engine_call \*(\w+)')


class Operation:
    def __init__(self, header, result, name, parameters):
        self.header, self.result, self.name, self.parameters = header, result, name, ' '.join(parameters.split())
        self.list = [] if parameters == 'void' else [part.removeprefix('_borrowed_ ') for part in split(self.parameters)]
        self.arguments = ', '.join(map(argument, self.list))
        self.subject = next((form.format(m[1]) for pattern, form in SUBJECTS for part in self.list
                             if (m := pattern.fullmatch(part))), None)
        self.call = next((m[1] for part in self.list if (m := CALL.fullmatch(part))), None)

    def declare(self, name):
        return f'{self.result}{name}({self.parameters})'


def split(parameters):
    """The parameters of a function, which may be pointers to functions themselves."""
    parts, depth = [''], 0
    for character in parameters:
        depth += (character == '(') - (character == ')')
        if character == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def argument(parameter):
    pointer = re.search(r'\(\*(\w+)\)', parameter)
    return pointer[1] if pointer else re.search(r'(\w+)(?:\[\w*\])?$', parameter)[1]


def without_comments(path):
    return re.sub(r'/\*.*?\*/', '', pathlib.Path(path).read_text(), flags=re.S)


def definitions(sources):
    return {name for source in sources for name in DEFINITION.findall(without_comments(source))}


def declarations():
    """The operations that the headers declare and src/engine itself does not define."""
    neutral = definitions(FOLDER.glob('*.c'))
    return [Operation(header.name, *declared) for header in sorted(FOLDER.glob('*.h'))
            for declared in DECLARATION.findall(without_comments(header)) if declared[1] not in neutral]


def sort_out(operations):
    """Those that are chosen by their subjects, and the names of the others, which have one engine each."""
    defined = {engine: definitions((FOLDER / engine).glob('*.c')) for engine in ENGINES}
    alone = {o.name for o in operations if not o.subject}
    for name in alone:
        owners = [engine for engine in ENGINES if name in defined[engine]]
        if len(owners) != 1:
            sys.exit(f'{name}() has no parameter that says whose it is, and these engines define it: {", ".join(owners) or "none"}')
    return [o for o in operations if o.subject], alone, defined


def includes():
    return '\n'.join(f'#include "engine/{header.name}"' for header in sorted(FOLDER.glob('*.h')))


def write_header(operations):
    yield '#pragma once\n\n' + includes() + '\n\nstruct engine_operations {'
    yield from (f'\t{o.declare(f"(*{o.name})")};' for o in operations)
    yield '};\n\n' + '\n'.join(f'extern const struct engine_operations {engine}_engine;' for engine in ENGINES)


def write_names(operations, engine):
    yield '#pragma once\n'
    yield from (f'#define {o.name} {engine}_{o.name}' for o in operations)


def absent(o):
    """The statements of an operation that an engine does not have."""
    if o.call and 'replied' not in o.arguments:
        task = 't' if 'struct task *t' in o.list else 'NULL'
        yield f'if ({o.call})'
        yield f'\t*{o.call} = (struct engine_call){{ .task = {task}, .method = "{o.name}", .result = -ENOTSUP }};'
    if o.result.strip() == 'void':
        return
    if o.result.strip() == 'int' and 'struct task *t' in o.list and not o.call:
        yield f'return t ? task_fail(t, -ENOTSUP, "this browser has no way to do that (%s)", "{o.name}") : -ENOTSUP;'
    elif o.result.strip() == 'int':
        yield 'return -ENOTSUP;'
    elif o.result.startswith('struct ') and '*' not in o.result:
        yield f'return ({o.result.strip()}){{}};'
    else:
        yield 'return 0;'


def write_table(operations, engine, defined):
    yield '#include <errno.h>\n\n#include "engine/operations.h"\n#include "loop/task.h"'
    for o in operations:
        if o.name not in defined:
            yield f'\nstatic {o.declare("absent_" + o.name)}\n{{'
            yield from (f'\t{line}' for line in absent(o))
            yield '}'
    yield f'\nconst struct engine_operations {engine}_engine = {{'
    yield from (f'\t.{o.name} = {"" if o.name in defined else "absent_"}{o.name},' for o in operations)
    yield '};'


def write_dispatch(operations):
    yield '#include "engine/operations.h"\n'
    yield 'static const struct engine_operations *of_options(const struct engine_options *o)\n{'
    yield '\treturn o->product == BROWSER_FIREFOX ? &bidi_engine : &cdp_engine;\n}\n'
    for what in ('target', 'launch'):
        yield f'static const struct engine_operations *of_{what}(const void *x)\n{{'
        yield f'\treturn x ? *(const struct engine_operations *const *)x : &{ENGINES[0]}_engine;\n}}\n'
    yield 'static const struct engine_operations *of_call(const struct engine_call *call)\n{'
    yield f'\treturn call->engine ? call->engine : &{ENGINES[0]}_engine;\n}}'
    for o in operations:
        is_void = o.result.strip() == 'void'
        sends = o.call and 'of_call' not in o.subject
        yield f'\n{o.declare(o.name)}\n{{\n\tconst struct engine_operations *engine = {o.subject};'
        if not sends:
            yield f'\n\t{"" if is_void else "return "}engine->{o.name}({o.arguments});\n}}'
            continue
        yield '' if is_void else f'\t{o.result}result;\n'
        yield f'\t{"" if is_void else "result = "}engine->{o.name}({o.arguments});\n\tif ({o.call})\n\t\t{o.call}->engine = engine;'
        yield '}' if is_void else '\treturn result;\n}'


def main(what, depfile, output, engine=None):
    folders = [FOLDER, *(FOLDER / name for name in ENGINES)]
    read = [path for folder in folders for path in [folder, *sorted(folder.glob('*.[ch]'))]]
    pathlib.Path(depfile).write_text(f'{output}: {" ".join(map(str, read))}\n')
    operations, _, defined = sort_out(declarations())
    lines = {
        'header': lambda: write_header(operations),
        'names': lambda: write_names(operations, engine),
        'table': lambda: write_table(operations, engine, defined[engine]),
        'dispatch': lambda: write_dispatch(operations),
    }[what]()
    pathlib.Path(output).write_text('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
