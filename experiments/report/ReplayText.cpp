// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReplayText.h"

#include <cctype>

namespace headroom::report {

std::string specFileName(const ReportContent& content)
{
    std::string name;
    for (const char c : content.experiment)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '-';
    return (name.empty() ? "experiment" : name) + ".toml";
}

std::string replayCommand(const ReportContent& content)
{
    return "headroom run ./" + specFileName(content);
}

std::string replayNote(const ReportContent& content)
{
    const std::string with = "With --dry-run the same command lists the trials and their ids without running them.";
    switch (content.replay.match) {
    case ReplayMatch::Whole:
        return "The spec holds everything, what was given by flags included: it has the same trials, by their ids. "
            + with;
    case ReplayMatch::Selection:
        return "The run took a part of a larger sweep. The spec lists exactly the trials that were not skipped, one by "
               "one, with the same ids. "
            + with;
    case ReplayMatch::Recorded:
        if (content.trials.front().result.provenance() == config::Provenance::Rehearsed)
            return "The command is rehearsed anew, with the script as it is then. headroom trace replay serves the "
                   "requests of this run under other settings.";
        return "Another program ran and recorded it: nothing here runs it again. headroom trace replay serves its "
               "requests under other settings.";
    case ReplayMatch::Gone:
        return "The exported model that these trials ran, " + content.replay.archive
            + ", is not there, or has another content by now. With it in its place the spec has the same trials.";
    case ReplayMatch::Changed:
        return "This version of Headroom gives some of these trials other ids than the one that ran them ("
            + content.headroomVersion + "). " + with;
    }
    return with;
}

} // namespace headroom::report
