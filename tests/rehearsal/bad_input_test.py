# SPDX-License-Identifier: Apache-2.0
"""Commands that headroom rehearse cannot answer for, or that try to get around it: each ends clearly, and nothing outside is changed.

Usage: bad_input_test.py HEADROOM        (the program, with the card's libraries beside it)
"""

import importlib.util
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from command_test import HEADROOM, CommandTest  # noqa: E402

STEPS = "take(GIB)\nfor _ in range(3): step()"


def elf(bits, interpreter="", code=b"\xf4"):
    """A program of one segment; with an interpreter it is one that is loaded by it."""
    wide = bits == 64
    word = "Q" if wide else "I"
    header, entry, base = (64, 56, 0x400000) if wide else (52, 32, 0x8048000)
    text = interpreter.encode() + b"\0" if interpreter else b""
    segments = 2 if text else 1
    begin = header + segments * entry
    size = begin + len(text) + len(code)

    def segment(kind, at, length):
        fields = (1 << 2 | 1, at, base + at, base + at, length, length, 0x1000)
        return struct.pack("<II5" + word + word, kind, 5, *fields[1:6], fields[6]) if wide else struct.pack(
            "<8I", kind, *fields[1:6], 5, fields[6])

    parts = ([segment(3, begin, len(text))] if text else []) + [segment(1, 0, size)]
    start = base + begin + len(text)
    head = b"\x7fELF" + bytes([2 if wide else 1, 1, 1]) + bytes(9)
    head += struct.pack("<HHI3" + word + "I6H", 2, 62 if wide else 3, 1, start, header, 0, 0, header, entry, segments, 0, 0, 0)
    return head + b"".join(parts) + text + code


