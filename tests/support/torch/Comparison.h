// SPDX-License-Identifier: Apache-2.0
//
// Tensors compared on whatever device the tests run. Values are copied to the CPU before they are read. On meta, where
// there are none, tensors are equal that have the same shape and type.
#pragma once

#include "tests/support/torch/Norms.h"
#include "tests/support/torch/TestDevice.h"

namespace headroom {

/// The values on the host, without graph.
inline at::Tensor onHost(const at::Tensor& tensor)
{
    return tensor.detach().to(at::kCPU);
}

inline bool haveSameForm(const at::Tensor& value, const at::Tensor& expected)
{
    return value.sizes() == expected.sizes() && value.scalar_type() == expected.scalar_type();
}

/// Equal bit by bit: for copies, and for what must differ.
inline bool sameBits(const at::Tensor& value, const at::Tensor& expected)
{
    if (value.is_meta() || expected.is_meta())
        return haveSameForm(value, expected);
    return at::equal(onHost(value), onHost(expected));
}

/// How far the same computation may be off when it is done twice, as a relative L2 norm. On the CPU not at all. On a
/// GPU backward passes add with atomics, in an order that nobody prescribes, and a product of other strides takes
/// another kernel: some 50 units in the last place of a norm over a few layers, far below what a wrong number would be
/// off.
inline double deviceTolerance(c10::ScalarType type)
{
    if (testDevice().is_cpu())
        return 0;
    switch (type) {
    case at::kDouble:
        return 1e-13;
    case at::kFloat:
        return 1e-5;
    case at::kHalf:
        return 1e-2;
    case at::kBFloat16:
        return 5e-2;
    default: // integers, bits
        return 0;
    }
}

/// Results of the same computation: equal bit by bit on the CPU, within `deviceTolerance` elsewhere.
inline bool sameNumbers(const at::Tensor& value, const at::Tensor& expected)
{
    if (sameBits(value, expected))
        return true;
    const double tolerance = deviceTolerance(expected.scalar_type());
    return tolerance > 0 && haveSameForm(value, expected) && relativeL2(onHost(value), onHost(expected)) <= tolerance;
}

/// at::allclose of two computations of the same; elsewhere than on the CPU `deviceTolerance` will do.
inline bool closeNumbers(
    const at::Tensor& value, const at::Tensor& expected, double relative = 1e-5, double absolute = 1e-8)
{
    if (value.is_meta() || expected.is_meta())
        return haveSameForm(value, expected);
    return at::allclose(onHost(value), onHost(expected), relative, absolute) || sameNumbers(value, expected);
}

} // namespace headroom
