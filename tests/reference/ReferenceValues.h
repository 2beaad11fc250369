// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace headroom::reference {

/// What a file of this folder has: "ltx-video.json".
inline nlohmann::json valuesOf(const std::string& file)
{
    std::ifstream stream(HEADROOM_SOURCE_DIR "/tests/reference/" + file);
    return nlohmann::json::parse(stream);
}

} // namespace headroom::reference
