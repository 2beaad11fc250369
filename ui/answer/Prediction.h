// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/verdict/FitVerdict.h"

#include <QString>

#include <memory>
#include <optional>

namespace headroom::ui {

/// What a simulation says of one trial on one card.
struct Prediction {
    config::Trial trial; ///< as it was simulated
    protocol::RepeatResult result;
    std::optional<protocol::RepeatResult> need; ///< on the card without its limit, where it ran out of memory
    experiments::FitVerdict verdict;
    QString remark; ///< what happened to the worker on the way; mostly empty

    /// Of one step; of the card without its limit where the trial does not fit. Nothing where it is not known.
    std::optional<double> stepSeconds() const;
};

using Answer = std::shared_ptr<const Prediction>;

} // namespace headroom::ui
