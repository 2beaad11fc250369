// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <sys/types.h>

namespace headroom::ui {

/// The processes that this one started and that still run.
std::set<pid_t> childProcesses();

} // namespace headroom::ui
