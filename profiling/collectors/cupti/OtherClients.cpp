// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/OtherClients.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace headroom::collectors::cupti {
namespace {

struct Sign {
    const char* variable;
    const char* meaning;
};

constexpr std::array kSigns{Sign{"KINETO_USE_DAEMON", "LibTorch's profiler takes CUPTI when a process starts"},
    Sign{"CUDA_INJECTION64_PATH", "a profiling tool is injected into the process"},
    Sign{"NSYS_PROFILING_SESSION_ID", "the process runs under Nsight Systems"}};

// The last word of a line of /proc/self/maps; the words before it contain no slash.
std::set<std::string> cuptiLibraries(std::istream& memoryMaps)
{
    std::set<std::string> paths;
    std::string line;
    while (std::getline(memoryMaps, line)) {
        const std::size_t begin = line.find('/');
        if (begin == std::string::npos)
            continue;
        const std::string path = line.substr(begin);
        const std::string name = std::filesystem::path(path).filename().string();
        if (name.starts_with("libcupti") && name.find(".so") != std::string::npos)
            paths.insert(path);
    }
    return paths;
}

} // namespace

std::string otherClient(const Variable& variable, std::istream& memoryMaps)
{
    for (const Sign& sign : kSigns)
        if (!variable(sign.variable).empty())
            return std::string(sign.variable) + " is set: " + sign.meaning;
    const std::set<std::string> libraries = cuptiLibraries(memoryMaps);
    if (libraries.size() < 2)
        return {};
    return "the process has two copies of CUPTI, " + *libraries.begin() + " and " + *libraries.rbegin()
        + ", which do not know of each other";
}

std::string otherClient()
{
    std::ifstream maps("/proc/self/maps");
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    return otherClient(variable, maps);
}

} // namespace headroom::collectors::cupti
