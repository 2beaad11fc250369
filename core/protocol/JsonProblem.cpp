// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/JsonProblem.h"

namespace headroom::protocol {

std::string problemOf(const Json::exception& error)
{
    const std::string text = error.what();
    const std::size_t end = text.find("] ");
    return text.starts_with('[') && end != std::string::npos ? text.substr(end + 2) : text;
}

} // namespace headroom::protocol
