// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/document/ReportDocument.h"

#include "core/base/Wording.h"
#include "experiments/report/document/SectionBuilder.h"

#include <memory>
#include <set>

namespace headroom::report {
namespace {

std::string stateText(const ReportContent& content)
{
    switch (content.state) {
    case RunState::Finished:
        return content.notRun() == 0 ? "" : "stopped early";
    case RunState::Interrupted:
        return "interrupted";
    case RunState::Open:
        return content.notRun() == 0 ? "" : "not at its end";
    }
    return {};
}

std::string provenanceText(const ReportContent& content)
{
    std::set<config::Provenance> found;
    for (const ReportTrial& trial : content.trials)
        found.insert(trial.provenance());
    if (found.size() <= 1)
        return config::statementOf(found.empty() ? config::Provenance::Predicted : *found.begin());
    return "partly " + std::string(config::toText(*found.rbegin()));
}

std::string closingText(const ReportContent& content)
{
    const std::string notes = predictionNotes(content);
    return "Peaks are what the allocator held after warm-up. 1 GiB is 1,073,741,824 bytes. Predictions come from a "
           "simulated allocator and a cost model: run the trials on the device itself before you rely on them."
        + (notes.empty() ? "" : " " + notes);
}

} // namespace

ReportDocument documentOf(const ReportContent& content, const Comparison& comparison, const ReportBounds& bounds)
{
    ReportDocument document{content.experiment, content.title, content.description, {{provenanceText(content)}},
        {counted(std::ssize(content.trials), "trial"), content.startedAt, "Headroom " + content.headroomVersion}, {},
        closingText(content)};
    if (const std::string state = stateText(content); !state.empty())
        document.badges.push_back({state, Badge::Tone::Warning});
    const auto builder = std::make_shared<const SectionBuilder>(content, comparison, bounds);
    const auto add = [&](const char* id, const char* title, Blocks (SectionBuilder::*blocks)() const) {
        document.sections.push_back({id, title, [builder, blocks] { return (*builder.*blocks)(); }});
    };
    add("verdict", "Verdict", &SectionBuilder::verdict);
    add("tradeoff", "Memory against speed", &SectionBuilder::tradeoff);
    add("results", "Results", &SectionBuilder::results);
    add("effects", "What each technique changes, alone and together", &SectionBuilder::effects);
    add("peaks", "Peak memory", &SectionBuilder::peaks);
    add("categories", "What the peaks consist of", &SectionBuilder::categories);
    add("timelines", "Memory over time", &SectionBuilder::timelines);
    add("compared", "Runs beside each other", &SectionBuilder::compared);
    add("differences", "What differs between the trials", &SectionBuilder::differences);
    add("engagement", "What the techniques did", &SectionBuilder::engagement);
    add("endings", "Trials without results", &SectionBuilder::endings);
    add("flags", "Flagged trials", &SectionBuilder::flags);
    add("remarks", "Remarks of the run", &SectionBuilder::remarks);
    add("environment", "Environment", &SectionBuilder::environment);
    add("again", "Run it again", &SectionBuilder::replay);
    return document;
}

} // namespace headroom::report
