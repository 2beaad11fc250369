// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <set>
#include <string>
#include <sys/types.h>

namespace headroom::ui {

/// Empty where it cannot be read.
std::string readAll(const QString& file);

/// The processes that this one started and that still run.
std::set<pid_t> childProcesses();

} // namespace headroom::ui
