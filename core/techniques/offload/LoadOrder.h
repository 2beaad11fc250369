// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/offload/WeightLoader.h"

namespace headroom::techniques {

/// In which order units are loaded, learned by watching: modules may run in another order than they were built in, and
/// not all of them each time.
///
/// A round is a forward with the backward pass that follows. The first round is the order; one that had units which the
/// order lacks replaces it.
class LoadOrder {
public:
    /// A round begins.
    void begin();

    /// When a unit is loaded: in the forward, or once more in a repetition for the backward pass.
    enum class Pass { Forward, Repetition };
    struct Load {
        OffloadUnit* unit = nullptr; ///< null: not known, or none
        Pass pass = Pass::Forward;

        bool operator==(const Load&) const = default;
    };
    /// A unit is loaded now; returns what is to be loaded next.
    Load passed(const Load& load);

private:
    std::vector<Load> m_order;
    std::vector<Load> m_watched;
    std::size_t m_position = 0; ///< of the load that is expected next
    bool m_lacksSome = false; ///< the round has units that the order does not have there
};

} // namespace headroom::techniques
