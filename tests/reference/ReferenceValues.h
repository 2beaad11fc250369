// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headroom::reference {

/// What a file of this folder has: "ltx-video.json".
inline nlohmann::json valuesOf(const std::string& file)
{
    return nlohmann::json::parse(contentOf(checkout("tests/reference/" + file)));
}

} // namespace headroom::reference
