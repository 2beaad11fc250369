// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/Caption.h"

#include "core/base/Wording.h"

#include <algorithm>
#include <set>

namespace headroom::report {
namespace {

constexpr std::size_t kMostNames = 3;

using TrialList = std::vector<const ReportTrial*>;

template <typename Name> std::string namesOf(const TrialList& trials, const Name& name)
{
    std::vector<std::string> names;
    for (const ReportTrial* trial : trials)
        if (std::string found = name(*trial); std::ranges::find(names, found) == names.end())
            names.push_back(std::move(found));
    if (names.size() > kMostNames) {
        const std::string more = std::to_string(names.size() - kMostNames) + " more";
        names.resize(kMostNames);
        names.push_back(more);
    }
    return enumerated(names);
}

std::string kindOf(const TrialList& trials)
{
    std::set<config::Provenance> found;
    for (const ReportTrial* trial : trials)
        found.insert(trial->provenance());
    if (found.size() <= 1)
        return config::statementOf(found.empty() ? config::Provenance::Measured : *found.begin());
    std::string text;
    for (auto provenance = found.rbegin(); provenance != found.rend(); ++provenance)
        text += std::string(text.empty() ? "" : ", ") + "partly " + config::toText(*provenance);
    return text;
}

} // namespace

std::string captionOf(const ReportContent& content, const std::vector<const ReportTrial*>& chosen)
{
    TrialList trials = chosen;
    if (trials.empty())
        for (const ReportTrial& trial : content.trials)
            trials.push_back(&trial);
    std::string caption = content.experiment;
    if (!trials.empty())
        caption += ": " + namesOf(trials, [](const ReportTrial& trial) { return trial.model(); }) + " on "
            + namesOf(trials, [](const ReportTrial& trial) { return trial.device(); }) + "; " + kindOf(trials);
    if (!content.startedAt.empty())
        caption += "; " + content.startedAt;
    return content.headroomVersion.empty() ? caption : caption + ", Headroom " + content.headroomVersion;
}

} // namespace headroom::report
