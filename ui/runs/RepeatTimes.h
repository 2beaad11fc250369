// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// The durations of repeats by kind of trial: trials of the same model on the same device are assumed to take equally
/// long.
class RepeatTimes {
public:
    using Seconds = std::chrono::duration<double>;

    /// A number that identifies the kind of this trial.
    std::size_t kindOf(const experiments::PlannedTrial& trial);

    void add(std::size_t kind, Seconds time);
    /// The mean for this kind, else for all kinds that are simulated, or measured, like it; nullopt if there is none
    /// yet.
    std::optional<Seconds> expected(std::size_t kind) const;

private:
    struct Kind {
        bool isSimulated = false;
        Seconds total{};
        int count = 0;
    };

    std::map<std::string, std::size_t> m_names;
    std::vector<Kind> m_kinds;
};

} // namespace headroom::ui
