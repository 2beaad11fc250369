// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/PlanRequest.h"

#include "app/cli/output/SizeArgument.h"
#include "app/cli/plan/TrainerOffers.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::cli {

using experiments::PlanRules;

namespace {

// On a busy machine a prediction takes many times longer than on an idle one.
constexpr std::chrono::minutes kPlanPatience{5};
constexpr double kMostSlowdown = 10;

// What is to be kept in a setting of its own is set as its flag would set it.
void setKept(RunArguments& run, const std::string& key, const std::string& notation)
{
    if (key == "batch") {
        run.workload["batch"] = {notation};
        return;
    }
    const config::TechniqueDescriptor& technique = config::findTechnique(key, "--keep");
    const std::string kept = technique.normalise(notation, "--keep " + key);
    std::vector<std::string>& given = run.techniques[key];
    for (const std::string& other : given)
        if (technique.normalise(other, "--" + key) != kept)
            throw UsageError(
                fmt::format("found {}={}, and --{} {}", key, notation, key, other), "--keep", "one setting of " + key);
    given = {notation};
}

PlanRules rulesOf(PlanArguments& arguments)
{
    PlanRules rules;
    for (const auto& [key, notations] : experiments::rulesFrom(arguments.keep, "--keep")) {
        rules.kept.insert(key);
        if (notations.size() > 1)
            throw UsageError("found two settings of " + key, "--keep", "one setting of each technique");
        if (!notations.empty())
            setKept(arguments.run, key, notations.front());
    }
    rules.forbidden = experiments::rulesFrom(arguments.forbid, "--forbid");
    rules.allowed = experiments::rulesFrom(arguments.allow, "--allow");
    return rules;
}

// The size is all that may be taken, the driver's context included; the card's own memory is a limit too.
// In words, what of it counts; empty: all.
std::string limitMemory(config::Trial& trial, const std::string& text)
{
    if (text.empty())
        return {};
    const Bytes size = bytesFromText(text, "--memory");
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    const auto card = profiles.parseSimulatedDevice(trial.device.notation(), "device.name").device.memory;
    const Bytes context = card->contextBytes.value;
    if (size <= context) {
        const bool isBareNumber = text.find_first_not_of("0123456789.") == std::string::npos;
        throw UsageError(
            fmt::format("found {}, and the driver alone takes {} of {}{}", sizeText(size), sizeText(context),
                trial.device.notation(), didYouMean(isBareNumber && size < 1024 ? text + "GiB" : "")),
            "--memory", "more than that");
    }
    const Bytes usable = card->usableBytes.value;
    if (size > usable)
        return fmt::format(
            "{} are asked for, and programs can use {} of the card: that counts", sizeText(size), sizeText(usable));
    trial.memoryLimitBytes = std::min(trial.memoryLimitBytes.value_or(size - context), size - context);
    return {};
}

// "rehearsal" alone is the card that is planned for.
std::optional<config::DeviceSpec> verificationDevice(const std::string& text, const config::DeviceSpec& planned)
{
    if (text.empty())
        return std::nullopt;
    if (text == "rehearsal" && planned.isSimulated()) {
        config::DeviceSpec card = planned;
        card.kind = config::DeviceKind::Rehearsed;
        return card;
    }
    config::DeviceSpec device = config::parseDevice(text, "--verify");
    if (device.isSimulated())
        throw UsageError("found " + text + ", and a prediction is verified by a measurement or a rehearsal", "--verify",
            "cpu, cuda:N, rehearsal, rehearsal:NAME");
    return device;
}

} // namespace

PlanRequest planRequestOf(PlanArguments arguments)
{
    PlanRequest request;
    if (!(arguments.seconds > 0) || !std::isfinite(arguments.seconds))
        throw UsageError("found " + config::toToml(arguments.seconds), "--seconds", "a time greater than 0");
    if (arguments.simulations == 0)
        throw UsageError("found 0", "--simulations", "at least 1");
    request.options.maxSlowdown = shareFromText(arguments.maxSlowdown, "--max-slowdown", kMostSlowdown);
    request.options.mostPredictions = arguments.simulations;
    request.options.searchTime = std::chrono::duration<double>(arguments.seconds);
    request.rules = rulesOf(arguments);
    request.asked = fitTrialOf(arguments.run, "plan");
    request.verifyOn = verificationDevice(arguments.verify, request.asked.planned.trial.device);
    request.options.patience = request.asked.planned.timeout.value_or(kPlanPatience);
    if (const std::string limit = limitMemory(request.asked.planned.trial, arguments.memory); !limit.empty())
        request.asked.task += "; " + limit;
    experiments::requireSound(request.rules, request.asked.planned.trial);
    request.trainer = arguments.trainer;
    request.rules.offers = offersOf(request.trainer, request.asked.planned.trial);
    return request;
}

} // namespace headroom::cli
