// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/TrainerOffers.h"

#include "app/cli/output/OptionChecks.h"
#include "core/base/Wording.h"
#include "experiments/handoff/Handoff.h"

#include <algorithm>

namespace headroom::cli {
namespace {

constexpr std::size_t kMostNamed = 6;

std::string titleOf(const std::string& trainer)
{
    const auto& targets = experiments::handoffTargets();
    return std::ranges::find(targets, trainer, &experiments::HandoffTarget::name)->title;
}

} // namespace

void addTrainerOption(CLI::App& command, std::string& trainer)
{
    std::vector<std::string> names;
    for (const experiments::HandoffTarget& target : experiments::handoffTargets())
        names.push_back(target.name);
    command
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
    std::vector<std::string> named = notOffered;
    named.resize(std::min(named.size(), kMostNamed));
    text += "; " + counted(std::ssize(notOffered), "setting") + (notOffered.size() == 1 ? " needs" : " need")
        + " code of your own: " + joined(named);
    return text + (named.size() < notOffered.size() ? " and more." : ".");
}

} // namespace headroom::cli
