// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/RecordFlags.h"

#include <algorithm>

namespace headroom::experiments {

void addFlag(OrderedJson& record, const std::string& flag, const std::string& reason)
{
    const auto addOnce = [](OrderedJson& list, const std::string& text) {
        if (std::find(list.begin(), list.end(), text) == list.end())
            list.push_back(text);
    };
    addOnce(record["flags"], flag);
    addOnce(record["flag_reasons"], flag + ": " + reason);
}

} // namespace headroom::experiments
