// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::experiments {

/// The text with U+FFFD in the place of what is no UTF-8 (a worker's log may hold anything; JSON may not).
std::string validUtf8(const std::string& text);

} // namespace headroom::experiments
