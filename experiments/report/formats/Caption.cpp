// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/Caption.h"

#include "core/base/Wording.h"

#include <algorithm>

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
    const auto predicted = std::ranges::count_if(trials, [](const ReportTrial* trial) { return trial->isPredicted(); });
    if (predicted == 0)
        return "measured";
    return predicted == std::ssize(trials) ? "predicted, not measured" : "partly predicted, partly measured";
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
