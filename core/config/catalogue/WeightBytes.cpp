// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/WeightBytes.h"

namespace headroom::config {

Bytes weightBytes(const ModelFamily& family, const ValueMap& fields, Dtype dtype)
{
    const Bytes each = bytesPerElement(dtype);
    const Bytes wide = bytesPerElement(Dtype::Float32);
    const std::int64_t kept = family.parametersInFloat32 ? family.parametersInFloat32(fields, dtype) : 0;
    return family.parameters(fields) * each + kept * (wide - each);
}

} // namespace headroom::config
