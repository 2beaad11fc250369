// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/OffloadDescriptor.h"

#include "core/base/Error.h"
#include "core/config/techniques/CastingDescriptor.h"
#include "core/config/techniques/ModelWords.h"

#include <cmath>
#include <string_view>

namespace headroom::config {
namespace {

using Groups = OffloadNotation::Groups;

constexpr std::string_view kStream = "+stream";
constexpr std::string_view kBlock = "block:";
constexpr const char* kOffloadValid = "off, block:N with N at least 1, leaf, model; the last three also with +stream";

std::optional<OffloadNotation> parseGroups(const std::string& text)
{
    if (text == "leaf")
        return OffloadNotation{.groups = Groups::Leaf};
    if (text == "model")
        return OffloadNotation{.groups = Groups::Model};
    const auto blocks = text.starts_with(kBlock) ? parseCount(text.substr(kBlock.size())) : std::nullopt;
    return blocks ? std::optional(OffloadNotation{.groups = Groups::Blocks, .blocks = *blocks}) : std::nullopt;
}

std::string groupsText(const OffloadNotation& offload)
{
    if (offload.groups == Groups::Blocks)
        return std::string(kBlock) + std::to_string(offload.blocks);
    return offload.groups == Groups::Leaf ? "leaf" : "model";
}

std::vector<std::string> offloadBlockProblems(const OffloadNotation& offload, const ModelContext& context)
{
    if (offload.groups != Groups::Blocks)
        return {};
    const std::int64_t count = context.family.blocks(context.fields);
    const std::string what = "offload = " + toText(offload);
    if (count == 0)
        return {what + ": " + calledModel(context.family) + " has no blocks; leaf and model work without"};
    if (offload.blocks > count)
        return {what + ": N is more than the model's " + std::to_string(count) + " blocks"};
    return {};
}

// Weights that casting upcasts together must be on the device together.
bool fits(const std::string& castingUnit, Groups groups)
{
    if (castingUnit == "model")
        return groups == Groups::Model;
    if (castingUnit == "group" || castingUnit == "block")
        return groups != Groups::Leaf;
    return true;
}

std::vector<std::string> castingProblems(const OffloadNotation& offload, const ModelContext& context)
{
    const auto casting = context.techniques.find(kCastingKey);
    if (casting == context.techniques.end() || casting->second.notation == "off")
        return {};
    const std::string with =
        "offload = " + toText(offload) + " with casting = " + casting->second.notation + ": casting ";
    const std::size_t colon = casting->second.notation.find(':');
    const std::string unit = colon == std::string::npos ? "layer" : casting->second.notation.substr(colon + 1);
    std::vector<std::string> problems;
    if (!fits(unit, offload.groups))
        problems.push_back(with
            + "upcasts weights together that are not on the device together; valid are groups no "
              "smaller than casting's units, such as casting by layer");
    const auto prefetch = casting->second.options.find("prefetch");
    const bool prefetches =
        prefetch != casting->second.options.end() && !prefetch->second.isNull() && prefetch->second.boolean();
    if (prefetches && offload.groups != Groups::Model)
        problems.push_back(with
            + "upcasts the next weights ahead, which are not on the device yet; valid are "
              "casting.prefetch = false and offload = model");
    return problems;
}

std::vector<std::string> offloadSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    const OffloadNotation offload = parseOffload(setting.notation, "offload");
    if (offload.groups == Groups::None)
        return {};
    std::vector<std::string> found = offloadBlockProblems(offload, context);
    for (std::string& problem : castingProblems(offload, context))
        found.push_back(std::move(problem));
    return found;
}

std::vector<Candidate> offloadCandidates(const ModelContext& context)
{
    constexpr int kHostMemory = 3;
    std::vector<Candidate> working;
    for (const char* notation : {"block:4+stream", "block:1+stream", "block:1", "leaf"})
        if (offloadSettingProblems({notation, {}}, context).empty())
            working.push_back({notation, kHostMemory});
    return working;
}

std::vector<NotationForm> offloadForms()
{
    return {{"off", "all weights stay on the device"},
        {"block:N", "N blocks at a time; what is in no block stays for the whole forward"},
        {"block:N+stream", "as block:N, and the next group is loaded while this one computes"},
        {"leaf", "one layer at a time: each Linear, convolution, embedding or other module with parameters by itself"},
        {"leaf+stream", "as leaf, and the next layer is loaded while this one computes"},
        {"model", "all weights at once, for the forward alone"}, {"model+stream", "as model, from pinned memory"}};
}

FieldSet offloadOptionFields()
{
    return FieldSet({{.name = "host_memory",
        .type = FieldType::Choice,
        .defaultValue = "auto",
        .help =
            "where weights rest; auto: pinned with +stream, else pageable. Copies from pageable memory keep the host "
            "waiting",
        .choices = {"auto", "pinned", "pageable"}}});
}

bool holdsNoMore(const OffloadNotation& one, const OffloadNotation& other)
{
    if (other.groups == Groups::None)
        return one.groups != Groups::Model || !one.stream;
    if (one.stream && !other.stream)
        return false;
    if (one.groups == Groups::Leaf)
        return other.groups == Groups::Leaf || other.groups == Groups::Blocks;
    return one.groups == other.groups && one.blocks <= other.blocks;
}

// Groups of 1, 2, 4 and so on blocks, layers, the whole.
TechniqueRange offloadRange(const ModelContext& context)
{
    constexpr int kHostMemory = 3;
    TechniqueRange range{.settings = {{"off"}}};
    const auto add = [&](const std::string& groups, double extent) {
        const std::string kind = groups.substr(0, groups.find(':'));
        range.settings.push_back({groups, {}, kHostMemory, kind, extent});
        range.settings.push_back({groups + std::string(kStream), {}, kHostMemory, kind + std::string(kStream), extent});
    };
    const std::int64_t count = context.family.blocks(context.fields);
    for (std::int64_t blocks = 1; blocks <= count / 2; blocks *= 2)
        add(std::string(kBlock) + std::to_string(blocks), std::log2(static_cast<double>(blocks)) / 4);
    add("leaf", 0);
    add("model", 0);
    for (std::size_t i = 1; i < range.settings.size(); ++i) {
        range.lessTime.emplace_back(0, i);
        if (i % 2 == 0) // with a stream, copies wait for nothing that they would not wait for without
            range.lessTime.emplace_back(i, i - 1);
        for (std::size_t j = 0; j < range.settings.size(); ++j)
            if (i != j
                && holdsNoMore(parseOffload(range.settings[i].notation, "offload"),
                    parseOffload(range.settings[j].notation, "offload")))
                range.lessMemory.emplace_back(i, j);
    }
    return range;
}

} // namespace

