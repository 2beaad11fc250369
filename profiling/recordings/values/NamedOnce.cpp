// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/values/NamedOnce.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace headroom::recordings {

NamedOnce::NamedOnce(const Objects& objects)
    : m_objects(objects)
{
}

void NamedOnce::requireOnce(const Value& value, const char* what)
{
    const bool isDict = value.kind == Value::Kind::Dict;
    if (!isDict && m_objects.list(value).empty())
        return;
    std::vector<bool>& named = isDict ? m_dicts : m_lists;
    if (value.payload >= named.size())
        named.resize(std::max<std::size_t>(value.payload + 1, 2 * named.size()));
    if (named[value.payload])
        throw std::length_error(std::string(what) + " named twice (at most once, as torch writes it)");
    named[value.payload] = true;
}

} // namespace headroom::recordings
