// SPDX-License-Identifier: Apache-2.0
#include "experiments/SpecSettings.h"

#include "core/config/Catalogue.h"
#include "core/config/Error.h"

#include <algorithm>
#include <array>
#include <optional>

namespace headroom::experiments {
namespace {

constexpr std::array kSettingTables{"model", "workload", "device", "protocol"};

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

[[noreturn]] void refuse(const std::string& path, const std::string& where)
{
    std::vector<std::string> candidates(kSettingTables.begin(), kSettingTables.end());
    const auto keys = config::techniqueKeys();
    candidates.insert(candidates.end(), keys.begin(), keys.end());
    const std::string closest = config::closestName(path.substr(0, path.find('.')), candidates);
    throw UsageError("unknown path \"" + path + "\""
            + (closest.empty()
                    ? ""
                    : ", did you mean \"" + closest + path.substr(std::min(path.find('.'), path.size())) + "\"?"),
        where,
        "model.FIELD, workload.FIELD, device.name, device.memory_limit_bytes, protocol.FIELD, TECHNIQUE, "
        "TECHNIQUE.OPTION");
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

} // namespace

std::string fullPath(const std::string& path, const std::string& where)
{
    std::vector<std::string> words = components(path);
    const bool isTable = std::find(kSettingTables.begin(), kSettingTables.end(), words.front()) != kSettingTables.end();
    if (isTable && words.size() == 2 && !words[1].empty())
        return path;
    if (words.front() == "techniques") {
        words.erase(words.begin());
        if (!words.empty())
            config::findTechnique(words.front(), where);
    }
    if (!isTable && !words.empty())
        if (const auto found = techniquePath(words))
            return *found;
    refuse(path, where);
}

} // namespace headroom::experiments
