// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/confinement/FileRule.h"

#include <filesystem>
#include <vector>

namespace headroom::experiments {

/// Where there can be no overlay: everything that is there now may be used that way, but the hidden; of devices those
/// that every program uses; the written ones may be used in all ways.
std::vector<confinement::FileRule> fileRules(confinement::FileUse use,
    const std::vector<std::filesystem::path>& written, const std::vector<std::filesystem::path>& hidden);

} // namespace headroom::experiments
