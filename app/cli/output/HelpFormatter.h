// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace headroom::cli {

/// CLI11's help text with one blank line between groups and arguments called what they are ("[PRESET|FILE]").
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter();

    std::string make_group(
        std::string group, bool isPositional, std::vector<const CLI::Option*> options) const override;
    std::string make_option_name(const CLI::Option* option, bool isPositional) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_usage(const CLI::Option* option) const override;
};

} // namespace headroom::cli
