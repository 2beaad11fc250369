// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// One setting of a trial with another value, as a spec names it: `techniques.checkpointing`, "none" to "every:4".
struct SettingChange {
    std::string path;
    std::string before;
    std::string after;

    bool operator==(const SettingChange&) const = default;
};

/// "checkpointing every:4", "batch 2"
std::string shortText(const SettingChange& change);

/// Settings that are changed together: one way to make a trial need less memory.
struct FitCombination {
    std::vector<SettingChange> changes;
    config::Trial trial; ///< with the changes
    int effort = 0; ///< of the techniques' settings together (config::Candidate)
};

/// The ways there are to make a trial need less memory: candidates of its techniques, together, and smaller batches.
class FitSpace {
public:
    /// No batch: that of the trial.
    using Batch = std::optional<std::int64_t>;

    explicit FitSpace(const config::Trial& trial);

    /// Every way to change so many techniques, the simplest first; ways that cannot work are left out. None of
    /// techniques: the batch alone.
    std::vector<FitCombination> combinations(std::size_t techniques, Batch batch = {}) const;

    /// For each technique of the combination whose candidate has milder settings: the combinations with these, the one
    /// that saves most first.
    std::vector<std::vector<FitCombination>> milder(const FitCombination& combination) const;

    /// Halves of the trial's batch, the largest first, down to 1.
    std::vector<std::int64_t> smallerBatches() const;

private:
    struct Option {
        SettingChange change;
        config::Candidate candidate;
    };
    using Options = std::vector<Option>; ///< of one technique

    static Options optionsOf(const config::TechniqueDescriptor& technique, const config::Configuration& configuration);
    void extend(const FitCombination& begun, std::size_t techniques, std::size_t first,
        std::vector<FitCombination>& complete) const;
    FitCombination with(const FitCombination& combination, const Option& option) const;
    std::optional<FitCombination> replaced(
        const FitCombination& combination, const Option& option, const std::string& notation) const;

    const config::Trial m_trial;
    std::vector<Options> m_techniques;
};

} // namespace headroom::experiments
