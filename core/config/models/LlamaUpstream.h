// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

namespace headroom::config {

/// transformers' LlamaForCausalLM.
UpstreamFamily llamaUpstream();

} // namespace headroom::config
