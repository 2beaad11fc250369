# SPDX-License-Identifier: Apache-2.0
"""Where a script is: its own lines first, then those of libraries, each from the innermost outwards."""

import os
import sys
import sysconfig
import threading

MOST_FRAMES = 24
_AGENT = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STANDARD = tuple({path + os.sep for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")) if path})


def is_users(file):
    if "site-packages" in file or "dist-packages" in file or file.startswith(_STANDARD):
        return False
    # <frozen runpy> and code that was generated are nobody's; <stdin> and <string> (python -c) are the user's.
    return not file.startswith("<") or file in ("<stdin>", "<string>")


def ordered(frames):
    """Of (file, line, function) from the innermost outwards."""
    known = [frame for frame in frames if not frame[0].startswith(_AGENT)]
    users = [frame for frame in known if is_users(frame[0])]
    others = [frame for frame in known if not is_users(frame[0]) and not frame[0].startswith("<frozen")]
    return [{"file": file, "line": line, "function": function}
            for file, line, function in (users + others)[:MOST_FRAMES]]


def _walk(frame):
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
        frame = frame.f_back


def here():
    """Autograd's threads have no Python of their own: there it is where the main thread waits for them."""
    frames = list(_walk(sys._getframe(1)))
    if all(file.startswith(_AGENT) for file, _, _ in frames):
        frames = list(_walk(sys._current_frames().get(threading.main_thread().ident)))
    return ordered(frames)


def of_error(error):
    frames = []
    part = error.__traceback__
    while part is not None:
        frames.append((part.tb_frame.f_code.co_filename, part.tb_lineno, part.tb_frame.f_code.co_name))
        part = part.tb_next
    return ordered(frames[::-1])
