// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/JsonMember.h"

namespace headroom::protocol {

const Json& memberOf(const Json& object, const char* name)
{
    static const Json none;
    const auto found = object.find(name);
    return found == object.end() ? none : *found;
}

} // namespace headroom::protocol
