# SPDX-License-Identifier: Apache-2.0
"""torch.compile looks into each Python frame that runs below a compiled function, also into ours. Here it is told not to."""

import sys
import types

import torch


def skip_ours() -> None:
    """Marks all code of this package."""
    frames = torch._C._dynamo.eval_frame
    package = __name__.rpartition(".")[0]
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            for code in _codes_of(module):
                _skip(frames, code)


def _skip(frames, code) -> None:
    if hasattr(frames, "skip_code"):  # before 2.7
        frames.skip_code(code)
    else:
        action = frames._FrameAction
        frames.set_code_exec_strategy(code, frames._FrameExecStrategy(action.SKIP, action.DEFAULT))


def _codes_of(module):
    for value in vars(module).values():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        for function in vars(value).values() if isinstance(value, type) else [value]:
            function = getattr(function, "__func__", function)
            if isinstance(function, types.FunctionType):
                yield from _with_nested(function.__code__)


def _with_nested(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _with_nested(constant)
