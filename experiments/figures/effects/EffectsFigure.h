// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "experiments/figures/Figure.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

/// A change of the peak by one setting, or by two beyond their sum.
struct EffectBar {
    std::string label; ///< "casting e4m3", "casting e4m3 × checkpointing all"
    std::optional<Bytes> bytes;
    std::optional<double> share; ///< of the peak without it
    bool isInteraction = false;
    std::string text; ///< what it means; may be empty
};

struct EffectBarsInput {
    std::string title;
    std::string memory; ///< "allocated"
    Provenance provenance = Provenance::Predicted;
    std::vector<EffectBar> bars; ///< main effects, then interactions
};

/// A bar for each effect from zero: to the left it saves memory, to the right it takes more.
Figure effectBarsFigure(const EffectBarsInput& input);

/// Mean peaks at two levels of two techniques.
struct InteractionInput {
    std::string a; ///< "casting"
    std::string aWithout; ///< "casting off"
    std::string aWith; ///< "casting e4m3"
    std::string bWithout; ///< "checkpointing none"
    std::string bWith;
    std::string memory;
    Provenance provenance = Provenance::Predicted;
    Bytes neither = 0, onlyA = 0, onlyB = 0, both = 0;
    std::string text; ///< what the interaction is
};

/// An interaction plot: the peak over the levels of one technique, a line for each level of the other. Parallel lines:
/// each does the same with and without the other.
Figure interactionFigure(const InteractionInput& input);

} // namespace headroom::figures
