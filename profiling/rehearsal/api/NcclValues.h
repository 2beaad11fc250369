// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace headroom::rehearsal::nccl {

/// ncclDataType_t in bytes; 0 where it is none.
std::size_t elementBytes(int dataType);
/// "f32", "bf16".
const char* elementName(int dataType);

/// Multiplies `count` elements in host memory by `factor`, in place. Fractions of 8 bits stay as they are: what small
/// messages hold of them is not added up.
void scale(void* values, std::size_t count, int dataType, double factor);
/// Raises them to the power of `exponent`.
void raise(void* values, std::size_t count, int dataType, int exponent);
/// One element as a number.
double valueOf(const void* value, int dataType);

} // namespace headroom::rehearsal::nccl
