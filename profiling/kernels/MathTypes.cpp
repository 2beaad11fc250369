// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/MathTypes.h"

namespace headroom::collectors {

simulator::MathType mathTypeOf(c10::ScalarType type)
{
    switch (type) {
    case c10::ScalarType::Double:
        return simulator::MathType::Float64;
    case c10::ScalarType::Half:
        return simulator::MathType::Float16;
    case c10::ScalarType::BFloat16:
        return simulator::MathType::Bfloat16;
    case c10::ScalarType::Float8_e4m3fn:
    case c10::ScalarType::Float8_e5m2:
        return simulator::MathType::Float8;
    default:
        return simulator::MathType::Float32;
    }
}

} // namespace headroom::collectors
