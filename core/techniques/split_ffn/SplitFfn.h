// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/SplitFfnDescriptor.h"
#include "core/techniques/Technique.h"

#include <memory>

namespace headroom::techniques {

/// How a slice's result reaches the output.
enum class Accumulate { InPlace, OutOfPlace };

/// What becomes of the activations that a slice's backward pass needs.
enum class SliceActivations { Saved, Recomputed };

/// One step's count of slices, shared by the technique and the layers it changed.
struct SliceCount {
    std::int64_t run = 0;
    std::int64_t recomputed = 0; ///< also where a whole block is recomputed

    /// A slice begins, in the forward or in a repetition of it.
    void begin();
};

/// Feed-forward layers run in slices.
///
/// Channels: slice k takes rows [k*s, (k+1)*s) of the projection (gated kinds: the same rows of the value and of the
/// gate half, weight and bias alike) and the same columns of the output weight; the output bias is added once.
/// Tokens: slices of the flattened batch and sequence, each through the whole layer.
/// Weights are views of the layer's own.
class SplitFfn final : public Technique {
public:
    explicit SplitFfn(const config::TechniqueSetting& setting);

    StepHooks apply(models::Model& model) override;
    Counters counters() const override;
    std::string effective() const override;
    bool countRepeated(const RepeatedBlock& block) override;

private:
    config::SplitFfnNotation m_split;
    Accumulate m_accumulate;
    std::shared_ptr<SliceCount> m_count;
    std::int64_t m_layersSplit = 0;
};

} // namespace headroom::techniques
