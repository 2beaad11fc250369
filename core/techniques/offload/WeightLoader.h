// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/offload/OffloadedWeight.h"
#include "core/tensor/SideStream.h"

#include <optional>

namespace headroom::techniques {

/// Weights that come to the device together.
struct OffloadUnit {
    OffloadedWeights weights;
    bool isHeld = false; ///< by a load or a prefetch

    bool isUsed() const;
};

/// Brings weights to the device and lets them go again; with a side stream also ahead of their use.
///
/// The device's copies are memory of the compute stream. So they are given back without waiting, and a copy on the side
/// stream starts no sooner than what the compute stream does at its submission is done.
class WeightLoader {
public:
    enum class Stream { Compute, Side };

    WeightLoader(c10::Device device, Stream stream);

    /// The unit's weights are on the device and in use. Leaves nothing behind where memory runs out.
    void load(OffloadUnit& unit);
    /// They will be: the copies begin. Nothing without a side stream.
    void prefetch(OffloadUnit& unit);
    void unload(OffloadUnit& unit) noexcept;
    /// A prefetch that nobody needs after all.
    void discard(OffloadUnit& unit);

private:
    OffloadedWeights hold(OffloadUnit& unit);
    void awaitPrefetch();

    std::optional<tensor::SideStream> m_stream;
    bool m_isCopying = false; ///< something was submitted that nobody has waited for
};

} // namespace headroom::techniques
