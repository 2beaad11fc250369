// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Json.h"

namespace headroom::protocol {

/// The object's member of this name, in its place; null where there is none. (nlohmann's value() copies the whole tree
/// below it.)
const Json& memberOf(const Json& object, const char* name);

} // namespace headroom::protocol
