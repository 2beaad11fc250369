// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::interchange {

/// What an export wrote, for the person who asked for it.
struct ExportSummary {
    std::string contents{}; ///< "15,796 events, 2,044 segments": in the words of the format
    std::uint64_t bytes = 0; ///< size of the file
    std::vector<std::string> notes{}; ///< what could not be exported or was changed; one sentence each
};

} // namespace headroom::interchange
