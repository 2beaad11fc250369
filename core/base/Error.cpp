// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"

namespace headroom {
namespace {

// "WHERE: WHAT (valid: ...)", omitting the parts that are empty.
std::string message(const std::string& what, const std::string& where, const std::string& valid)
{
    std::string text;
    if (!where.empty())
        text += where + ": ";
    text += what;
    if (!valid.empty())
        text += " (valid: " + valid + ")";
    return text;
}

} // namespace

Error::Error(std::string what, std::string where, std::string valid)
    : std::runtime_error(message(what, where, valid))
    , m_problem(std::move(what))
    , m_where(std::move(where))
    , m_valid(std::move(valid))
{
}

} // namespace headroom
