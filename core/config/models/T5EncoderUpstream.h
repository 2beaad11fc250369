// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Upstream.h"

namespace headroom::config {

/// transformers' T5EncoderModel, as pipelines keep it for their text encoder.
UpstreamFamily t5EncoderUpstream();

} // namespace headroom::config
