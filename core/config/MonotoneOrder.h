// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace headroom::config {

/// A technique's setting in a finished trial, and its counters there.
struct TechniqueEngagement {
    std::string notation; ///< canonical; a record of another version may hold one that does not parse
    std::string options; ///< as text, equal if the options are
    std::map<std::string, std::int64_t> counters;

    /// Nothing if there is no such counter.
    std::optional<std::int64_t> counter(const std::string& name) const
    {
        const auto found = counters.find(name);
        return found == counters.end() ? std::nullopt : std::optional(found->second);
    }
};

/// An order of a technique's settings that measurements must respect, among trials that are equal in everything else: a
/// higher level needs no more memory per step, and if it costs time, no less time. A violation means that something was
/// measured wrongly.
struct MonotoneOrder {
    /// How much the technique did, from its counters; nothing if they are missing.
    std::function<std::optional<std::int64_t>(const TechniqueEngagement&)> level;
    /// Whether two settings are of the same kind, and the second has so much higher a level that the order must show.
    /// Only called for settings that have a level.
    std::function<bool(const TechniqueEngagement& fewer, const TechniqueEngagement& more)> isClearlyMore;
    /// Whether this level takes time however well it is implemented; null: the order does not cover time.
    std::function<bool(const TechniqueEngagement& more)> costsTime{};
    /// The only kind of step in which the order holds; nothing: it holds in every kind.
    std::optional<StepKind> step{};

    // Parts of sentences.
    std::string more; ///< "checkpointing more blocks", followed by "cannot need more memory"
    std::string cost{}; ///< "recomputing blocks", followed by "cannot save time"
    std::string unit; ///< of a level, after its number: "blocks checkpointed"
    std::string unitAgain{}; ///< the same in a sentence that has just used it; may be empty
};

} // namespace headroom::config
