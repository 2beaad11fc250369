// SPDX-License-Identifier: Apache-2.0
//
// What the rehearsal's Python asks of the card of calls: to be told of a refusal while the caller is still on the
// stack, and how many kernels ran. Declared here alone, since they are called by name.
#include "profiling/rehearsal/Launches.h"
#include "profiling/rehearsal/Ledger.h"

#include <atomic>

namespace {
using Told = void (*)(const char* function);
std::atomic<Told> told_{nullptr};
} // namespace

extern "C" {

/// Of each call that is refused, in the caller's thread, while nothing of the card is locked. Null: nobody any more.
void headroomCardOnRefusal(Told told)
{
    told_.store(told);
}

unsigned long long headroomCardLaunches()
{
    return headroom::rehearsal::launchCount();
}

/// What the build writes for functions that are refused (symbols/symbols.py).
int headroom_refuse(const char* function, int status)
{
    headroom::rehearsal::noteRefused(function);
    if (const Told told = told_.load())
        told(function);
    return status;
}

} // extern "C"
