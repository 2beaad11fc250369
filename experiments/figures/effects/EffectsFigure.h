// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "experiments/figures/Figure.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

/// A change by one setting, or by two beyond their sum.
struct EffectBar {
    std::string label; ///< "casting e4m3", "casting e4m3 × checkpointing all"
    std::optional<double> value; ///< in the unit of the axis
    std::string shown; ///< the same for people: "-0.680 GiB (-7.7 %)"
    bool isInteraction = false;
    std::string text; ///< what it means; may be empty
};

struct EffectBarsInput {
    std::string title;
    std::string axis; ///< "Change of peak allocated (GiB)"
    std::string less; ///< what a bar to the left means: "saves memory"
    std::string more; ///< "takes more"
    Provenance provenance = Provenance::Predicted;
    std::vector<EffectBar> bars; ///< main effects, then interactions
};

/// A bar for each effect from zero.
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
