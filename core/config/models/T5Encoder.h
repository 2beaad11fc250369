// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// The encoder of T5 v1.1 (Hugging Face's T5EncoderModel), fields by upstream's names.
ModelFamily t5EncoderFamily();

} // namespace headroom::config
