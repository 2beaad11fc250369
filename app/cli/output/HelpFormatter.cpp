// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/HelpFormatter.h"

namespace headroom::cli {

HelpFormatter::HelpFormatter()
{
    column_width(34);
    label("Positionals", "Arguments");
}

// Groups but the first come after a blank line of make_groups.
std::string HelpFormatter::make_group(
    std::string group, bool isPositional, std::vector<const CLI::Option*> options) const
{
    const bool isFirst = isPositional || group == "Options";
    const std::string text = Formatter::make_group(std::move(group), isPositional, std::move(options));
    return isFirst ? text : text.substr(text.find_first_not_of('\n'));
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool isPositional) const
{
    return isPositional ? option->get_type_name() : Formatter::make_option_name(option, isPositional);
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const
{
    return option->get_positional() ? "" : Formatter::make_option_opts(option);
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const
{
    const std::string name = make_option_name(option, true);
    return option->get_required() ? name : "[" + name + "]";
}

} // namespace headroom::cli
