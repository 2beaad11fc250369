// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace headroom::experiments {

/// The environment of this process with `variables` over it and without `removed`, as NAME=VALUE.
std::vector<std::string> environmentWith(
    const std::map<std::string, std::string>& variables, const std::vector<std::string>& removed);

/// The files that a program's name may mean, in the order of the environment's PATH; itself where it has a slash.
std::vector<std::string> programsOf(const std::string& name, const std::vector<std::string>& environment);

} // namespace headroom::experiments
