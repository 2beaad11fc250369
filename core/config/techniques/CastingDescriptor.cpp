// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/CastingDescriptor.h"

#include "core/base/Error.h"
#include "core/config/techniques/ModelWords.h"
#include "core/config/techniques/TrainableDescriptor.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>
#include <utility>

namespace headroom::config {
namespace {

using Storage = CastingNotation::Storage;
using Granularity = CastingNotation::Granularity;
using Load = CastingOptions::Load;

constexpr const char* kCastingValid =
    "off, or e4m3, e5m2, bf16, fp16, each by itself or with :layer, :group, :block, :model";

constexpr std::array kStorages{std::pair{"e4m3", Storage::E4m3}, std::pair{"e5m2", Storage::E5m2},
    std::pair{"bf16", Storage::BFloat16}, std::pair{"fp16", Storage::Float16}};
constexpr std::array kGranularities{std::pair{"layer", Granularity::Layer}, std::pair{"group", Granularity::Group},
    std::pair{"block", Granularity::Block}, std::pair{"model", Granularity::Model}};
constexpr std::array kComputeTypes{
    std::pair{"float32", Dtype::Float32}, std::pair{"bfloat16", Dtype::BFloat16}, std::pair{"float16", Dtype::Float16}};

// Upstream's DEFAULT_SKIP_MODULES_PATTERN, and the names of PEFT's adapters that our models can have.
constexpr std::array kGeneralPatterns{"pos_embed", "patch_embed", "norm", "^proj_in$", "^proj_out$"};
constexpr std::array kAdapterPatterns{"lora_A", "lora_B"};

template <typename Table> auto findEntry(const Table& table, std::string_view name)
{
    return std::ranges::find_if(table, [&](const auto& entry) { return entry.first == name; });
}

template <typename Table, typename Entry> const char* nameOf(const Table& table, Entry value)
{
    return std::ranges::find_if(table, [&](const auto& entry) { return entry.second == value; })->first;
}

Value optionOf(const ValueMap& options, const char* name)
{
    const auto found = options.find(name);
    return found == options.end() ? Value() : found->second;
}

bool flag(const Value& value)
{
    return !value.isNull() && value.boolean();
}

std::vector<std::string> texts(const Value& list)
{
    std::vector<std::string> result;
    if (!list.isNull())
        for (const Value& item : list.list())
            result.push_back(item.text());
    return result;
}

void checkPatterns(const CastingOptions& options)
{
    for (const std::string& pattern : options.skipPatterns.value_or(std::vector<std::string>()))
        try {
            const std::regex compiled(pattern);
        } catch (const std::regex_error& error) {
            throw UsageError("\"" + pattern + "\" is no regular expression: " + error.what(),
                "techniques.casting.skip_modules_pattern",
                "ECMAScript regular expressions, searched in dotted paths such as "
                "transformer_blocks.0.attn1.to_q");
        }
}

bool trainsEverything(const ModelContext& context)
{
    const auto trainable = context.techniques.find(kTrainableKey);
    return context.workload.step != StepKind::Inference
        && (trainable == context.techniques.end() || trainable->second.notation == "all");
}

std::vector<std::string> castingSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    const CastingNotation casting = parseCasting(setting.notation, "casting");
    if (casting.storage == Storage::None)
        return {};
    const CastingOptions options = castingOptions(setting.options);
    checkPatterns(options);
    std::vector<std::string> found;
    if (trainsEverything(context))
        found.push_back("casting = " + setting.notation + " with step = " + toText(context.workload.step)
            + " needs a frozen base: no optimizer can update weights that are stored in another type than their "
              "gradients (valid: trainable = lora:R, or step = inference)");
    if (casting.granularity == Granularity::Block && context.family.blocks(context.fields) == 0)
        found.push_back("casting = " + setting.notation + ": " + calledModel(context.family)
            + " has no blocks (valid: casting by layer, group or model)");
    if (casting.granularity == Granularity::Group && context.family.hasCastGroups
        && !context.family.hasCastGroups(context.fields))
        found.push_back("casting = " + setting.notation + ": no feed-forward or embedding of time steps of "
            + calledModel(context.family) + " is a module of its own (valid: casting by layer, block or model)");
    if (options.prefetch && casting.granularity == Granularity::Model)
        found.push_back("casting: prefetch has nothing to upcast ahead where the whole model is one unit (valid: "
                        "prefetch = false, or casting by layer, group or block)");
    return found;
}

std::vector<Repair> castingRepairs(const TechniqueSetting& setting, const ModelContext& context)
{
    if (parseCasting(setting.notation, "casting").storage == Storage::None || !trainsEverything(context))
        return {};
    return {{"Train LoRA adapters", "techniques.trainable", kUsualAdapters},
        {"Only run inference", "workload.step", toText(StepKind::Inference)}};
}

// bfloat16 halves the bytes of float32; a byte per weight halves them again.
std::vector<Candidate> castingCandidates(const ModelContext& context)
{
    constexpr int kOtherNumbers = 2;
    if (trainsEverything(context))
        return {};
    if (bytesPerElement(context.workload.dtype) > 2)
        return {{"bf16", kOtherNumbers}, {"e4m3", kOtherNumbers}};
    return {{"e4m3", kOtherNumbers}};
}

FieldSet castingOptionFields()
{
    return FieldSet({
        {.name = "compute_dtype",
            .type = FieldType::Choice,
            .defaultValue = {},
            .help = "type that weights are upcast to; the workload's if not given. Layers take and give activations in "
                    "the workload's type",
            .choices = {"float32", "bfloat16", "float16"}},
        {.name = "skip_modules_pattern",
            .type = FieldType::TextList,
            .defaultValue = {},
            .help = "regular expressions searched in dotted paths: modules that match stay as they are, with all below "
                    "them. If not given, pos_embed, patch_embed, norm, ^proj_in$, ^proj_out$ and adapters; what the "
                    "model's family leaves out comes on top, but for :model, which leaves out what is given only"},
        {.name = "skip_modules_classes",
            .type = FieldType::TextList,
            .defaultValue = Value(Value::List{}),
            .help = "classes such as Linear or FeedForward: modules of them stay as they are, with all below them"},
        {.name = "prefetch",
            .type = FieldType::Boolean,
            .defaultValue = false,
            .help = "upcast the next unit on a side stream while one runs, into a second buffer"},
        {.name = "recompute_casts",
            .type = FieldType::Boolean,
            .defaultValue = false,
            .help = "in training: keep no upcast copies for the backward pass, which casts again"},
        {.name = "load",
            .type = FieldType::Choice,
            .defaultValue = "direct",
            .help = "direct: each module's weights are stored as they are made; move_then_cast: the whole model is "
                    "made first and cast then",
            .choices = {"direct", "move_then_cast"}},
    });
}

std::vector<NotationForm> castingForms()
{
    return {{"off", "weights are stored as they are computed with"},
        {"e4m3", "stored in 8 bits, 3 of them mantissa: up to 448"},
        {"e5m2", "stored in 8 bits, 2 of them mantissa: up to 57344"}, {"bf16", "stored in bfloat16"},
        {"fp16", "stored in float16: up to 65504"},
        {"STORAGE:layer", "each Linear, convolution and embedding is upcast by itself, as without this word"},
        {"STORAGE:group",
            "a feed-forward, a time-step embedding, a text or patch projection at a time; nothing else is cast"},
        {"STORAGE:block", "the layers of a transformer block at a time; others by themselves"},
        {"STORAGE:model", "everything, norms too, at once around the whole forward"}};
}

std::vector<CounterDescriptor> counters()
{
    return {{"layers_cast", "modules whose weights were cast to the storage type"},
        {"stored_bytes", "bytes of those weights as they are stored"},
        {"casts", "weights upcast in one step, backward pass included"}, {"cast_bytes", "bytes of those upcast copies"},
        {"stream_syncs", "waits between the side stream and the computation in one step"},
        {"values_clipped", "weights beyond the storage type's range, stored as its largest number; of the whole run"}};
}

// Stored in 8 bits, by layer, by group and by block; of wider weights in 16 bits, too. Numbers are those of the storage
// type, however it is cast.
TechniqueRange castingRange(const ModelContext& context)
{
    constexpr int kOtherNumbers = 2;
    TechniqueRange range{.settings = {{"off"}}, .timeOrderWithout = "offload"};
    if (trainsEverything(context))
        return range;
    const bool isTraining = context.workload.step != StepKind::Inference;
    const bool isWide = bytesPerElement(context.workload.dtype) > 2;
    for (const char* storage : {"e4m3", "bf16"})
        for (const char* unit : {"", ":group", ":block"})
            for (const bool prefetch : {false, true})
                for (const bool recompute : {false, true}) {
                    if ((recompute && !isTraining) || (!isWide && storage == std::string_view("bf16")))
                        continue;
                    RangeSetting setting{std::string(storage) + unit, {}, kOtherNumbers, std::string(storage) + unit};
                    setting.options["prefetch"] = prefetch;
                    setting.options["recompute_casts"] = recompute;
                    setting.effort += (prefetch ? 1 : 0) + (recompute ? 1 : 0);
                    setting.extent = (prefetch ? 1.0 : 0.0) + (recompute ? 2.0 : 0.0);
                    range.lessTime.emplace_back(0, range.settings.size());
                    if (recompute) { // the setting before is the same without it
                        range.lessMemory.emplace_back(range.settings.size(), range.settings.size() - 1);
                        range.lessTime.emplace_back(range.settings.size() - 1, range.settings.size());
                    }
                    range.settings.push_back(std::move(setting));
                }
    return range;
}

} // namespace

