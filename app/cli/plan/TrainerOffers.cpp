// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/TrainerOffers.h"

#include "app/cli/output/OptionChecks.h"
#include "core/base/Wording.h"
#include "experiments/handoff/Handoff.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace headroom::cli {
namespace {

std::string titleOf(const std::string& trainer)
{
    const auto& targets = experiments::handoffTargets();
    return std::ranges::find(targets, trainer, &experiments::HandoffTarget::name)->title;
}

} // namespace

CLI::Option* addTrainerOption(CLI::App& command, std::string& trainer)
{
    std::vector<std::string> names;
    for (const experiments::HandoffTarget& target : experiments::handoffTargets())
        names.push_back(target.name);
    return command
        .add_option(
            "--for", trainer, "only settings that this trainer has, as headroom settings writes them: " + joined(names))
        ->type_name("TRAINER")
        ->check(notEmpty);
}

experiments::Offers offersOf(const std::string& trainer, const config::Trial& trial)
{
    if (trainer.empty())
        return {};
    experiments::handOff(trial, trainer);
    return [trainer](const config::Trial& tried, const std::string& technique) {
        return experiments::isOffered(tried, technique, trainer);
    };
}

std::string offersText(const std::string& trainer, const std::vector<std::string>& notOffered)
{
    if (trainer.empty())
        return {};
    std::string text = "Only what " + titleOf(trainer) + " has was tried";
    if (notOffered.empty())
        return text + ".";
    std::vector<std::pair<std::string, std::int64_t>> counts; // of techniques, in their order
    for (const std::string& setting : notOffered) {
        const std::string technique = setting.substr(0, setting.find(' '));
        if (counts.empty() || counts.back().first != technique)
            counts.emplace_back(technique, 0);
        ++counts.back().second;
    }
    std::vector<std::string> parts;
    for (const auto& [technique, count] : counts)
        parts.push_back(std::to_string(count) + " of " + technique);
    return text + "; " + counted(std::ssize(notOffered), "setting") + (notOffered.size() == 1 ? " needs" : " need")
        + " code of your own: " + joined(parts) + ".";
}

} // namespace headroom::cli
