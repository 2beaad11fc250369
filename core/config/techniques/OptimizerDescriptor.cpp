// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/OptimizerDescriptor.h"

#include "core/base/Error.h"
#include "core/config/techniques/TrainableDescriptor.h"

#include <algorithm>
#include <array>

namespace headroom::config {
namespace {

using Rule = OptimizerNotation::Rule;
using Form = OptimizerNotation::Form;

constexpr const char* kOptimizerValid =
    "sgd, adamw, each with :loop, :foreach, :fused or :expressions, or as PyTorch does it on the device";
constexpr std::array kRules{"sgd", "adamw"};
constexpr std::array kForms{"loop", "foreach", "fused", "expressions"};
constexpr double kAdamwWeightDecay = 1e-2; // PyTorch's default

template <typename Enum, std::size_t N>
std::optional<Enum> findWord(const std::array<const char*, N>& words, const std::string& word)
{
    const auto found = std::ranges::find(words, word);
    return found == words.end() ? std::nullopt : std::optional(static_cast<Enum>(found - words.begin()));
}

Field optimizerReal(const char* name, Value defaultValue, const char* help)
{
    return {.name = name, .type = FieldType::Real, .defaultValue = std::move(defaultValue), .help = help, .minimum = 0};
}

Field decayRate(const char* name, double defaultValue, const char* help)
{
    Field field = optimizerReal(name, defaultValue, help);
    field.maximum = 1;
    return field;
}

FieldSet optimizerOptionFields()
{
    return FieldSet({
        optimizerReal("lr", 1e-3, "learning rate"),
        optimizerReal("momentum", 0.0,
            "sgd: how much of the last step's direction stays; above 0 a buffer is kept for each parameter"),
        optimizerReal("weight_decay", {},
            "sgd: how much of the parameter is added to its gradient (0 if not given); adamw: times the learning rate, "
            "how much a parameter shrinks in each step, apart from its gradient (0.01 if not given)"),
        decayRate("beta1", 0.9, "adamw: decay of the running mean of gradients, below 1"),
        decayRate("beta2", 0.999, "adamw: decay of the running mean of their squares, below 1"),
        optimizerReal("eps", 1e-8, "adamw: added to the root of the squares"),
        {.name = "state_dtype",
            .type = FieldType::Choice,
            .defaultValue = {},
            .help = "number format in which state is kept; that of the parameter if not given. Where it is another "
                    "one, an update is computed in the wider of the two",
            .choices = {"float32", "bfloat16"}},
    });
}

// Options that were given although the rule does not have them.
std::vector<std::string> foreignOptions(Rule rule, const ValueMap& given)
{
    const std::vector<std::string> foreign =
        rule == Rule::Sgd ? std::vector<std::string>{"beta1", "beta2", "eps"} : std::vector<std::string>{"momentum"};
    std::vector<std::string> problems;
    for (const auto& [name, value] : optimizerOptionFields().differing(given))
        if (std::ranges::find(foreign, name) != foreign.end())
            problems.push_back("optimizer: " + std::string(kRules[static_cast<std::size_t>(rule)]) + " has no " + name
                + " (valid: "
                + (rule == Rule::Sgd ? "lr, momentum, weight_decay, state_dtype"
                                     : "lr, weight_decay, beta1, beta2, eps, state_dtype")
                + ")");
    return problems;
}

std::vector<std::string> rateProblems(const ValueMap& given)
{
    std::vector<std::string> problems;
    for (const char* name : {"beta1", "beta2"})
        if (given.at(name).real() >= 1)
            problems.push_back("optimizer: " + std::string(name)
                + " = 1 would never forget its start, which is zero (valid: from 0 to below 1)");
    return problems;
}

std::vector<std::string> stateProblems(
    const OptimizerNotation& optimizer, const OptimizerOptions& chosen, Dtype trained)
{
    if (!chosen.stateDtype)
        return {};
    const std::string option = "optimizer: state_dtype = " + toText(*chosen.stateDtype);
    if (optimizer.rule == Rule::Sgd && chosen.momentum == 0)
        return {option
            + " has no state to hold, as sgd keeps one with momentum only (valid: momentum above 0, or no "
              "state_dtype)"};
    const bool takesOneFormat = optimizer.form == Form::Fused || optimizer.form == Form::Expressions;
    if (takesOneFormat && *chosen.stateDtype != trained)
        return {option + " differs from the parameters' " + toText(trained) + ", and " + toText(optimizer)
            + " takes all in one number format (valid: loop or foreach, or no state_dtype)"};
    return {};
}

std::vector<std::string> optimizerSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    const OptimizerNotation optimizer = parseOptimizer(setting.notation, "optimizer");
    std::vector<std::string> found = foreignOptions(optimizer.rule, setting.options);
    const auto rates = rateProblems(setting.options);
    found.insert(found.end(), rates.begin(), rates.end());
    const auto state = stateProblems(
        optimizer, optimizerOptions(setting), trainedDtype(context.techniques.at(kTrainableKey), context.workload));
    found.insert(found.end(), state.begin(), state.end());
    return found;
}

// The same rule in another form; the rule itself is part of the task. Of those that are as good it stays as it is.
TechniqueRange optimizerRange(const ModelContext& context)
{
    OptimizerNotation optimizer = parseOptimizer(context.notationOf("optimizer"), "optimizer");
    TechniqueRange range{.isIndependent = true};
    const Form present = optimizer.form;
    for (const Form form : {Form::Loop, Form::Foreach, Form::Fused}) {
        optimizer.form = form;
        range.settings.push_back({toText(optimizer), {}, form == present ? 0 : 1, toText(optimizer)});
        if (context.workload.step != StepKind::Train)
            break;
    }
    return range;
}

} // namespace

