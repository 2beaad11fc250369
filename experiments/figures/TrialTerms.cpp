// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/TrialTerms.h"

namespace headroom::figures {

bool isFarBeyond(const Budget& budget, Bytes largest)
{
    return budget.bytes / 2 > largest;
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
