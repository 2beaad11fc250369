// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/FrameText.h"

#include <algorithm>

namespace headroom::trace {
namespace {

constexpr std::string_view kCut = "…";
constexpr std::size_t kFewestLetters = 8;

// The number of letters of UTF-8 text.
std::size_t lettersOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool isInnerByte(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string cutAtRight(std::string_view text, std::size_t letters)
{
    std::size_t end = text.size();
    while (end > 0 && (isInnerByte(text[end - 1]) || lettersOf(text.substr(0, end)) > letters - 1))
        --end;
    return std::string(text.substr(0, end)).append(kCut);
}

std::string cutAtLeft(std::string_view path, std::size_t letters)
{
    std::size_t begin = 0;
    while (begin < path.size() && (isInnerByte(path[begin]) || lettersOf(path.substr(begin)) > letters - 1))
        ++begin;
    const std::size_t folder = path.find('/', begin);
    return std::string(kCut).append(path.substr(folder == std::string_view::npos ? begin : folder));
}

// The file and line that a frame begins with; C++ frames without one have none.
std::string_view placeOfFrame(std::string_view frame)
{
    const std::size_t space = frame.find(' ');
    const std::size_t colon = frame.substr(0, space).rfind(':');
    const bool isPlace = space != std::string_view::npos && colon != std::string_view::npos && colon + 1 < space
        && std::ranges::all_of(frame.substr(colon + 1, space - colon - 1), [](char c) { return c >= '0' && c <= '9'; });
    return isPlace ? frame.substr(0, space) : std::string_view();
}

} // namespace

std::string innermostFrame(std::string_view frames)
{
    std::string_view last;
    std::string_view lastOfPython;
    while (!frames.empty()) {
        const std::size_t begin = frames.rfind('\n') + 1;
        const std::string_view frame = frames.substr(begin);
        const bool isOfPython = frame.find(".py:") != std::string_view::npos;
        if (isOfPython && frame.find("torch/") == std::string_view::npos)
            return std::string(frame);
        if (isOfPython && lastOfPython.empty())
            lastOfPython = frame;
        if (last.empty())
            last = frame;
        frames = frames.substr(0, begin == 0 ? 0 : begin - 1);
    }
    return std::string(lastOfPython.empty() ? last : lastOfPython);
}

std::string shortFrame(std::string_view frame, std::size_t letters)
{
    letters = std::max(letters, kFewestLetters);
    if (lettersOf(frame) <= letters)
        return std::string(frame);
    const std::string_view place = placeOfFrame(frame);
    if (place.empty())
        return cutAtRight(frame, letters);
    const std::string_view function = frame.substr(place.size());
    const std::size_t forPlace = letters - std::min(letters / 2, lettersOf(function));
    const std::string shortPlace = lettersOf(place) <= forPlace ? std::string(place) : cutAtLeft(place, forPlace);
    const std::size_t rest = letters - std::min(letters, lettersOf(shortPlace));
    return shortPlace
        + (lettersOf(function) <= rest ? std::string(function) : cutAtRight(function, std::max<std::size_t>(rest, 1)));
}

} // namespace headroom::trace
