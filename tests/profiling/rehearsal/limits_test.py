# SPDX-License-Identifier: Apache-2.0
"""The card that is not there on a machine with less than it: it works, or it ends and names the limit with its value.

Usage: limits_test.py FOLDER_OF_THE_LIBRARIES"""

import os
import resource
import subprocess
import sys
import tempfile
import unittest

LIBRARIES = sys.argv.pop()
GIB = 1 << 30

CARD = """name Card of the tests
count 1
totalBytes 85899345920
contextBytes 536870912
hostBytes 1073741824
capabilityMajor 9
capabilityMinor 0
multiprocessors 132
threadsPerMultiprocessor 2048
blocksPerMultiprocessor 32
warpSize 32
sharedBytesPerBlock 49152
sharedBytesPerBlockOptIn 232448
sharedBytesPerMultiprocessor 233472
registersPerBlock 65536
registersPerMultiprocessor 65536
l2Bytes 52428800
memoryBusBits 5120
clockKilohertz 1980000
memoryClockKilohertz 2619000
ascendingSegments 0
kernelSeconds 2e-6
bytesPerSecond 3.35e12
hostLinkBytesPerSecond 64e9
"""

# Allocates so many GiB one by one, writes a small value into each and reads it back; says how much of the host it took.
TAKE = """
import ctypes, sys
card = ctypes.CDLL("libcuda.so.1")
blocks = []
for number in range(int(sys.argv[1])):
    address = ctypes.c_void_p()
    status = card.cudaMalloc(ctypes.byref(address), ctypes.c_size_t(1 << 30))
    if status:
        sys.exit(f"cudaMalloc {status}")
    blocks.append(address)
    sent, got = ctypes.create_string_buffer(b"small", 4096), ctypes.create_string_buffer(4096)
    assert card.cudaMemcpy(address, sent, ctypes.c_size_t(4096), 1) == 0
    assert card.cudaMemcpy(got, address, ctypes.c_size_t(4096), 2) == 0
    assert got.raw == sent.raw
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS")))
for address in blocks:
    assert card.cudaFree(address) == 0
"""


def take(gibibytes, limits=()):
    """Runs TAKE in a process with these limits, as pairs of resource and bytes."""
    def lower():
        for what, most in limits:
            resource.setrlimit(what, (most, most))

    version = next(name for name in ("cuda13", "cuda12") if os.path.exists(os.path.join(LIBRARIES, name, "libcuda.so.1")))
    with tempfile.TemporaryDirectory() as folder:
        card = os.path.join(folder, "card")
        with open(card, "w", encoding="ascii") as file:
            file.write(CARD)
        environment = {**os.environ, "HEADROOM_CARD": card,
                       "LD_PRELOAD": os.path.join(LIBRARIES, version, "libcuda.so.1")}
        return subprocess.run([sys.executable, "-c", TAKE, str(gibibytes)], capture_output=True, text=True, check=False,
                              env=environment, preexec_fn=lower)


class LimitsTest(unittest.TestCase):
    def test_a_full_card_takes_next_to_nothing_of_the_host(self):
        ended = take(78)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertLess(int(ended.stdout), 100 * 1024, "kB")

    def test_more_than_the_card_has_is_what_cuda_calls_out_of_memory(self):
        self.assertIn("cudaMalloc 2", take(81).stderr)

    def test_a_limit_of_data_does_not_hold_it_back(self):
        self.assertEqual(take(78, [(resource.RLIMIT_DATA, 2 * GIB)]).returncode, 0)

    def test_what_fits_in_the_limit_of_addresses_works(self):
        self.assertEqual(take(2, [(resource.RLIMIT_AS, 4 * GIB)]).returncode, 0)

    def test_beyond_the_limit_of_addresses_it_ends_and_names_it(self):
        ended = take(78, [(resource.RLIMIT_AS, 16 * GIB)])
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("could not reserve address space for device memory of 1073741824 bytes", ended.stderr)
        self.assertIn("ulimit -v is 16777216 kB", ended.stderr)
        with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as file:
            self.assertIn(f"vm.overcommit_memory is {file.read().strip()},", ended.stderr)


if __name__ == "__main__":
    unittest.main()
