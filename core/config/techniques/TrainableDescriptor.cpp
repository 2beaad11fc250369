// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/TrainableDescriptor.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/LossChunks.h"
#include "core/config/techniques/ModelWords.h"

#include <algorithm>
#include <string_view>

namespace headroom::config {
namespace {

using TrainableKind = TrainableNotation::Kind;

constexpr std::string_view kLora = "lora:";
constexpr std::size_t kMostNamed = 12; ///< targets that a message lists
constexpr const char* kSameDtype = "same";
constexpr std::int64_t kMaximumRank = 65536;
constexpr const char* kTrainableValid = "all, lora:R with a rank R of at least 1 and at most 65536, none";

// "attn1.to_out.0" for "transformer_blocks.3.attn1.to_out.0", which all blocks share; other paths unchanged.
std::string pathInBlock(const std::string& path)
{
    for (std::size_t begin = path.find('.'); begin != std::string::npos; begin = path.find('.', begin + 1)) {
        const std::size_t end = path.find('.', begin + 1);
        if (end != std::string::npos && path.find_first_not_of("0123456789", begin + 1) == end)
            return path.substr(end + 1);
    }
    return path;
}

std::string targetsThereAre(const std::vector<std::string>& linears)
{
    std::vector<std::string> names;
    for (const std::string& path : linears)
        if (const std::string name = pathInBlock(path); std::ranges::find(names, name) == names.end())
            names.push_back(name);
    if (names.size() <= kMostNamed)
        return joined(names);
    const std::size_t others = names.size() - kMostNamed;
    names.resize(kMostNamed);
    return joined(names) + " and " + counted(static_cast<std::int64_t>(others), "other");
}

std::vector<std::string> targetProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    const std::vector<std::string> linears = context.family.linears(context.fields);
    const std::vector<std::string> targets = adapterTargets(setting, context.family);
    const auto isThere = [&](const std::string& target) {
        return std::ranges::any_of(linears, [&](const std::string& path) { return isTargeted(path, target); });
    };
    // The family's own targets name layers of all kinds of blocks, but a model need not have every kind.
    if (targets == context.family.adapterTargets && std::ranges::any_of(targets, isThere))
        return {};
    std::vector<std::string> problems;
    for (const std::string& target : targets)
        if (!isThere(target))
            problems.push_back("trainable: target_modules names \"" + target + "\", which no Linear of "
                + calledModel(context.family) + " ends with (there are " + targetsThereAre(linears) + ")");
    return problems;
}

// A fused loss multiplies the head's weights itself.
bool isFusedHeadTargeted(const TechniqueSetting& setting, const ModelContext& context)
{
    return isLossFused(context.workload)
        && std::ranges::any_of(adapterTargets(setting, context.family), [&](const std::string& target) {
               return isTargeted(context.family.linears(context.fields).back(), target);
           });
}

std::vector<std::string> adapterProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    std::vector<std::string> problems = targetProblems(setting, context);
    if (adapterTargets(setting, context.family).empty())
        problems.push_back("trainable: target_modules is empty, so there is nothing to train (valid: names of Linears, "
                           "or all as notation)");
    if (isFusedHeadTargeted(setting, context))
        problems.push_back("trainable: target_modules names the head, whose product is fused with the loss and has no "
                           "adapters (valid: other Linears, or workload.fused = false)");
    if (context.workload.dtype == Dtype::Float64 && hasOwnDtype(setting))
        problems.push_back(
            "trainable: dtype = float32 would round what a model in float64 computes (valid: dtype = same)");
    if (const Value& alpha = setting.options.at("alpha"); !alpha.isNull() && alpha.real() == 0)
        problems.push_back("trainable: alpha = 0 would multiply what the adapters give by zero (valid: a number above "
                           "0)");
    return problems;
}

std::vector<std::string> trainableSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    const TrainableNotation trainable = parseTrainable(setting.notation, "trainable");
    if (trainable.kind == TrainableKind::Lora)
        return adapterProblems(setting, context);
    if (trainable.kind == TrainableKind::None && context.workload.step != StepKind::Inference)
        return {"trainable = none leaves nothing that step = " + toText(context.workload.step)
            + " could form a gradient of (valid: all or lora:R, or step = inference)"};
    return {};
}

