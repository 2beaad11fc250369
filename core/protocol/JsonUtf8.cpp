// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/JsonUtf8.h"

#include <nlohmann/json.hpp>

namespace headroom::experiments {

std::string validUtf8(const std::string& text)
{
    using nlohmann::json;
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

} // namespace headroom::experiments
