// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Configuration.h"
#include "core/protocol/RepeatResult.h"

#include <functional>
#include <optional>
#include <stop_token>
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

/// Changes that together make a trial fit, as predicted.
struct FittingChange {
    std::vector<SettingChange> changes;
    config::Trial trial; ///< with the changes
    Bytes peakBytes = 0; ///< held of the device, without the driver's part
    std::optional<double> stepsPerSecond;
};

struct FitSearchResult {
    enum class End { Found, NothingFits, OutOfSimulations, Cancelled };

    End end = End::NothingFits;
    /// Fewest changes first, then the fastest; none that another one beats in number, memory and speed at once.
    std::vector<FittingChange> found;
    std::size_t simulations = 0;
    std::vector<std::string> tried; ///< each setting on its own: "checkpointing every:4", "batch 2"
    std::vector<std::string> failures; ///< reasons of predictions that failed, each once
};

/// Finds the smallest changes with which a trial is predicted to fit its device.
///
/// Looks at one technique's candidates at a time, then at two techniques together; where none does, at half the batch
/// by itself, with one and with two techniques, then at a quarter and so on. The first of these that has a fitting
/// change ends the search, with all that fit in it. Combinations that cannot work are not simulated.
class FitSearch {
public:
    using Predict = std::function<protocol::RepeatResult(const config::Trial&)>;
    using Fits = std::function<bool(const config::Trial&, const protocol::RepeatResult&)>;
    /// Told before each simulation how many were done.
    using Progress = std::function<void(std::size_t simulations)>;

    static constexpr std::size_t kMostSimulations = 400;

    FitSearch(Predict predict, Fits fits, std::size_t mostSimulations = kMostSimulations);

    void setProgress(Progress progress) { m_progress = std::move(progress); }

    /// What was found until then, where it is stopped. Throws what `predict` throws.
    FitSearchResult run(const config::Trial& trial, std::stop_token stop = {});

private:
    Predict m_predict;
    Fits m_fits;
    std::size_t m_mostSimulations;
    Progress m_progress;
};

} // namespace headroom::experiments
