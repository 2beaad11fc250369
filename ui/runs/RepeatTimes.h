// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// How long repeats have taken, by kind: trials of the same model on the same device are taken to be alike.
class RepeatTimes {
public:
    using Seconds = std::chrono::duration<double>;

    /// A number for the kind of this trial, the same for all trials of the kind.
    std::size_t kindOf(const experiments::PlannedTrial& trial);

    void add(std::size_t kind, Seconds time);
    /// The mean of this kind, else of those that are simulated, or measured, like it; nothing before the first.
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
