// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// The encoder of T5 v1.1 (Hugging Face's T5EncoderModel), fields by upstream's names.
ModelFamily t5EncoderFamily();

/// Parameters that stay in float32 in a float16 model: the feed-forwards' wo, unless `keep_in_fp32_modules` is off.
std::int64_t t5ParametersInFloat32(const ValueMap& fields);

} // namespace headroom::config
