// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::figures {

/// The rules of a drawing that stands by itself: its colours are written out, so that programs that know no custom
/// properties show it too; dark where the reader prefers that on a screen.
std::string ownStyleSheet();

} // namespace headroom::figures
