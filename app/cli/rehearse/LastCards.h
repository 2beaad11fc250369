// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::cli {

/// The cards that were rehearsed last, for the next time that none is named: headroom/cards in XDG_STATE_HOME, else in
/// ~/.local/state. Empty where none is known.
std::vector<std::string> lastCards();

/// Keeps them. Where that is not possible, the next command asks.
void keepLastCards(const std::vector<std::string>& names);

} // namespace headroom::cli
