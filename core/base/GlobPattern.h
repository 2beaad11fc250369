// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace headroom::experiments {

/// Whether the whole text fits the pattern: `*` stands for any characters (none too), `?` for one, every other
/// character for itself. Upper and lower case differ.
bool matchesGlob(std::string_view text, std::string_view pattern);

} // namespace headroom::experiments
