// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <optional>

namespace headroom::tensor {

/// Mixed precision: while it lives, the matrix products and the attention of this thread's layers run in another type.
/// Regions nest; none: as their inputs are.
///
/// LibTorch's own autocast, but in the layers: it works on meta too, where LibTorch has none, and computes what
/// LibTorch's does on the CPU. Casts of parameters that are trained are kept until the outermost region ends.
class LayerAutocast {
public:
    explicit LayerAutocast(std::optional<c10::ScalarType> type);
    ~LayerAutocast();
    LayerAutocast(const LayerAutocast&) = delete;
    LayerAutocast& operator=(const LayerAutocast&) = delete;

    /// The type of this thread's region; none: no region, or one without.
    static std::optional<c10::ScalarType> type();

private:
    std::optional<c10::ScalarType> m_outer;
};

/// While it lives, a frozen parameter is cast once and not at each use: for layers that take a weight several times.
/// The casts are forgotten with the outermost one.
class SharedCasts {
public:
    SharedCasts();
    ~SharedCasts();
    SharedCasts(const SharedCasts&) = delete;
    SharedCasts& operator=(const SharedCasts&) = delete;
};

/// An activation, or a parameter, as a product takes it: in the region's type. Float64 and integers stay as they are.
/// Undefined stays undefined. A parameter's cast is memory of the category upcast_copies.
at::Tensor autocastInput(const at::Tensor& input);
at::Tensor autocastParameter(const at::Tensor& parameter);

} // namespace headroom::tensor
