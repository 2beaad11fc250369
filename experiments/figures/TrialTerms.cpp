// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/TrialTerms.h"

namespace headroom::figures {

bool isFarBeyond(const Budget& budget, Bytes largest)
{
    return budget.bytes / 2 > largest;
}

std::string name(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Completed:
        return "completed";
    case Outcome::OutOfMemory:
        return "out of memory";
    case Outcome::Failed:
        return "failed";
    case Outcome::TimedOut:
        return "timed out";
    case Outcome::Cancelled:
        return "cancelled";
    case Outcome::Skipped:
        return "skipped";
    case Outcome::NotRun:
        return "not run";
    }
    return {};
}

std::string name(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Allocated:
        return "allocated";
    case MemoryKind::Reserved:
        return "reserved";
    case MemoryKind::Needed:
        return "needed";
    case MemoryKind::HostRss:
        return "host resident";
    }
    return {};
}

} // namespace headroom::figures
