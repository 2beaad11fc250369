// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace headroom::config {

/// What a technique was set to in a finished trial, and what it counted there.
struct TechniqueEngagement {
    std::string notation; ///< canonical; of a record of another version perhaps none that parses
    std::string options; ///< as text: equal where the options are
    std::map<std::string, std::int64_t> counters;

    /// Nothing where it was not counted.
    std::optional<std::int64_t> counter(const std::string& name) const
    {
        const auto found = counters.find(name);
        return found == counters.end() ? std::nullopt : std::optional(found->second);
    }
};

/// An order of a technique's settings that measurements have to keep, in trials that are equal in everything else: the
/// more there is of it, the less memory a step needs, and where it costs time, the more time it takes. What breaks the
/// order was measured wrongly.
struct MonotoneOrder {
    /// How much of it there is, as it was counted; nothing where it was not.
    std::function<std::optional<std::int64_t>(const TechniqueEngagement&)> level;
    /// Whether two settings are of one kind, and the second has so much more of it that the order must show. Only for
    /// those that have a level.
    std::function<bool(const TechniqueEngagement& fewer, const TechniqueEngagement& more)> isClearlyMore;
    /// Whether this much of it takes time, however well it is done; none: nothing is said about time.
    std::function<bool(const TechniqueEngagement& more)> costsTime{};
    /// The only kind of step that keeps the order; none: every kind does.
    std::optional<StepKind> step{};

    // Parts of sentences.
    std::string more; ///< "checkpointing more blocks", followed by "cannot need more memory"
    std::string cost{}; ///< "recomputing blocks", followed by "cannot save time"
    std::string unit; ///< of a level, after its number: "blocks checkpointed"
    std::string unitAgain{}; ///< the same where a sentence has just said it; may be empty
};

} // namespace headroom::config
