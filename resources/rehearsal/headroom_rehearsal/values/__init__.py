# SPDX-License-Identifier: Apache-2.0
"""Values of the card that is not there, on which kernels compute nothing.

Small tensors of integers and truths are computed on the host, by rule or not known at all, and it is told which of these a program
read. `install` is called after torch was imported and before CUDA is used; `tally` counts the reads."""

import traceback

from .account import Account

_account = None


def install(records) -> None:
    """`records.write(name, **keys)` writes one record. Nothing is done before the process uses the card."""
    global _account
    if _account is None:
        _account = Account(records)
        from torch import cuda

        from .dispatch import Switch

        Switch()
        cuda._lazy_call(_use)


def _use() -> None:
    try:
        from .kernels import Values

        Values(_account).install()
    except Exception:
        # The script goes on; that its values are not to be relied on is said.
        _account.failed(traceback.format_exc())


def tally() -> dict:
    """How many reads of device values were computed, by rule and unknown; written as the record `read`, after the guesses."""
    return _account.tally() if _account else {"computed": 0, "by_rule": 0, "unknown": 0}
