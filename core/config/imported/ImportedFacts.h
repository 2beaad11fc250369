// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::config {

/// What results say of an imported model, and what is kept with them so that they can be read without the archive.
struct ImportedFacts {
    std::string file{}; ///< the archive, where it lay
    std::string content{}; ///< tells archives apart, wherever they lie: 16 hexadecimal digits
    std::string modelClass{}; ///< empty: not told
    std::string torchVersion{}; ///< that exported it; empty: not told
    std::string exportedOn{}; ///< device; empty: not told
    std::int64_t parameters = 0;
    int blocks = 0;
    double forwardFlops = 0; ///< of one forward over the batch
    std::int64_t tokens = 0; ///< of one forward
    std::string dtype{}; ///< of most parameters
    std::vector<std::string> remarks{}; ///< what a person should know of the archive

    bool operator==(const ImportedFacts&) const = default;
};

} // namespace headroom::config
