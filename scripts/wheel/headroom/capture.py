# SPDX-License-Identifier: Apache-2.0
"""`python -m headroom.capture`, and headroom.capture(model, args, ...): the capture script, which stands among the resources."""

import importlib.util
import runpy
import sys
import types

from headroom.launch import FILES

SCRIPT = FILES / "share/headroom/capture/headroom_capture.py"


class _Capture(types.ModuleType):
    def __call__(self, *args, **kwargs):
        if "headroom_capture" not in sys.modules:
            spec = importlib.util.spec_from_file_location("headroom_capture", SCRIPT)
            sys.modules["headroom_capture"] = module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        return sys.modules["headroom_capture"].capture(*args, **kwargs)


if __name__ == "__main__":
    sys.argv[0] = str(SCRIPT)
    runpy.run_path(str(SCRIPT), run_name="__main__")
else:
    sys.modules[__name__].__class__ = _Capture
