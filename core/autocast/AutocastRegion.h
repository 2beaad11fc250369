// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastLists.h"

namespace headroom::tensor {

/// Mixed precision: while it lives, this thread's ops are autocast as LibTorch's own autocast does it, by the lists of
/// one kind of device. Regions nest; without a type, ops run in the types of their arguments.
///
/// LibTorch casts only tensors of the list's device and none on meta, so this is our own autocast, on a dispatch key
/// above autograd; the lists are LibTorch's. Casts of parameters that are trained in float32 are kept until the
/// outermost region ends.
class AutocastRegion {
public:
    AutocastRegion(std::optional<c10::ScalarType> type, AutocastLists lists);
    ~AutocastRegion();
    AutocastRegion(const AutocastRegion&) = delete;
    AutocastRegion& operator=(const AutocastRegion&) = delete;

    /// The type of this thread's region; nothing: there is no region, or it has no type.
    static std::optional<c10::ScalarType> type();
    static AutocastLists lists();

private:
    std::optional<c10::ScalarType> m_outerType;
    AutocastLists m_outerLists;
    bool m_wasIncluded;
    bool m_wasExcluded;
};

/// While it lives, a frozen parameter is cast once instead of at each use: for layers that use a weight several times.
/// The casts are dropped with the outermost SharedCasts.
class SharedCasts {
public:
    SharedCasts();
    ~SharedCasts();
    SharedCasts(const SharedCasts&) = delete;
    SharedCasts& operator=(const SharedCasts&) = delete;
};

/// Whether the region casts such a tensor at all: floating-point but not float64, and on the region's kind of device or
/// on meta.
bool isAutocastEligible(const at::Tensor& tensor);

/// The tensor as the region passes it to an op that wants `type`; unchanged if it is not eligible or undefined.
at::Tensor autocastTo(const at::Tensor& tensor, c10::ScalarType type);

/// An activation or a parameter as a matrix product uses it: in the region's type. A parameter's cast is memory of the
/// category upcast_copies. Without a region both stay as they are.
at::Tensor autocastInput(const at::Tensor& input);
at::Tensor autocastParameter(const at::Tensor& parameter);

} // namespace headroom::tensor
