// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/ElidedApart.h"

#include "core/base/Utf8.h"
#include "experiments/figures/layout/TextMetrics.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace headroom::figures {
namespace {

constexpr char32_t kLeftOut = U'…';
constexpr double kHeadShare = 1.0 / 3; ///< of the room, before the place where texts differ
constexpr int kMostTimes = 8; ///< that a group is split: each takes one more difference into account
constexpr double kHair = 1e-6; ///< px: sums of widths are not exact
constexpr double kLeadShare =
    0.25; ///< of the room, at most, for what the word in which they differ has before that place

using AlikeTexts = std::vector<std::u32string>;
using TextCut = std::function<std::u32string(const std::u32string& text, const AlikeTexts& alike)>;

struct TextRoom {
    double fontPx;
    double width;

    double of(std::u32string_view text) const { return textWidth(utf8(text), fontPx); }
};

std::u32string withEndCut(const std::u32string& text, const TextRoom& room)
{
    return codePoints(elided(utf8(text), room.fontPx, room.width));
}

std::u32string withMiddleCut(const std::u32string& text, const TextRoom& room)
{
    std::size_t head = 0;
    std::size_t tail = 0;
    for (double left = room.width - room.of(std::u32string_view(&kLeftOut, 1)); head + tail < text.size();) {
        const bool isForHead = head <= tail;
        left -= room.of(std::u32string_view(text).substr(isForHead ? head : text.size() - tail - 1, 1));
        if (left < kHair)
            return text.substr(0, head) + kLeftOut + text.substr(text.size() - tail);
        ++(isForHead ? head : tail);
    }
    return text;
}

std::size_t sharedLetters(const AlikeTexts& texts)
{
    std::size_t shared = texts.front().size();
    for (const std::u32string& text : texts) {
        const auto differ = std::ranges::mismatch(texts.front(), text).in1;
        shared = std::min(shared, static_cast<std::size_t>(differ - texts.front().begin()));
    }
    return shared;
}

// From the beginning of the word in which they differ on.
std::u32string fromTheDifference(const std::u32string& text, const AlikeTexts& alike, const TextRoom& room)
{
    const std::size_t shared = sharedLetters(alike);
    const std::size_t word = text.find_last_of(U" |,/", shared == 0 ? 0 : shared - 1);
    const bool isNear = word != std::u32string::npos
        && room.of(std::u32string_view(text).substr(word + 1, shared - word - 1)) <= kLeadShare * room.width;
    const std::size_t from = isNear ? word + 1 : shared;
    std::size_t head = 0;
    while (head < from && room.of(std::u32string_view(text).substr(0, head + 1)) <= kHeadShare * room.width)
        ++head;
    return withEndCut(text.substr(0, head) + kLeftOut + text.substr(from), room);
}

/// Of different texts those that are shown alike, by what is shown.
std::map<std::u32string, std::set<std::u32string>> alikeOf(const std::map<std::u32string, std::u32string>& shown)
{
    std::map<std::u32string, std::set<std::u32string>> groups;
    for (const auto& [text, cut] : shown)
        groups[cut].insert(text);
    std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
    return groups;
}

// Again and again: parts of a group may still be alike, and differ further on.
void tellApart(std::map<std::u32string, std::u32string>& shown, const TextCut& cut)
{
    for (int time = 0; time < kMostTimes; ++time) {
        for (const auto& [before, texts] : alikeOf(shown)) {
            const AlikeTexts group(texts.begin(), texts.end());
            std::map<std::u32string, std::u32string> now;
            std::set<std::u32string> different;
            for (const std::u32string& text : group)
                different.insert(now[text] = cut(text, group));
            if (different.size() > 1)
                for (auto& [text, words] : now)
                    shown[text] = std::move(words);
        }
    }
}

} // namespace

std::vector<std::string> elidedApart(const std::vector<std::string>& texts, double fontPx, double width)
{
    const TextRoom room{fontPx, width};
    std::map<std::u32string, std::u32string> shown;
    for (const std::string& text : texts)
        shown.try_emplace(codePoints(text), withEndCut(codePoints(text), room));
    tellApart(shown, [&](const auto& text, const AlikeTexts&) { return withMiddleCut(text, room); });
    tellApart(shown, [&](const auto& text, const AlikeTexts& alike) { return fromTheDifference(text, alike, room); });
    std::vector<std::string> result;
    for (const std::string& text : texts)
        result.push_back(utf8(shown.at(codePoints(text))));
    return result;
}

} // namespace headroom::figures
