// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/protocol/Json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::protocol {

/// A module's memory that was alive at a peak.
struct ModuleBytes {
    std::string path; ///< upstream's path; empty: memory of no module
    Bytes bytes = 0; ///< the module's own, without those of its submodules
    std::map<std::string, Bytes> categories; ///< only those with bytes; they sum to `bytes`

    bool operator==(const ModuleBytes&) const = default;
};

/// Memory that a line of an imported model's source held at a peak.
struct SourceBytes {
    std::string line; ///< "modeling_llama.py:312"
    Bytes bytes = 0;
    std::map<std::string, Bytes> categories; ///< only those with bytes; they sum to `bytes`

    bool operator==(const SourceBytes&) const = default;
};

/// Memory that grew from the end of one step to the end of the next.
struct MemoryLeak {
    std::string category;
    Bytes bytesPerStep = 0;

    bool operator==(const MemoryLeak&) const = default;
};

/// What allocated memory consisted of when it first reached the peak of the measured steps.
struct MemoryBreakdown {
    Bytes totalBytes = 0; ///< the peak: categories, modules and techniques each sum to it
    std::string phase{}; ///< in which the peak was reached
    std::map<std::string, Bytes> categories{}; ///< all of them, by name
    std::vector<ModuleBytes> modules{}; ///< largest first
    std::map<std::string, Bytes> techniques{}; ///< by key; "" for memory that no technique caused
    std::vector<MemoryLeak> leaks{};
    std::vector<SourceBytes> sources{}; ///< largest first; empty where source lines are not known
    std::optional<Bytes> requestedBytes{}; ///< what was asked for of the total; the rest is rounding and unsplit slack

    bool operator==(const MemoryBreakdown&) const = default;
};

/// As in the contract's record; null if there is none.
Json toJson(const std::optional<MemoryBreakdown>& breakdown);
std::optional<MemoryBreakdown> breakdownFromJson(const Json& json);

} // namespace headroom::protocol
