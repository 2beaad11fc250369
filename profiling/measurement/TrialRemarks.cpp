// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TrialRemarks.h"

namespace headroom::collectors {

void addTo(std::vector<std::string>& remarks, const std::string& remark)
{
    if (!remark.empty())
        remarks.push_back(remark);
}

std::string remarkOn(const protocol::MemoryLeak& leak)
{
    return "memory of the category " + leak.category + " grew by " + std::to_string(leak.bytesPerStep)
        + " bytes from one step to the next";
}

} // namespace headroom::collectors
