"""How much memory a process holds."""
import os
import pathlib
import re

# AddressSanitizer keeps freed memory for a while, to detect its use, and that counts as resident; 1 MiB of it is kept here.
EXACT = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"}


def resident(process):
    """Bytes of memory of a subprocess.Popen that are in RAM (proc_pid_status(5))."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) << 10