FieldSet trainableOptionFields()
{
    return FieldSet({
        {.name = "alpha",
            .type = FieldType::Real,
            .defaultValue = {},
            .help = "what the adapters give counts alpha / R times; R if not given",
            .minimum = 0},
        {.name = "dropout",
            .type = FieldType::Real,
            .defaultValue = 0.0,
            .help = "drop probability of the adapters' input in training",
            .minimum = 0,
            .maximum = 1},
        {.name = kAdapterDtype,
            .type = FieldType::Choice,
            .defaultValue = kSameDtype,
            .help = "number format of the adapters: that of the workload, or float32 whatever that is, as PEFT and "
                    "diffusers' scripts keep what is trained; their input is then raised to it, and what they give is "
                    "rounded to the base's",
            .choices = {kSameDtype, "float32"}},
        {.name = "target_modules",
            .type = FieldType::TextList,
            .defaultValue = {},
            .help = "Linears that get adapters: dotted paths or their ends; if not given, the attention's projections, "
                    "or the feed-forward's Linears in a model without attention"},
    });
}

} // namespace

TrainableNotation parseTrainable(const std::string& notation, const std::string& where)
{
    if (notation == "all")
        return {};
    if (notation == "none")
        return {TrainableKind::None};
    const auto rank = notation.starts_with(kLora) ? parseCount(notation.substr(kLora.size())) : std::nullopt;
    if (!rank || *rank > kMaximumRank)
        throw UsageError("found \"" + notation + "\"", where, kTrainableValid);
    return {TrainableKind::Lora, *rank};
}

std::string toText(const TrainableNotation& trainable)
{
    if (trainable.kind == TrainableKind::Lora)
        return std::string(kLora) + std::to_string(trainable.rank);
    return trainable.kind == TrainableKind::All ? "all" : "none";
}

std::vector<std::string> adapterTargets(const TechniqueSetting& setting, const ModelFamily& family)
{
    const Value& given = setting.options.at("target_modules");
    if (given.isNull())
        return family.adapterTargets;
    std::vector<std::string> targets;
    for (const Value& target : given.list())
        targets.push_back(target.text());
    return targets;
}

bool hasOwnDtype(const TechniqueSetting& setting)
{
    const auto dtype = setting.options.find(kAdapterDtype);
    return parseTrainable(setting.notation, kTrainableKey).kind == TrainableKind::Lora && dtype != setting.options.end()
        && dtype->second == Value("float32");
}

Dtype trainedDtype(const TechniqueSetting& setting, const Workload& workload)
{
    return hasOwnDtype(setting) ? Dtype::Float32 : workload.dtype;
}

bool isTargeted(const std::string& path, const std::string& target)
{
    return path == target || path.ends_with("." + target);
}

TechniqueDescriptor trainableDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = kTrainableKey;
    descriptor.title = "Trained parameters";
    descriptor.summary =
        "Which parameters are trained: all of them; low-rank adapters (LoRA) beside a frozen base, whose weights then "
        "have no gradients and no optimizer state; or none, for inference.";
    descriptor.forms = {{"all", "every parameter"},
        {"lora:R",
            "the base is frozen; each targeted Linear gets adapters of rank R, as PEFT's: y = base(x) + alpha / R * "
            "B(A(dropout(x)))"},
        {"none", "every parameter is frozen; inference only"}};
    descriptor.off = "all";
    descriptor.firstNotation = kUsualAdapters;
    descriptor.options = trainableOptionFields();
    descriptor.role = TechniqueRole::Task;
    descriptor.sparesOperations = true; // gradients of frozen weights are not computed
    descriptor.counters = {{"trained_parameters", "elements of all parameters that are trained"},
        {"frozen_parameters", "elements of all parameters that are not"},
        {"adapters", "Linears with low-rank adapters"}};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        return toText(parseTrainable(notation, where));
    };
    descriptor.problems = trainableSettingProblems;
    // Naming what is trained asks for training; a model without trained parameters only has inference steps.
    descriptor.asksForTraining = [](const std::string& notation) { return notation != "none"; };
    // Trials from before adapters had a number format option keep their ids.
    descriptor.idleOptions = [](const TechniqueSetting& setting) {
        return hasOwnDtype(setting) ? std::vector<std::string>{} : std::vector<std::string>{kAdapterDtype};
    };
    descriptor.trainedDtype = [](const TechniqueSetting& setting) {
        return hasOwnDtype(setting) ? std::optional(Dtype::Float32) : std::nullopt;
    };
    // What is trained is part of the task, not a way to save memory in it.
    descriptor.candidates = [](const ModelContext&) { return std::vector<Candidate>{}; };
    return descriptor;
}

} // namespace headroom::config
