// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::pickled {

/// The parts of a pickle of protocol 2, to be put together as texts.
inline std::string bytesOf(std::uint64_t number, std::size_t count)
{
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i)
        bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
    return bytes;
}

inline std::string text(std::string_view text)
{
    return "X" + bytesOf(text.size(), 4) + std::string(text);
}

inline std::string integer(std::int64_t number)
{
    return "\x8a\x08" + bytesOf(static_cast<std::uint64_t>(number), 8);
}

/// `name` is remembered under a number, and named again by it.
inline std::string remember(std::uint32_t name)
{
    return "r" + bytesOf(name, 4);
}

inline std::string recall(std::uint32_t name, std::size_t times = 1)
{
    std::string all;
    for (std::size_t i = 0; i < times; ++i)
        all += "j" + bytesOf(name, 4);
    return all;
}

/// `remembered`: what remember() gave, so that a container can name itself.
inline std::string list(const std::string& items, const std::string& remembered = {})
{
    return "]" + remembered + "(" + items + "e";
}

inline std::string dict(
    const std::vector<std::pair<std::string_view, std::string>>& items, const std::string& remembered = {})
{
    std::string all = "}" + remembered + "(";
    for (const auto& [key, value] : items)
        all += text(key) + value;
    return all + "u";
}

inline std::string file(const std::string& value)
{
    return "\x80\x02" + value + ".";
}

} // namespace headroom::pickled
