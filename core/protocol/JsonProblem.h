// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Json.h"

#include <string>

namespace headroom::protocol {

/// What an exception of the JSON library says, in words: without the library's name and number for it.
std::string problemOf(const Json::exception& error);

} // namespace headroom::protocol
