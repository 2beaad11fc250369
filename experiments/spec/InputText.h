// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toml/InputText.h"

namespace headroom::experiments {

/// readInputText for a file that is no workspace which this program has open: nothing but SQLite may read that.
std::string readInput(const std::filesystem::path& file, const std::string& what, const std::string& valid,
    std::chrono::milliseconds patience = kWriterMayBeSilent);

} // namespace headroom::experiments
