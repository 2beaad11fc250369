// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/RecordTables.h"

namespace headroom::store {

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

} // namespace headroom::store
