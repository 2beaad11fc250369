// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/KernelName.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace headroom::interchange {

std::string demangled(const std::string& name)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : name;
}

std::string shortName(const std::string& demangledName)
{
    const std::string name = demangledName.substr(0, demangledName.find_first_of("<("));
    const std::size_t before = name.find_last_of(" :");
    const std::string last = before == std::string::npos ? name : name.substr(before + 1);
    return last.empty() ? demangledName : last; // "(anonymous namespace)::f" begins with a bracket
}

} // namespace headroom::interchange
