# SPDX-License-Identifier: Apache-2.0
"""The built libraries of the card that is not there, as a loader sees them: what they need, what they export, and that the
table of functions says the same as they and as CUDA's own libraries, where those are."""

import os
import re
import subprocess
import sys
import unittest

SOURCES, LIBRARIES, CACHE = sys.argv.pop(), sys.argv.pop(), os.environ.get("HEADROOM_LIBTORCH", "")
sys.path.insert(0, os.path.join(SOURCES, "profiling/rehearsal/symbols"))
import symbols  # noqa: E402

C_LIBRARY = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0"}
NEWEST_C_LIBRARY = (2, 17)
# Not functions of CUDA: what the linker makes.
LINKER_NAMES = {"_init", "_fini", "__bss_start", "_edata", "_end"}


def folders():
    return [(version, os.path.join(LIBRARIES, f"cuda{version}")) for version in symbols.VERSIONS
            if os.path.exists(os.path.join(LIBRARIES, f"cuda{version}", "libcuda.so.1"))]


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def dynamic(library, tag):
    return re.findall(rf"\({tag}\).*\[(.*)\]", run("readelf", "-dW", library))


class LibraryTest(unittest.TestCase):
    def test_both_are_built(self):
        self.assertTrue(folders())

    def test_needs_the_c_library_alone(self):
        for _, folder in folders():
            self.assertLessEqual(set(dynamic(f"{folder}/libcuda.so.1", "NEEDED")), C_LIBRARY)

    def test_needs_no_new_c_library(self):
        for _, folder in folders():
            for name in os.listdir(folder):
                for version in re.findall(r"GLIBC_(\d+\.\d+)", run("readelf", "-VW", f"{folder}/{name}")):
                    self.assertLessEqual(tuple(map(int, version.split("."))), NEWEST_C_LIBRARY, f"{name}: {version}")

    def test_is_found_by_the_names_that_programs_open(self):
        for version, folder in folders():
            for name in ("libcuda.so.1", f"libnvrtc.so.{version}", "libnvidia-ml.so.1"):
                self.assertEqual(dynamic(f"{folder}/{name}", "SONAME"), [name])

    def test_exports_what_the_table_says(self):
        for version, folder in folders():
            found = {line.split()[-1] for line in run("nm", "-D", "--defined-only", f"{folder}/libcuda.so.1").splitlines()}
            self.assertEqual(sorted(found - LINKER_NAMES), sorted(symbols.functions(version)))

    def test_other_names_are_of_functions_that_are_answered(self):
        for version in symbols.VERSIONS:
            table = symbols.functions(version)
            for name, (how, *_) in table.items():
                if how.startswith("as "):
                    self.assertIn(how[3:], table, name)

    def test_table_has_all_of_cudas_own_libraries(self):
        if not os.path.exists(os.path.join(CACHE, "nvidia")):
            self.skipTest(f"no CUDA libraries in {CACHE or 'HEADROOM_LIBTORCH'}")
        known = set(symbols.functions("13"))
        for library in ("cu13/lib/libcudart.so.13", "cu13/lib/libnvrtc.so.13", "cu13/lib/libcublas.so.13", "cu13/lib/libcublasLt.so.13",
                        "cu13/lib/libcusolver.so.12", "cu13/lib/libcusparse.so.12", "cu13/lib/libcufft.so.12",
                        "cu13/lib/libcurand.so.10", "cudnn/lib/libcudnn.so.9", "nccl/lib/libnccl.so.2", "cusparselt/lib/libcusparseLt.so.0"):
            path = os.path.join(CACHE, "nvidia", library)
            if os.path.exists(path):
                documented = {name for name in symbols.exported(path) if re.match(r"(__)?(cu|nccl|nvrtc)", name)}
                self.assertEqual(sorted(documented - known), [], library)

    def test_lives_in_a_python_that_uses_no_card(self):
        for version, folder in folders():
            preload = ":".join(f"{folder}/{name}" for name in ("libcuda.so.1", f"libnvrtc.so.{version}", "libnvidia-ml.so.1"))
            environment = {**os.environ, "LD_PRELOAD": preload}
            environment.pop("HEADROOM_CARD", None)
            script = ("import ctypes; ctypes.CDLL('libstdc++.so.6'); card = ctypes.CDLL('libcuda.so.1'); count = ctypes.c_int(-1);"
                      "print(card.cudaGetDeviceCount(ctypes.byref(count)), count.value);"
                      "ctypes.CDLL('libnvidia-ml.so.1').nvmlInit_v2; print(len(open('/proc/self/maps').read()) > 0)")
            self.assertEqual(run(sys.executable, "-c", script, env=environment).split(), ["100", "0", "True"])

    def test_runs_nothing_when_it_is_loaded(self):
        for _, folder in folders():
            sizes = re.findall(r"\(INIT_ARRAYSZ\)\s+(\d+)", run("readelf", "-dW", f"{folder}/libcuda.so.1"))
            # The one entry is the compiler's own.
            self.assertLessEqual(int(sizes[0]) if sizes else 0, 8)


if __name__ == "__main__":
    unittest.main()
