// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/CublasWorkspaceSize.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace headroom::collectors {
namespace {

constexpr Bytes kKib = 1024;

// Removes ":NUMBER" from the front.
std::optional<Bytes> takeNumber(std::string_view& text)
{
    if (!text.starts_with(':'))
        return std::nullopt;
    Bytes number = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<Bytes> sumOf(std::string_view setting)
{
    Bytes sum = 0;
    while (!setting.empty()) {
        const auto kib = takeNumber(setting);
        const auto count = kib ? takeNumber(setting) : std::nullopt;
        if (!count)
            return std::nullopt;
        sum += *kib * kKib * *count;
    }
    return sum;
}

} // namespace

Bytes cublasWorkspaceBytes(
    const char* setting, const simulator::RuntimeProfile& runtime, simulator::ComputeCapability capability)
{
    const auto chosen = setting == nullptr || *setting == 0 ? std::nullopt : sumOf(setting);
    return chosen.value_or(runtime.cublasWorkspaceBytes(capability));
}

} // namespace headroom::collectors