CastingNotation parseCasting(const std::string& notation, const std::string& where)
{
    if (notation == "off")
        return {};
    const std::size_t colon = notation.find(':');
    const auto storage = findEntry(kStorages, notation.substr(0, colon));
    const auto granularity =
        findEntry(kGranularities, colon == std::string::npos ? "layer" : notation.substr(colon + 1));
    if (storage == kStorages.end() || granularity == kGranularities.end())
        throw UsageError("found \"" + notation + "\"", where, kCastingValid);
    return {storage->second, granularity->second};
}

std::string toText(const CastingNotation& casting)
{
    if (casting.storage == Storage::None)
        return "off";
    const std::string storage = nameOf(kStorages, casting.storage);
    return casting.granularity == Granularity::Layer ? storage
                                                     : storage + ":" + nameOf(kGranularities, casting.granularity);
}

CastingOptions castingOptions(const ValueMap& options)
{
    CastingOptions result;
    if (const Value compute = optionOf(options, "compute_dtype"); !compute.isNull())
        result.compute = findEntry(kComputeTypes, compute.text())->second;
    if (const Value patterns = optionOf(options, "skip_modules_pattern"); !patterns.isNull())
        result.skipPatterns = texts(patterns);
    result.skipClasses = texts(optionOf(options, "skip_modules_classes"));
    result.prefetch = flag(optionOf(options, "prefetch"));
    result.recomputeCasts = flag(optionOf(options, "recompute_casts"));
    const Value load = optionOf(options, "load");
    result.load = !load.isNull() && load.text() == "move_then_cast" ? Load::MoveThenCast : Load::Direct;
    return result;
}

