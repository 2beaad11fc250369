// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/JsonProblem.h"

namespace headroom::protocol {

std::string problemOf(const Json::exception& error)
{
    const std::string message = error.what();
    const auto end = message.find("] ");
    return message.starts_with("[json.exception.") && end != std::string::npos ? message.substr(end + 2) : message;
}

} // namespace headroom::protocol
