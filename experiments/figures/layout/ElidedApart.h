// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::figures {

/// The texts, each no wider than `width` px, in which those that differ still do: where the beginnings of several are
/// alike as far as there is room for them, both ends of each are kept, or else its beginning and the place from which
/// on it differs. An ellipsis stands for what is left out. As the same lists are cut wherever a figure is drawn, the
/// order of the texts does not matter.
std::vector<std::string> elidedApart(const std::vector<std::string>& texts, double fontPx, double width);

} // namespace headroom::figures
