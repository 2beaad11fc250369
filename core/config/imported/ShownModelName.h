// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::config {

/// What people read as a model's name where they know which one it is: of an imported one, "llama@0123456789abcdef",
/// the name of its file without the ending, "llama".
std::string shownModelName(const std::string& name);

} // namespace headroom::config