OffloadNotation parseOffload(const std::string& notation, const std::string& where)
{
    if (notation == "off")
        return {};
    const bool stream = notation.ends_with(kStream);
    auto offload = parseGroups(notation.substr(0, notation.size() - (stream ? kStream.size() : 0)));
    if (!offload)
        throw UsageError("found \"" + notation + "\"", where, kOffloadValid);
    offload->stream = stream;
    return *offload;
}

std::string toText(const OffloadNotation& offload)
{
    if (offload.groups == Groups::None)
        return "off";
    return groupsText(offload) + std::string(offload.stream ? kStream : "");
}

bool restsPinned(const OffloadNotation& offload, const ValueMap& options)
{
    const auto chosen = options.find("host_memory");
    if (chosen == options.end() || chosen->second.isNull() || chosen->second.text() == "auto")
        return offload.stream;
    return chosen->second.text() == "pinned";
}

TechniqueDescriptor offloadDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = "offload";
    descriptor.title = "Group offload";
    descriptor.summary =
        "Weights rest in host memory and come to the device in groups, each while its layers run. The device holds one "
        "group, or two with a stream, in place of all weights; each step copies every weight across at least once.";
    descriptor.forms = offloadForms();
    descriptor.off = "off";
    descriptor.options = offloadOptionFields();
    descriptor.relieves = {MemoryCategory::Weights};
    descriptor.counters = {{"groups", "groups that the weights are in: of the model, not of one step"},
        {"bytes_to_host", "bytes copied to the host: weights that an optimizer has changed"},
        {"bytes_to_device", "bytes of weights copied to the device"}};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        return toText(parseOffload(notation, where));
    };
    descriptor.problems = offloadSettingProblems;
    descriptor.candidates = offloadCandidates;
    descriptor.range = offloadRange;
    return descriptor;
}

} // namespace headroom::config
