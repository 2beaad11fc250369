// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/WeightBytes.h"

#include "core/config/models/T5EncoderFamily.h"
#include "core/config/models/WanFamily.h"

#include <algorithm>
#include <map>

namespace headroom::config {
namespace {

/// Parameters that upstream keeps in float32 (_keep_in_fp32_modules), in models of these types.
struct Kept {
    std::int64_t (*count)(const ValueMap& fields);
    std::vector<Dtype> dtypes;
};

// Most families have none.
const std::map<std::string, Kept>& keptInFloat32()
{
    static const std::map<std::string, Kept> kept{{"wan", {wanParametersInFloat32, {Dtype::BFloat16, Dtype::Float16}}},
        {"t5-encoder", {t5ParametersInFloat32, {Dtype::Float16}}}};
    return kept;
}

} // namespace

Bytes weightBytes(const ModelFamily& family, const ValueMap& fields, Dtype dtype)
{
    const Bytes each = bytesPerElement(dtype);
    const Bytes wide = bytesPerElement(Dtype::Float32);
    const auto found = keptInFloat32().find(family.name);
    const bool isKept =
        found != keptInFloat32().end() && std::ranges::find(found->second.dtypes, dtype) != found->second.dtypes.end();
    const std::int64_t kept = isKept ? found->second.count(fields) : 0;
    return family.parameters(fields) * each + kept * (wide - each);
}

} // namespace headroom::config
