// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace headroom::ui {

/// The running children of this process, workers all of them.
std::vector<int> workerPids();

} // namespace headroom::ui