OptimizerNotation parseOptimizer(const std::string& notation, const std::string& where)
{
    const std::size_t colon = notation.find(':');
    const auto rule = findWord<Rule>(kRules, notation.substr(0, colon));
    const auto form =
        colon == std::string::npos ? std::optional(Form::Loop) : findWord<Form>(kForms, notation.substr(colon + 1));
    if (!rule || !form)
        throw UsageError("found \"" + notation + "\"", where, kOptimizerValid);
    return {*rule, *form};
}

std::string toText(const OptimizerNotation& optimizer)
{
    const std::string rule = kRules[static_cast<std::size_t>(optimizer.rule)];
    if (optimizer == OptimizerNotation{})
        return rule;
    return rule + ":" + kForms[static_cast<std::size_t>(optimizer.form)];
}

std::string optimizerMeant(
    const std::string& notation, const ValueMap& given, DeviceKind device, const std::string& where)
{
    OptimizerNotation optimizer = parseOptimizer(notation, where);
    const bool namesForm = notation.find(':') != std::string::npos;
    const bool isDefault = optimizer.rule == Rule::Sgd && given.empty();
    if (!namesForm && !isDefault && device != DeviceKind::Cpu)
        optimizer.form = Form::Foreach;
    return toText(optimizer);
}

std::string optimizerInIds(const std::string& notation)
{
    return notation == "adamw:loop" ? "adamw" : notation;
}

OptimizerOptions optimizerOptions(const TechniqueSetting& setting)
{
    const ValueMap& given = setting.options;
    const Rule rule = parseOptimizer(setting.notation, "optimizer").rule;
    OptimizerOptions result;
    result.learningRate = given.at("lr").real();
    result.momentum = given.at("momentum").real();
    const double decay = rule == Rule::Adamw ? kAdamwWeightDecay : 0.0;
    result.weightDecay = given.at("weight_decay").isNull() ? decay : given.at("weight_decay").real();
    result.beta1 = given.at("beta1").real();
    result.beta2 = given.at("beta2").real();
    result.eps = given.at("eps").real();
    if (const Value& dtype = given.at("state_dtype"); !dtype.isNull())
        result.stateDtype = dtype.text() == "float32" ? Dtype::Float32 : Dtype::BFloat16;
    return result;
}

TechniqueDescriptor optimizerDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = kOptimizerKey;
    descriptor.keepsWeights = true;
    descriptor.title = "Optimizer";
    descriptor.summary =
        "By which rule a training step changes the parameters, and how: one parameter after the other, all in one go "
        "with temporaries of all, in one kernel without any, or operator by operator. Its state lives on the device "
        "from the first update "
        "on.";
    descriptor.forms = {
        {"sgd", "gradient descent; no state without momentum"},
        {"sgd:loop", "the same, one parameter after the other: the form that PyTorch takes on the CPU"},
        {"sgd:foreach", "the same, all parameters in one go: the form that PyTorch takes on CUDA"},
        {"sgd:fused", "the same in one kernel"},
        {"sgd:expressions",
            "the same as Python writes it from the formula: each operator makes a tensor, and new state takes the "
            "place "
            "of the old"},
        {"adamw", "AdamW: two values of state for each parameter that is trained"},
        {"adamw:loop",
            "the same, one parameter after the other, with temporaries of one: the form that PyTorch takes on the CPU"},
        {"adamw:foreach",
            "the same, all parameters in one go, with temporaries of all: the form that PyTorch takes on CUDA"},
        {"adamw:fused", "the same in one kernel, without temporaries"},
        {"adamw:expressions",
            "the same as Python writes it from the formula: each operator makes a tensor, and new state takes the "
            "place "
            "of the old"},
    };
    descriptor.off = "sgd";
    descriptor.firstNotation = "adamw";
    descriptor.options = optimizerOptionFields();
    descriptor.offOptions = OffOptions::Kept;
    descriptor.role = TechniqueRole::Task;
    descriptor.counters = {{"parameters_updated", "parameters that one step's update changed"},
        {"state_bytes", "bytes of state on the device"}};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        return toText(parseOptimizer(notation, where));
    };
    descriptor.problems = optimizerSettingProblems;
    // Every notation updates parameters: plain sgd does too.
    descriptor.asksForTraining = [](const std::string&) { return true; };
    // The update rule is part of the task, not a way to save memory in it.
    descriptor.candidates = [](const ModelContext&) { return std::vector<Candidate>{}; };
    descriptor.range = optimizerRange;
    return descriptor;
}

} // namespace headroom::config
