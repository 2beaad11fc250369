// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "experiments/results/TrialResult.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// How much memory a trial that ran out of memory needs, as far as that is known, and where it first failed.
struct Shortage {
    /// Whole: the amounts cover the whole trial. AtLeast: they cover only what had run when the trial ended.
    enum class Extent { Whole, AtLeast };

    Extent extent = Extent::AtLeast;
    std::optional<Bytes> needed = {}; ///< device memory
    std::optional<Bytes> missing = {}; ///< in excess of the usable memory
    std::string phase = {}; ///< of the first failed request; empty: unknown
    std::optional<Bytes> requested = {}; ///< by that request
};

/// nullopt if the trial did not run out of memory, or if no amount is known.
std::optional<Shortage> shortageOf(const TrialResult& result);

/// "needs 35.4 GiB, 11.7 more than usable; first failed in forward for 96 MiB", "needs at least …".
std::string sentenceFor(const Shortage& shortage);

/// The sentence for the trial's shortage; empty if there is none.
std::string shortageText(const TrialResult& result);

} // namespace headroom::experiments
