// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastLists.h"

namespace headroom::tensor {

/// Mixed precision: while it lives, this thread's ops are autocast as LibTorch's own autocast does it, by the lists of
/// one kind of device. Regions nest; without a type ops run as their arguments are.
///
/// LibTorch casts tensors of the list's device alone and none on meta, so this is an autocast of our own, on a dispatch
/// key above autograd; what is in which list is LibTorch's. Casts of parameters that are trained in float32 are kept
/// until the outermost region ends.
class AutocastRegion {
public:
    AutocastRegion(std::optional<c10::ScalarType> type, AutocastLists lists);
    ~AutocastRegion();
    AutocastRegion(const AutocastRegion&) = delete;
    AutocastRegion& operator=(const AutocastRegion&) = delete;

    /// The type of this thread's region; none: no region, or one without.
    static std::optional<c10::ScalarType> type();
    static AutocastLists lists();

private:
    std::optional<c10::ScalarType> m_outerType;
    AutocastLists m_outerLists;
    bool m_wasIncluded;
    bool m_wasExcluded;
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

/// Whether the region casts such a tensor at all: floating, but not float64, and on the region's kind of device or on
/// meta.
bool isAutocastEligible(const at::Tensor& tensor);

/// A tensor as the region hands it to an op that wants it in `type`; itself where it is not eligible or undefined.
at::Tensor autocastTo(const at::Tensor& tensor, c10::ScalarType type);

/// An activation, or a parameter, as a product takes it: in the region's type. A parameter's cast is memory of the
/// category upcast_copies. Without a region they stay as they are.
at::Tensor autocastInput(const at::Tensor& input);
at::Tensor autocastParameter(const at::Tensor& parameter);

} // namespace headroom::tensor