class BadInputTest(CommandTest):
    def program(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(0o755)
        return str(path)

    def compiled(self, name, text, *options):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("no compiler")
        source, made = self.folder / (name + ".c"), self.folder / name
        source.write_text(text)
        done = subprocess.run([compiler, str(source), "-o", str(made), *options], capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest(done.stderr.decode()[:200])
        return str(made)

    def answer(self, *command, code, device="rtx4090"):
        row = self.rehearse("--device", device, command=command, code=code)["rows"][0]
        return row["verdict"], row["ranks"][0]

    def test_a_python_without_torch_fails_and_it_is_said_what_may_be_wrong(self):
        if importlib.util.find_spec("torch") is not None:
            self.skipTest("this Python has one")
        shutil.rmtree(self.packages / "torch")
        verdict, rank = self.answer(sys.executable, self.script(STEPS), code=3)
        self.assertEqual(verdict, "failed")
        self.assertIn("No module named 'torch'", self.said)
        self.assertIn("No Python with a PyTorch was heard of", rank["reason"])

    def test_a_python_that_looks_past_the_agent_never_fits(self):
        for flag in ("-I", "-E", "-S"):
            with self.subTest(flag):
                verdict, rank = self.answer(sys.executable, flag, self.script(STEPS), code=3)
                self.assertIn(verdict, ("failed", "unknown"))
                self.assertIn("-E", rank["reason"])

    def test_a_wrapper_that_clears_the_environment_is_named(self):
        sudo = self.program("sudo", '#!/bin/sh\nexec env -i PATH="$PATH" "$@"\n')
        verdict, rank = self.answer(sudo, sys.executable, self.script(STEPS), code=3)
        self.assertIn(verdict, ("failed", "unknown"))
        self.assertIn("sudo", rank["reason"])

    def test_wrappers_that_keep_the_environment_do_not_matter(self):
        shell = self.program("train.sh", f"#!/bin/sh\nset -e\ncd /\nexport OMP_NUM_THREADS=1\n{sys.executable} \"$@\" | cat\n")
        static = self.compiled("launcher", "#include <unistd.h>\nint main(int c, char** v) { return c > 1 ? execv(v[1], v + 1) : 0; }", "-static")
        for command in ((shell,), (static, sys.executable), ("env", "A=1", sys.executable), ("nice", sys.executable)):
            with self.subTest(command):
                self.assertEqual(self.answer(*command, self.script(STEPS), code=0)[0], "fits")

    def test_programs_that_nothing_can_be_preloaded_into_use_no_card(self):
        leave = {32: b"\x31\xdb\xb8\x01\x00\x00\x00\xcd\x80", 64: b"\x31\xff\xb8\x3c\x00\x00\x00\x0f\x05"}
        for bits, code in leave.items():
            with self.subTest(bits):
                program = self.program(f"static{bits}", elf(bits, code=code))
                try:
                    subprocess.run([program], check=True)
                except (OSError, subprocess.CalledProcessError):
                    self.skipTest("this kernel does not start it")
                self.assertEqual(self.answer(program, code=4)[1]["outcome"], "no_device_used")
                script = self.script(f"import subprocess\nsubprocess.run([{program!r}], check=True)\n" + STEPS)
                self.assertEqual(self.answer(sys.executable, script, code=0)[0], "fits", "as a child of what is watched")

    def test_a_program_for_musl_is_refused_before_it_starts(self):
        program = self.program("python-musl", elf(64, "/lib/ld-musl-x86_64.so.1"))
        done = self.headroom("rehearse", "--device", "rtx4090", "--", program, "train.py")
        self.assertEqual(done.returncode, 2)
        self.assertIn("musl", done.stderr)

    def test_a_program_whose_loader_is_not_there_says_so(self):
        program = self.program("foreign", elf(64, "/lib/ld-none.so.1"))
        done = self.headroom("rehearse", "--device", "rtx4090", "--", program)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/lib/ld-none.so.1 is not there", done.stderr)

    def test_file_capabilities_do_not_shake_off_the_card(self):
        python = self.folder / "python-with-rights"
        shutil.copy(os.path.realpath(sys.executable), python)
        setcap = shutil.which("setcap") or "/usr/sbin/setcap"
        if not os.path.exists(setcap) or subprocess.run([setcap, "cap_net_raw+ep", python], capture_output=True, check=False).returncode != 0:
            self.skipTest("no capabilities can be given here")
        self.environment["PYTHONHOME"] = sys.base_prefix
        self.assertEqual(self.answer(str(python), self.script(STEPS), code=0)[0], "fits")

    def test_a_preload_of_the_users_own_keeps_working(self):
        self.environment["LD_PRELOAD"] = self.compiled("libours.so", "int preloaded_by_user(void) { return 42; }", "-shared", "-fPIC")
        self.torch_is("2.6.0+cu124", "12.4")  # also where Python is started again with the card's other libraries
        text = "assert card.preloaded_by_user() == 42\nimport subprocess\n" + STEPS
        self.assertEqual(self.answer(sys.executable, self.script(text), code=0)[0], "fits")

    def test_there_is_no_device_of_a_driver_and_its_library_is_the_cards(self):
        text = """
import os
assert not [name for name in os.listdir("/dev") if name.startswith("nvidia")]
for name in ("/dev/nvidia0", "/dev/nvidiactl", "/dev/dri/card0"):
    try:
        open(name)
    except OSError:
        continue
    sys.exit(name + " was opened")
library = ctypes.CDLL("libnvidia-ml.so.1")
assert library.nvmlInit_v2() == 0
count = ctypes.c_uint()
assert library.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0 and count.value == 1
""" + STEPS
        self.assertEqual(self.answer(sys.executable, self.script(text), code=0)[0], "fits")

    def test_a_program_that_is_not_there_is_named_with_what_wanted_it(self):
        text = "import subprocess\nsubprocess.check_output(['nvidia-smi-is-not-here'])\n" + STEPS
        verdict, rank = self.answer(sys.executable, self.script("torch.cuda._lazy_init()\n" + text), code=3)
        self.assertEqual(verdict, "failed")
        self.assertIn("nvidia-smi-is-not-here", rank["reason"])

    def test_one_that_ignores_being_ended_is_ended_by_the_time_limit(self):
        text = "import signal, time\nfor s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\nwhile True: time.sleep(9)"
        document = self.rehearse("--device", "rtx4090", "--timeout", "2", command=(sys.executable, self.script(text)), code=3)
        self.assertEqual(document["rows"][0]["ranks"][0]["outcome"], "timed_out")


class WholeOutsideTest(CommandTest):
    """What changes files in other ways than by writing to them, and what sends in other ways than by a name of the network."""

    HARM = """
import os, pathlib, shutil, socket, time
folder = pathlib.Path(sys.argv[1])
def tried(change):
    try:
        change()
    except OSError as error:
        print("refused", error)
tried(lambda: os.truncate(folder / "last.pt", 0))
tried(lambda: (folder / "last.pt").chmod(0o777))
tried(lambda: os.utime(folder / "last.pt", (1, 1)))
tried(lambda: os.replace(folder / "older.pt", folder / "last.pt"))
tried(lambda: os.link(folder / "kept" / "a", folder / "b"))
tried(lambda: os.symlink("/etc", folder / "etc"))
tried(lambda: shutil.rmtree(folder / "kept"))
tried(lambda: os.rename(folder, str(folder) + "-gone"))
for family, address in ((socket.AF_INET, ("127.0.0.1", int(sys.argv[2]))), (socket.AF_UNIX, sys.argv[3]), (socket.AF_UNIX, "\\0" + sys.argv[3])):
    with socket.socket(family) as sink:
        sink.settimeout(2)
        tried(lambda: (sink.connect(address), sink.sendall(b"pushed")))
take(GIB)
print("harmed", flush=True)
for _ in range(3): step()
"""

    def setUp(self):
        super().setUp()
        self.kept = self.folder / "checkpoints"
        (self.kept / "kept").mkdir(parents=True)
        for name in ("last.pt", "older.pt", "kept/a"):
            (self.kept / name).write_text("mine")
        self.before = self.state()
        path = str(self.folder / "socket")
        self.servers = [socket.create_server(("127.0.0.1", 0))]
        for address in (path, "\0" + path):
            server = socket.socket(socket.AF_UNIX)
            server.bind(address)
            server.listen()
            self.servers.append(server)
        for server in self.servers:
            self.addCleanup(server.close)
            server.settimeout(0.2)
        self.arguments = (str(self.kept), str(self.servers[0].getsockname()[1]), path)

    def state(self):
        paths = sorted([self.kept, *self.kept.rglob("*")])
        return [(str(path), path.lstat().st_mode, path.lstat().st_mtime_ns, path.lstat().st_nlink,
                 path.read_text() if path.is_file() else "") for path in paths]

    def require_untouched(self):
        self.assertEqual(self.state(), self.before)
        for server in self.servers:
            self.assertRaises(TimeoutError, server.accept)

    def test_nothing_of_it_is_seen_outside(self):
        self.rehearse("--device", "rtx4090", command=(sys.executable, self.script(self.HARM), *self.arguments), code=0)
        self.require_untouched()

    def test_nor_where_four_at_once_are_killed(self):
        script = self.script(self.HARM + "time.sleep(321)\n")
        process = subprocess.Popen([str(HEADROOM), "rehearse", "--steps", "0", "--jobs", "4", "--axis", "n=1,2,3,4", "--device", "rtx4090",
                                    "--workspace", str(self.workspace), "--", sys.executable, script, *self.arguments, "{n}"],
                                   env=self.environment, stderr=subprocess.PIPE, cwd=self.folder)
        waited = 4
        while waited > 0:
            line = process.stderr.readline()
            self.assertTrue(line, "it ended before")
            waited -= b"harmed" in line
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stderr.close()
        self.require_gone(script)
        self.require_untouched()

    def require_gone(self, script):
        for _ in range(100):
            if subprocess.run(["pgrep", "-f", script], check=False, stdout=subprocess.DEVNULL).returncode != 0:
                return
            time.sleep(0.1)
        self.fail("a command outlives the program")


if __name__ == "__main__":
    unittest.main()
