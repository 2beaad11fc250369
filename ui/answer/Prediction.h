// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/verdict/FitVerdict.h"

#include <QString>

#include <memory>
#include <optional>

namespace headroom::ui {

/// The result of simulating one trial on one card.
struct Prediction {
    config::Trial trial; ///< the trial that was simulated
    protocol::RepeatResult result;
    std::optional<protocol::RepeatResult> need; ///< on the card without its limit, if the trial ran out of memory
    experiments::FitVerdict verdict;
    QString remark; ///< what happened to the worker during the simulation; mostly empty

    /// The time of one step, on the card without its limit if the trial does not fit; nullopt if it is not known.
    std::optional<double> stepSeconds() const;
};

using Answer = std::shared_ptr<const Prediction>;

} // namespace headroom::ui
