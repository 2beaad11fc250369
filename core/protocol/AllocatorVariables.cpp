// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/AllocatorVariables.h"

#include "core/base/Error.h"

#include <cstdlib>

namespace headroom::experiments {
namespace {

std::string withoutBlanks(std::string text)
{
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text;
}

} // namespace

std::optional<std::pair<std::string, std::string>> allocatorVariable()
{
    for (const char* name : kAllocatorVariables)
        if (const char* value = std::getenv(name)) {
            if (withoutBlanks(value).empty())
                return std::nullopt;
            return std::pair<std::string, std::string>(name, value);
        }
    return std::nullopt;
}

void requireStartedWith(const std::string& allocator)
{
    const auto variable = allocatorVariable();
    if (withoutBlanks(variable ? variable->second : "") == withoutBlanks(allocator))
        return;
    const std::string own =
        variable ? "with " + variable->first + "=" + variable->second : "without allocator settings";
    throw TrialError("this worker was started " + own + ", which LibTorch reads only once", "device.allocator",
        allocator.empty() ? "a fresh worker without this variable"
                          : "a fresh worker with PYTORCH_CUDA_ALLOC_CONF=" + allocator);
}

} // namespace headroom::experiments
