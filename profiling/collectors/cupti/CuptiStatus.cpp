// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/CuptiStatus.h"

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

std::string nameOf(CUptiResult result)
{
    const char* text = nullptr;
    if (cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text != nullptr)
        return text;
    return "error " + std::to_string(static_cast<int>(result));
}

std::string heldBy(const std::string& holder)
{
    return "another tool uses CUPTI in this process" + (holder.empty() ? "" : " (" + holder + ")")
        + ": run without Nsight Systems, Nsight Compute, cuda-gdb, compute-sanitizer and LibTorch's profiler";
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

std::string explain(CUptiResult result, const std::string& holder)
{
    switch (result) {
    case CUPTI_SUCCESS:
        return {};
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_MAX_LIMIT_REACHED: // the code of the same error before CUDA 13
    case CUPTI_ERROR_DISABLED:
        return heldBy(holder);
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return "the driver allows profiling to administrators only: load it with "
               "NVreg_RestrictProfilingToAdminUsers=0, or give the container the capability SYS_ADMIN";
    case CUPTI_ERROR_NOT_INITIALIZED:
        return "the NVIDIA driver is too old for this CUPTI";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return "the virtual GPU does not allow profiling";
    default:
        return nameOf(result);
    }
}

std::string libraryProblem()
{
    std::uint32_t version = 0;
    if (cuptiGetVersion(&version) != CUPTI_SUCCESS)
        return "CUPTI does not tell its version";
    if (version < CUPTI_API_VERSION)
        return "CUPTI has the API version " + std::to_string(version) + ", older than the "
            + std::to_string(CUPTI_API_VERSION) + " of the headers: its records cannot be read";
    return {};
}

std::string processProblem()
{
    const std::string problem = libraryProblem();
    return problem.empty() ? otherClient() : problem;
}

} // namespace headroom::collectors::cupti
