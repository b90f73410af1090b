"""
seccomp.py PROFILE COMMAND...: runs a program as a container engine would: under a seccomp profile of the form that Kubernetes takes, without
capabilities and new privileges, as an ordinary user (1000, when the caller is root) who owns TMPDIR.
"""
import ctypes
import json
import os
import sys

ALLOW, ERRNO = 0x7FFF0000, 0x00050000
COMPARE = {"SCMP_CMP_NE": 1, "SCMP_CMP_EQ": 4}
UNKNOWN = -1  # a system call that this libseccomp has not heard of
PR_SET_NO_NEW_PRIVS = 38


class Argument(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def library():
    """libseccomp; OSError where it is not installed."""
    found = ctypes.CDLL("libseccomp.so.2")
    found.seccomp_init.restype = ctypes.c_void_p
    found.seccomp_init.argtypes = [ctypes.c_uint32]
    found.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(Argument)]
    found.seccomp_load.argtypes = [ctypes.c_void_p]
    return found


def action(name, errno):
    return {"SCMP_ACT_ALLOW": ALLOW, "SCMP_ACT_ERRNO": ERRNO | errno}[name]


def load(profile):
    seccomp = library()
    context = seccomp.seccomp_init(action(profile["defaultAction"], profile["defaultErrnoRet"]))
    for rule in profile["syscalls"]:
        arguments = [Argument(a["index"], COMPARE[a["op"]], a["value"], 0) for a in rule.get("args", ())]
        for name in rule["names"]:
            number = seccomp.seccomp_syscall_resolve_name(name.encode())
            if number == UNKNOWN:
                continue
            result = seccomp.seccomp_rule_add_array(context, action(rule["action"], rule.get("errnoRet", 1)), number, len(arguments),
                                                    (Argument * len(arguments))(*arguments))
            assert result == 0, f"{name}: {os.strerror(-result)}"
    result = seccomp.seccomp_load(context)
    assert result == 0, os.strerror(-result)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    program = os.open(sys.argv[2], os.O_RDONLY | os.O_CLOEXEC)  # in a folder that the user may not enter
    if os.geteuid() == 0:
        os.chown(os.environ["TMPDIR"], 1000, 1000)
        os.setgroups([])
        os.setresgid(1000, 1000, 1000)
        os.setresuid(1000, 1000, 1000)
    ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    load(profile)
    os.execve(program, sys.argv[2:], {**os.environ, "HOME": os.environ["TMPDIR"]})


if __name__ == "__main__":
    main()
