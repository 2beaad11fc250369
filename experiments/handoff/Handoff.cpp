// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/Handoff.h"

#include "core/base/Error.h"
#include "core/base/ShellWords.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "experiments/handoff/HandoffWriters.h"
#include "experiments/spec/RunWords.h"

#include <algorithm>

namespace headroom::experiments {

namespace {

/// A target with what writes its file.
struct TargetWriter {
    HandoffTarget target;
    std::string file;
    TextLines (*write)(SettingsDraft& draft);
};

const std::vector<TargetWriter>& targetWriters()
{
    static const std::vector<TargetWriter> writers{
        {{"diffusers", "diffusers 0.42"}, "train_settings.py", diffusersSettings},
        {{"transformers", "transformers 5.24 (Trainer)"}, "train_settings.py", transformersSettings},
        {{"torchtitan", "torchtitan 0.2 (TOML)"}, "train_config.toml", torchtitanSettings},
        {{"accelerate", "Accelerate 1.15"}, "train_settings.py", accelerateSettings},
        {{"simpletuner", "SimpleTuner 3.1 (config.toml)"}, "config.toml", simpleTunerSettings},
        {{"pytorch", "PyTorch 2.11"}, "train_settings.py", pytorchSettings},
    };
    return writers;
}

const TargetWriter& writerOf(const std::string& target)
{
    std::vector<std::string> names;
    for (const TargetWriter& writer : targetWriters()) {
        if (writer.target.name == target)
            return writer;
        names.push_back(writer.target.name);
    }
    throw UsageError(
        "found \"" + target + "\"" + didYouMean(config::closestName(target, names)), "--for", joined(names));
}

// Without a device: whoever takes the settings elsewhere has one.
std::string commandOf(const config::Trial& trial)
{
    std::vector<std::string> words = runWords(trial);
    const auto device = std::ranges::find(words, std::string("--device"));
    if (device != words.end() && !trial.device.hasProfile())
        words.erase(device, device + 2);
    return shellCommand(words);
}

// Comments look the same in Python and in TOML.
std::string headerOf(const config::Trial& trial, const TargetWriter& writer, const std::vector<LackingSetting>& lacking)
{
    std::string text =
        "# Settings of one trial of Headroom for " + writer.target.title + ".\n# " + commandOf(trial) + "\n#\n";
    if (lacking.empty())
        return text + "# Every setting of the trial is in this file.\n\n";
    text += "# What " + writer.target.title + " lacks, or does differently:\n";
    for (const LackingSetting& each : lacking)
        text += "#   " + shortSettingPath(each.path) + " = " + each.notation + ": " + each.why + "\n";
    return text + "\n";
}

} // namespace

const std::vector<HandoffTarget>& handoffTargets()
{
    static const std::vector<HandoffTarget> targets = [] {
        std::vector<HandoffTarget> all;
        for (const TargetWriter& writer : targetWriters())
            all.push_back(writer.target);
        return all;
    }();
    return targets;
}

Handoff handOff(const config::Trial& trial, const std::string& target)
{
    const TargetWriter& writer = writerOf(target);
    SettingsDraft draft(trial, writer.target.title);
    TextLines lines = writer.write(draft);
    while (!lines.empty() && lines.back().empty())
        lines.pop_back();
    Handoff handoff{writer.target.name, writer.file, "", draft.lacking()};
    handoff.text = headerOf(trial, writer, handoff.lacking) + joined(lines, "\n") + "\n";
    return handoff;
}

bool isOffered(const config::Trial& trial, const std::string& technique, const std::string& target)
{
    const std::string path = "techniques." + technique;
    const auto isOfIt = [&](const LackingSetting& each) {
        return each.path == path || each.path.starts_with(path + ".");
    };
    try {
        return std::ranges::none_of(handOff(trial, target).lacking, isOfIt);
    } catch (const UsageError&) {
        return false;
    }
}

} // namespace headroom::experiments
