"""Runs a program that the kernel refuses a system call: deny.py NUMBER PROGRAM [ARGUMENT...] (seccomp(2), EPERM)."""
import ctypes
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO, EPERM = 0x7fff0000, 0x00050000, 1


def statement(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


def deny(number):
    code = ctypes.create_string_buffer(b"".join((
        statement(LOAD, 0), statement(JUMP_IF_EQUAL, number, 0, 1), statement(RETURN, ERRNO | EPERM), statement(RETURN, ALLOW))))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 4, ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program):
        raise OSError(ctypes.get_errno(), "prctl")


deny(int(sys.argv[1]))
os.execv(sys.argv[2], sys.argv[2:])
