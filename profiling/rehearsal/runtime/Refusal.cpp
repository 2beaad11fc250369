// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Ledger.h"

/// What the build writes for functions that are refused (symbols/symbols.py).
extern "C" int headroom_refuse(const char* function, int status)
{
    headroom::rehearsal::noteRefused(function);
    return status;
}
