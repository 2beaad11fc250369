// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/plan/PlanRules.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A new value for one setting of a trial, as a spec names it: `techniques.checkpointing`, "none" to "every:4".
struct SettingChange {
    std::string path;
    std::string before;
    std::string after;

    bool operator==(const SettingChange&) const = default;
};

/// "checkpointing every:4", "batch 2"
std::string shortText(const SettingChange& change);

/// Settings that are changed together to reduce a trial's memory.
struct FitCombination {
    std::vector<SettingChange> changes;
    config::Trial trial; ///< with the changes
    int effort = 0; ///< sum over the techniques' settings (config::Candidate)
};

/// The changes that can reduce a trial's memory: candidates of its techniques, combinations of them, and smaller
/// batches.
class FitSpace {
public:
    /// nullopt: the trial's batch.
    using Batch = std::optional<std::int64_t>;

    /// Settings that `offers` does not have are not considered.
    explicit FitSpace(const config::Trial& trial, const Offers& offers = {});

    /// Every way to change this number of techniques, the simplest first, without those that cannot work. With 0
    /// techniques, only the batch changes.
    std::vector<FitCombination> combinations(std::size_t techniques, Batch batch = {}) const;

    /// For each technique of the combination whose candidate has milder settings: the combinations with those settings,
    /// the one that saves the most memory first.
    std::vector<std::vector<FitCombination>> milder(const FitCombination& combination) const;

    /// The trial's batch halved repeatedly, the largest first, down to 1.
    std::vector<std::int64_t> smallerBatches() const;

private:
    struct Option {
        SettingChange change;
        config::Candidate candidate;
    };
    using Options = std::vector<Option>; ///< of one technique

    Options optionsOf(const config::TechniqueDescriptor& technique, const Offers& offers) const;
    void extend(const FitCombination& begun, std::size_t techniques, std::size_t first,
        std::vector<FitCombination>& complete) const;
    FitCombination with(const FitCombination& combination, const Option& option) const;
    std::optional<FitCombination> replaced(
        const FitCombination& combination, const Option& option, const std::string& notation) const;

    const config::Trial m_trial;
    std::vector<Options> m_techniques;
};

} // namespace headroom::experiments
