// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::cli {

/// The text as code in a table cell of GitHub's Markdown: nothing in it is markup, a name with @ is no mention. Valid
/// UTF-8 on one line, control characters spelled out, shortened to about `mostBytes`.
std::string markdownCode(const std::string& text, std::size_t mostBytes = 300);

} // namespace headroom::cli
