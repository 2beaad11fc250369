// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/CommandWords.h"

#include <unistd.h>

#include <sstream>

namespace headroom::experiments {
namespace {

constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin"; // where PATH is not set

} // namespace

std::vector<std::string> environmentWith(
    const std::map<std::string, std::string>& variables, const std::vector<std::string>& removed)
{
    std::map<std::string, std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::size_t end = text.find('=');
        if (end != std::string::npos)
            all[text.substr(0, end)] = text.substr(end + 1);
    }
    for (const std::string& name : removed)
        all.erase(name);
    for (const auto& [name, value] : variables)
        all[name] = value;
    std::vector<std::string> environment;
    for (const auto& [name, value] : all)
        environment.push_back(name + "=" + value);
    return environment;
}

std::vector<std::string> programsOf(const std::string& name, const std::vector<std::string>& environment)
{
    if (name.find('/') != std::string::npos)
        return {name};
    std::string path = kUsualPath;
    for (const std::string& entry : environment)
        if (entry.starts_with("PATH="))
            path = entry.substr(5);
    std::vector<std::string> programs;
    std::istringstream folders(path + ":");
    for (std::string folder; std::getline(folders, folder, ':');)
        programs.push_back((folder.empty() ? "." : folder) + "/" + name);
    return programs;
}

} // namespace headroom::experiments
