// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecSettings.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/LossChunks.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/SettingSuggestion.h"

#include <algorithm>
#include <array>
#include <optional>

namespace headroom::experiments {
namespace {

constexpr std::array kSettingTables{"model", "workload", "device", "protocol"};
constexpr std::size_t kShownPlace = 100;

std::vector<std::string> components(const std::string& path)
{
    std::vector<std::string> parts{""};
    for (const char c : path) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

// The path with a first word that there is; of a path of one word the setting of that name.
std::string probablyMeant(const std::string& path)
{
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos)
        if (const std::string known = config::closestPath(path); !known.empty())
            return known;
    std::vector<std::string> words(kSettingTables.begin(), kSettingTables.end());
    const auto keys = config::techniqueKeys();
    words.insert(words.end(), keys.begin(), keys.end());
    const std::string closest = config::closestName(path.substr(0, dot), words);
    return closest.empty() || dot == std::string::npos ? closest : closest + path.substr(dot);
}

[[noreturn]] void refuseUnknownPath(const std::string& path, const std::string& where)
{
    throw UsageError("unknown path \"" + path + "\"" + didYouMean(probablyMeant(path)), where,
        "model.FIELD, workload.FIELD, device.name, device.memory_limit_bytes, device.segment_addresses, "
        "device.allocator, protocol.FIELD, TECHNIQUE, TECHNIQUE.OPTION");
}

// Whatever has so many words is no path that is worth being repeated.
void requireShortPath(const std::vector<std::string>& words, const std::string& where)
{
    constexpr std::size_t kMostWords = 32;
    if (words.size() > kMostWords)
        throw UsageError("a path of " + std::to_string(words.size()) + " words", where.substr(0, kShownPlace),
            "paths such as workload.batch and split_ffn.accumulate");
}

// KEY, KEY.notation and KEY.OPTION below [techniques].
std::optional<std::string> techniquePath(const std::vector<std::string>& words)
{
    const auto keys = config::techniqueKeys();
    const bool known = std::find(keys.begin(), keys.end(), words.front()) != keys.end();
    if (!known || words.size() > 2 || words.back().empty())
        return std::nullopt;
    const std::string path = "techniques." + words.front();
    return words.size() == 1 || words[1] == "notation" ? path : path + "." + words[1];
}

// workload.input_ids.1: a size of an imported model's input, by its dimension.
bool isSizeOfInput(const std::vector<std::string>& words)
{
    return words.size() == 3 && words.front() == "workload" && !words[1].empty() && !words[2].empty()
        && words[2].find_first_not_of("0123456789") == std::string::npos;
}

// The loss's options stand beside it in [workload]: loss.chunks and workload.loss.chunks are that one, too, as a
// technique's options are TECHNIQUE.OPTION.
bool isLossOption(std::vector<std::string> words)
{
    if (words.front() == "workload")
        words.erase(words.begin());
    return words.size() == 2 && words[0] == "loss"
        && (words[1] == config::kLossChunks || words[1] == config::kFusedLoss);
}

} // namespace

std::string fullPath(const std::string& path, const std::string& where)
{
    std::vector<std::string> words = components(path);
    requireShortPath(words, where);
    if (isLossOption(words))
        return "workload." + words.back();
    const bool isTable = std::find(kSettingTables.begin(), kSettingTables.end(), words.front()) != kSettingTables.end();
    if ((isTable && words.size() == 2 && !words[1].empty()) || isSizeOfInput(words))
        return path;
    if (words.front() == "techniques") {
        words.erase(words.begin());
        if (!words.empty())
            config::findTechnique(words.front(), where);
    }
    if (!isTable && !words.empty())
        if (const auto found = techniquePath(words))
            return *found;
    refuseUnknownPath(path, where);
}

} // namespace headroom::experiments
