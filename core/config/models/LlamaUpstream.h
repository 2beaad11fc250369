// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Upstream.h"

namespace headroom::config {

/// transformers' LlamaForCausalLM.
UpstreamFamily llamaUpstream();

} // namespace headroom::config
