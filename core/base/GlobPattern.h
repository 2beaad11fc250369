// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace headroom::experiments {

/// Whether the whole text matches the pattern: `*` matches any number of characters (including none), `?` exactly one,
/// every other character itself. Case-sensitive.
bool matchesGlob(std::string_view text, std::string_view pattern);

} // namespace headroom::experiments
