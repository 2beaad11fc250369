// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "experiments/results/TrialResult.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// Of a trial that ran out of memory: what it needs, as far as that is known, and where that first showed.
struct Shortage {
    /// Whether the amounts are of the whole trial, or of what it had come to when it ended.
    enum class Extent { Whole, AtLeast };

    Extent extent = Extent::AtLeast;
    std::optional<Bytes> needed = {}; ///< of the device
    std::optional<Bytes> missing = {}; ///< beyond what is usable
    std::string phase = {}; ///< of the request that failed first; empty: not known
    std::optional<Bytes> requested = {}; ///< by it
};

/// Nothing where the trial did not run out of memory, or tells no amount.
std::optional<Shortage> shortageOf(const TrialResult& result);

/// "needs 35.4 GiB, 11.7 more than usable; first failed in forward for 96 MiB", "needs at least …".
std::string sentenceFor(const Shortage& shortage);

/// The sentence, empty where there is no such shortage.
std::string shortageText(const TrialResult& result);

} // namespace headroom::experiments
