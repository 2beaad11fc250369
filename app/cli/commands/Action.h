// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace headroom::cli {

/// What the chosen command does; returns the exit code.
using Action = std::function<int()>;

} // namespace headroom::cli
