# SPDX-License-Identifier: Apache-2.0
"""Whether this process has the card that is not there: preloading fails silently, and a real driver would compute."""

import ctypes
import os


class NotPreloaded(Exception):
    pass


class SymbolInformation(ctypes.Structure):
    """Dl_info of dlfcn.h."""

    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p),
                ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]


def library_of(function):
    process = ctypes.CDLL(None)
    process.dladdr.argtypes = [ctypes.c_void_p, ctypes.POINTER(SymbolInformation)]
    information = SymbolInformation()
    if not process.dladdr(ctypes.cast(function, ctypes.c_void_p), ctypes.byref(information)) or not information.file:
        return ""
    return os.fsdecode(information.file)


def is_below(path, folder):
    return os.path.normpath(path).startswith(os.path.normpath(folder) + os.sep)


def shake_hands(folder):
    """The library that answers cuInit. Throws NotPreloaded where that is not the card's below the given folder."""
    if not os.path.isdir(folder):
        raise NotPreloaded("no card in " + folder)
    preloaded = os.environ.get("LD_PRELOAD", "")
    function = getattr(ctypes.CDLL(None), "cuInit", None)
    if function is None:
        raise NotPreloaded("no cuInit in this process; LD_PRELOAD=" + preloaded)
    library = library_of(function)
    if not is_below(library, folder):
        raise NotPreloaded("cuInit of %s, not of the card in %s; LD_PRELOAD=%s" % (library, folder, preloaded))
    status = function(0)
    if status != 0:
        raise NotPreloaded("cuInit of %s answers %d" % (library, status))
    return library
