// SPDX-License-Identifier: Apache-2.0
#include "core/config/WeightBytes.h"

#include "core/config/models/Wan.h"

#include <map>

namespace headroom::config {
namespace {

using Count = std::int64_t (*)(const ValueMap& fields);

// Families of which upstream keeps parameters in float32 (_keep_in_fp32_modules); most have none.
const std::map<std::string, Count>& keptInFloat32()
{
    static const std::map<std::string, Count> counts{{"wan", wanParametersInFloat32}};
    return counts;
}

} // namespace

Bytes weightBytes(const ModelFamily& family, const ValueMap& fields, Dtype dtype)
{
    const Bytes each = bytesPerElement(dtype);
    const Bytes wide = bytesPerElement(Dtype::Float32);
    const auto found = keptInFloat32().find(family.name);
    const std::int64_t kept = found == keptInFloat32().end() || each >= wide ? 0 : found->second(fields);
    return family.parameters(fields) * each + kept * (wide - each);
}

} // namespace headroom::config
