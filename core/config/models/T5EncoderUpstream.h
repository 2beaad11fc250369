// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

namespace headroom::config {

/// transformers' T5EncoderModel, of version 1.1.
UpstreamFamily t5EncoderUpstream();

} // namespace headroom::config