std::vector<std::string> castingSkipPatterns(
    const CastingNotation& casting, const CastingOptions& options, const ModelFamily& family)
{
    if (casting.granularity == Granularity::Model)
        return options.skipPatterns.value_or(std::vector<std::string>());
    std::vector<std::string> patterns;
    if (options.skipPatterns) {
        patterns = *options.skipPatterns;
    } else {
        patterns.assign(kGeneralPatterns.begin(), kGeneralPatterns.end());
        patterns.insert(patterns.end(), kAdapterPatterns.begin(), kAdapterPatterns.end());
    }
    for (const std::string& pattern : family.castingSkipPatterns)
        if (std::ranges::find(patterns, pattern) == patterns.end())
            patterns.push_back(pattern);
    return patterns;
}

TechniqueDescriptor castingDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = kCastingKey;
    descriptor.title = "Layerwise casting";
    descriptor.summary =
        "Stores weights in a smaller type and upcasts those of a layer while it runs. Saves memory of weights, at the "
        "cost of a cast before each layer and of digits; training needs a frozen base.";
    descriptor.forms = castingForms();
    descriptor.off = "off";
    descriptor.options = castingOptionFields();
    descriptor.relieves = {MemoryCategory::Weights};
    descriptor.counters = counters();
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        return toText(parseCasting(notation, where));
    };
    descriptor.problems = castingSettingProblems;
    descriptor.repairs = castingRepairs;
    descriptor.candidates = castingCandidates;
    descriptor.range = castingRange;
    return descriptor;
}

} // namespace headroom::config
