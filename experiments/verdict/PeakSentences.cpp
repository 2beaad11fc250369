// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/PeakSentences.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headroom::experiments {
namespace {

std::string inPart(const std::string& part)
{
    return part.empty() ? "outside of all modules" : "in " + part;
}

std::string wordFor(config::MemoryCategory category)
{
    if (category == config::MemoryCategory::Unknown)
        return "memory of unknown use";
    return category == config::MemoryCategory::Ema ? "EMA" : inWords(std::string(config::toText(category)));
}

std::string moreOrLess(const trace::ShareDifference& share)
{
    const Bytes difference = share.difference();
    return fmt::format("{} {}", moreOrLessText(difference), ownerText(share.category, share.part));
}

// "a", "a and b", "a, b and c"
std::string reasonsText(const trace::PeakDifference& difference)
{
    std::vector<std::string> reasons;
    for (const trace::ShareDifference& share : difference.reasons())
        reasons.push_back(moreOrLess(share));
    const auto counterweight = difference.counterweight();
    return enumerated(reasons) + (counterweight ? ", against " + moreOrLess(*counterweight) : "");
}

std::string phasesText(const NamedPeak& higher, const NamedPeak& lower)
{
    const std::string& one = higher.profile.phase;
    const std::string& other = lower.profile.phase;
    if (one.empty() || other.empty())
        return "";
    if (one == other)
        return fmt::format(" Both peak in {}.", inWords(one));
    return fmt::format(" {} peaks in {}, {} in {}.", higher.name, inWords(one), lower.name, inWords(other));
}

std::string reliefText(const std::vector<config::Relief>& reliefs)
{
    std::vector<std::string> names;
    for (const config::Relief& relief : reliefs)
        names.push_back(fmt::format("{} ({})", relief.technique, fmt::join(relief.notations, ", ")));
    return enumerated(names);
}

std::string regionText(const TechniqueAtPeak& technique)
{
    if (!technique.region.ownHighest)
        return fmt::format("In the trace {} allocates nothing of its own.", technique.key);
    if (technique.belowPeakBytes.value_or(0) <= 0)
        return fmt::format(
            "{} is at work at the peak itself and holds {} of it.", technique.key, sizeText(technique.heldBytes));
    return fmt::format("Where {} allocates, memory gets no higher than {}, {} below the peak.", technique.key,
        sizeText(technique.region.ownHighest->bytes), sizeText(*technique.belowPeakBytes));
}

} // namespace

trace::PeakProfile profileOf(const protocol::MemoryBreakdown& breakdown)
{
    trace::PeakProfile profile{.totalBytes = breakdown.totalBytes, .phase = breakdown.phase};
    for (const protocol::ModuleBytes& module : breakdown.modules)
        for (const auto& [category, bytes] : module.categories)
            profile.shares.push_back(
                {config::memoryCategoryFromText(category).value_or(config::MemoryCategory::Unknown), module.path,
                    bytes});
    return profile;
}

std::string ownerText(config::MemoryCategory category, const std::string& part)
{
    return wordFor(category) + " " + inPart(part);
}

std::string whyAbove(const NamedPeak& one, const NamedPeak& other)
{
    const bool isInOrder = one.profile.totalBytes >= other.profile.totalBytes;
    const NamedPeak& higher = isInOrder ? one : other;
    const NamedPeak& lower = isInOrder ? other : one;
    const Bytes total = higher.profile.totalBytes - lower.profile.totalBytes;
    if (total == 0)
        return fmt::format("{} and {} peak at the same {}.", one.name, other.name, sizeText(one.profile.totalBytes))
            + phasesText(higher, lower);
    return fmt::format("{} peaks {} above {}: {}.", higher.name, sizeText(total), lower.name,
               reasonsText(trace::differenceOf(higher.profile, lower.profile)))
        + phasesText(higher, lower);
}

std::optional<PeakOwner> ownerOf(const trace::PeakProfile& peak, const config::Configuration& configuration)
{
    const trace::PeakDifference all = trace::differenceOf(peak, {});
    if (all.shares.empty())
        return std::nullopt;
    PeakOwner owner{all.shares.front(), {}};
    const config::ModelDescriptor model = config::findModel(configuration.model, "model");
    owner.reliefs = config::reliefsOf(owner.share.category,
        {*model.family, configuration.modelFields, configuration.workload, configuration.techniques});
    std::erase_if(owner.reliefs, [&](const config::Relief& relief) {
        const auto set = configuration.techniques.find(relief.technique);
        return set != configuration.techniques.end()
            && set->second.notation != config::findTechnique(relief.technique, "technique").off;
    });
    return owner;
}

std::string whyWithoutEffect(
    const trace::PeakProfile& peak, const std::optional<PeakOwner>& owner, const TechniqueAtPeak& technique)
{
    if (!owner)
        return "";
    std::string text = fmt::format("{} {} changes nothing at the peak of {}{}: {} of it are {}. {}", technique.key,
        technique.notation, sizeText(peak.totalBytes), peak.phase.empty() ? "" : " in " + inWords(peak.phase),
        sizeText(owner->share.higherBytes), ownerText(owner->share.category, owner->share.part), regionText(technique));
    if (!owner->reliefs.empty())
        text += fmt::format(
            " What would make the {} less: {}.", wordFor(owner->share.category), reliefText(owner->reliefs));
    return text;
}

} // namespace headroom::experiments
