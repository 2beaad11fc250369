// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/OptionChecks.h"

namespace headroom::cli {

std::string noOption(const std::string& value)
{
    return value.starts_with("--") ? "found \"" + value + "\" where its value should be" : std::string();
}

std::string notEmpty(const std::string& value)
{
    return value.empty() ? "found \"\" (valid: a name or a path)" : noOption(value);
}

} // namespace headroom::cli
