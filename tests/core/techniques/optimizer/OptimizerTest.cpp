// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/Optimizer.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/memory/ParameterHome.h"
#include "tests/core/techniques/optimizer/UpdateReference.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

namespace headroom::techniques::gradient_descent_test {
namespace {

using Rule = config::OptimizerNotation::Rule;

constexpr int kUpdates = 6;
constexpr double kLearningRate = 0.05;

config::TechniqueSetting settingOf(const std::string& notation, config::ValueMap options = {})
{
    options.insert({"lr", kLearningRate});
    return config::makeSetting(config::findTechnique("optimizer", ""), notation, options, "techniques.optimizer");
}

/// A rule with options that it has.
struct Choice {
    std::string rule;
    config::ValueMap options;
};

std::vector<Choice> choices()
{
    return {{"sgd", {}}, {"sgd", {{"weight_decay", 0.1}}}, {"sgd", {{"momentum", 0.9}}},
        {"sgd", {{"momentum", 0.5}, {"weight_decay", 0.2}}}, {"adamw", {}}, {"adamw", {{"weight_decay", 0.0}}},
        {"adamw", {{"weight_decay", 0.3}, {"beta1", 0.5}, {"beta2", 0.8}, {"eps", 0.01}}}, {"adamw", {{"beta1", 0.0}}}};
}

const std::vector<std::string> kForms{":loop", ":foreach", ":fused", ":expressions"};

std::string textOf(const Choice& choice, const std::string& form = "")
{
    std::string text = choice.rule + form;
    for (const auto& [name, value] : choice.options)
        text += " " + name + " " + config::toLabel(value);
    return text;
}

/// Parameters of several shapes and gradients for some updates, the same each time; values up to about 3.
struct Problem {
    std::vector<at::Tensor> parameters;
    std::vector<std::vector<at::Tensor>> gradients; ///< of each update

    explicit Problem(c10::ScalarType type)
    {
        at::manual_seed(61);
        const std::vector<std::vector<std::int64_t>> shapes{{7, 5}, {3}, {2, 3, 4}, {1}};
        for (const auto& shape : shapes)
            parameters.push_back(at::randn(shape, onTestDevice(at::kDouble)).to(type).requires_grad_());
        for (int update = 0; update < kUpdates; ++update) {
            gradients.emplace_back();
            for (const auto& shape : shapes)
                gradients.back().push_back(at::randn(shape, onTestDevice(at::kDouble)).to(type));
        }
    }

    void setGradients(int update)
    {
        for (std::size_t i = 0; i < parameters.size(); ++i)
            parameters[i].mutable_grad() = gradients[static_cast<std::size_t>(update)][i].clone();
    }

    void run(ParameterUpdater& optimizer)
    {
        for (int update = 0; update < kUpdates; ++update) {
            setGradients(update);
            optimizer.update(parameters);
        }
    }
};

std::vector<double> numbersOf(const at::Tensor& tensor)
{
    const at::Tensor flat = onHost(tensor).to(at::kDouble).reshape({-1}).contiguous();
    return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

// By the reference, from the very numbers that the problem in `type` starts from.
std::vector<std::vector<double>> expectedOf(const Choice& choice, c10::ScalarType type)
{
    const Problem problem(type);
    std::vector<std::vector<double>> result;
    for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
        UpdateReference reference(choice.rule == "sgd" ? Rule::Sgd : Rule::Adamw,
            config::optimizerOptions(settingOf(choice.rule, choice.options)), numbersOf(problem.parameters[i]));
        for (const auto& gradients : problem.gradients)
            reference.update(numbersOf(gradients[i]));
        result.push_back(reference.parameter());
    }
    return result;
}

// Each update rounds the parameter (up to 4) twice, and the direction (after n updates of gradients up to 4 a sum of at
// most 4 n, and no more than that for AdamW) not more than eight times; directions count lr times. The errors of n
// updates add up. u: half the distance from 1 to the next number, of the type in which state and parameter are kept.
double bound(double u)
{
    const double direction = 4.0 * kUpdates;
    return kUpdates * (2 * 4 + 8 * kLearningRate * direction) * u;
}

double unitOf(c10::ScalarType type)
{
    return type == at::kDouble ? 0x1p-53 : type == at::kFloat ? 0x1p-24 : 0x1p-9;
}

double largestDifference(const std::vector<at::Tensor>& parameters, const std::vector<std::vector<double>>& expected)
{
    double largest = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::vector<double> values = numbersOf(parameters[i]);
        for (std::size_t k = 0; k < values.size(); ++k)
            largest = std::max(largest, std::abs(values[k] - expected[i][k]));
    }
    return largest;
}

TEST(OptimizerTest, everyFormFollowsTheFormula)
{
    requireValues();
    for (const Choice& choice : choices())
        for (const c10::ScalarType type : {at::kDouble, at::kFloat, at::kBFloat16}) {
            const auto expected = expectedOf(choice, type);
            for (const std::string& form : kForms) {
                Problem problem(type);
                Optimizer optimizer(settingOf(choice.rule + form, choice.options));
                problem.run(optimizer);
                EXPECT_LE(largestDifference(problem.parameters, expected), bound(unitOf(type)))
                    << textOf(choice, form) << ' ' << c10::toString(type);
            }
        }
}

// The options differ enough to be told apart by the same comparison.
TEST(OptimizerTest, everyOptionChangesWhatComesOut)
{
    requireValues();
    const auto plainSgd = expectedOf({"sgd", {}}, at::kDouble);
    const auto plainAdamw = expectedOf({"adamw", {}}, at::kDouble);
    for (const auto& [rule, name, value] : std::vector<std::tuple<std::string, std::string, double>>{
             {"sgd", "lr", 0.04}, {"sgd", "momentum", 0.9}, {"sgd", "weight_decay", 0.1}, {"adamw", "lr", 0.04},
             {"adamw", "weight_decay", 0.1}, {"adamw", "beta1", 0.5}, {"adamw", "beta2", 0.9}, {"adamw", "eps", 0.01}})
        for (const std::string& form : kForms) {
            Problem problem(at::kDouble);
            Optimizer optimizer(settingOf(rule + form, {{name, value}}));
            problem.run(optimizer);
            EXPECT_GT(largestDifference(problem.parameters, rule == "sgd" ? plainSgd : plainAdamw), 1e-4)
                << rule << form << ' ' << name;
        }
}

TEST(OptimizerTest, gradientsStayAsTheyAre)
{
    requireValues();
    for (const Choice& choice : choices())
        for (const std::string& form : kForms) {
            Problem problem(at::kFloat);
            Optimizer optimizer(settingOf(choice.rule + form, choice.options));
            problem.run(optimizer);
            for (std::size_t i = 0; i < problem.parameters.size(); ++i)
                EXPECT_TRUE(sameNumbers(problem.parameters[i].grad(), problem.gradients.back()[i]))
                    << textOf(choice, form);
        }
}

void runTorch(torch::optim::Optimizer& optimizer, Problem& problem)
{
    for (int update = 0; update < kUpdates; ++update) {
        problem.setGradients(update);
        optimizer.step();
    }
}

// SGD does the same operations in the same order. AdamW's running mean is a lerp in PyTorch's Python and here, and a
// product and a sum in torch::optim: one rounding of 1 in 2^53.
TEST(OptimizerTest, agreesWithTorchOptim)
{
    requireValues();
    for (const double momentum : {0.0, 0.9}) {
        Problem own(at::kDouble), torchs(at::kDouble);
        Optimizer optimizer(settingOf("sgd", {{"momentum", momentum}, {"weight_decay", 0.1}}));
        own.run(optimizer);
        torch::optim::SGD reference(
            torchs.parameters, torch::optim::SGDOptions(kLearningRate).momentum(momentum).weight_decay(0.1));
        runTorch(reference, torchs);
        for (std::size_t i = 0; i < own.parameters.size(); ++i)
            EXPECT_TRUE(sameNumbers(own.parameters[i], torchs.parameters[i])) << "momentum " << momentum;
    }
    for (const std::string& form : kForms) {
        Problem own(at::kDouble), torchs(at::kDouble);
        Optimizer optimizer(settingOf("adamw" + form, {{"weight_decay", 0.1}, {"beta1", 0.8}, {"beta2", 0.95}}));
        own.run(optimizer);
        torch::optim::AdamW reference(torchs.parameters,
            torch::optim::AdamWOptions(kLearningRate).weight_decay(0.1).betas(std::make_tuple(0.8, 0.95)));
        runTorch(reference, torchs);
        for (std::size_t i = 0; i < own.parameters.size(); ++i)
            EXPECT_TRUE(closeNumbers(own.parameters[i], torchs.parameters[i], 0, bound(0x1p-53))) << form;
    }
}

TEST(OptimizerTest, theDefaultIsPlainDescentBitForBit)
{
    Problem own(at::kFloat), byHand(at::kFloat);
    own.run(*plainOptimizer());
    const torch::NoGradGuard noGradients;
    for (int update = 0; update < kUpdates; ++update)
        for (std::size_t i = 0; i < byHand.parameters.size(); ++i)
            byHand.parameters[i].add_(byHand.gradients[static_cast<std::size_t>(update)][i], -1e-3);
    for (std::size_t i = 0; i < own.parameters.size(); ++i) {
        EXPECT_TRUE(sameNumbers(own.parameters[i], byHand.parameters[i]));
        EXPECT_TRUE(own.parameters[i].requires_grad());
        EXPECT_TRUE(own.parameters[i].is_leaf());
    }
}

TEST(OptimizerTest, aParameterWithoutGradientIsLeftOutUntilItHasOne)
{
    requireValues();
    for (const Choice& choice : choices())
        for (const std::string& form : kForms) {
            Problem problem(at::kDouble);
            Optimizer optimizer(settingOf(choice.rule + form, choice.options));
            const at::Tensor before = problem.parameters[1].detach().clone();
            problem.setGradients(0);
            problem.parameters[1].mutable_grad() = at::Tensor();
            optimizer.update(problem.parameters);
            EXPECT_TRUE(sameNumbers(problem.parameters[1].detach(), before));
            EXPECT_FALSE(optimizer.stateOf(1).first.defined());
            EXPECT_EQ(optimizer.counters().at("parameters_updated"), 3);
            for (int update = 1; update < kUpdates; ++update) {
                problem.setGradients(update);
                optimizer.update(problem.parameters);
            }
            UpdateReference reference(choice.rule == "sgd" ? Rule::Sgd : Rule::Adamw,
                config::optimizerOptions(settingOf(choice.rule, choice.options)), numbersOf(before));
            for (int update = 1; update < kUpdates; ++update)
                reference.update(numbersOf(problem.gradients[static_cast<std::size_t>(update)][1]));
            EXPECT_LE(largestDifference({problem.parameters[1]}, {reference.parameter()}), bound(0x1p-53))
                << textOf(choice, form) << ": its first update is its first";
        }
}

TEST(OptimizerTest, updatingNothingIsNoError)
{
    for (const std::string& form : kForms) {
        Optimizer optimizer(settingOf("adamw" + form));
        optimizer.update({});
        optimizer.update({at::ones({2}, onTestDevice()).requires_grad_()});
        EXPECT_EQ(optimizer.counters().at("state_bytes"), 0);
    }
}

TEST(OptimizerTest, stateIsCountedInBytes)
{
    requireValues();
    const auto bytesOf = [](const std::string& notation, const config::ValueMap& options) {
        Problem problem(at::kFloat);
        Optimizer optimizer(settingOf(notation, options));
        EXPECT_EQ(optimizer.counters().at("state_bytes"), 0) << "made at the first update";
        problem.run(optimizer);
        return optimizer.counters().at("state_bytes");
    };
    const std::int64_t elements = 35 + 3 + 24 + 1;
    EXPECT_EQ(bytesOf("sgd", {}), 0);
    EXPECT_EQ(bytesOf("sgd", {{"momentum", 0.9}}), 4 * elements);
    EXPECT_EQ(bytesOf("adamw", {}), 8 * elements);
    EXPECT_EQ(bytesOf("adamw:foreach", {{"state_dtype", "bfloat16"}}), 4 * elements);
    EXPECT_EQ(bytesOf("adamw:fused", {}), 8 * elements + 4 * 4) << "and a count on the device for each parameter";
}

// The parameter is rounded in its own type, and the direction in the wider one; what is kept of it is rounded in the
// state's.
TEST(OptimizerTest, stateMayHaveAnotherFormatThanTheParameter)
{
    requireValues();
    for (const Choice& choice : choices()) {
        if (choice.rule == "sgd" && !choice.options.contains("momentum"))
            continue;
        for (const auto& [type, state] : {std::pair(at::kFloat, at::kBFloat16), std::pair(at::kBFloat16, at::kFloat)})
            for (const std::string form : {":loop", ":foreach"}) {
                config::ValueMap options = choice.options;
                options["state_dtype"] = state == at::kFloat ? "float32" : "bfloat16";
                Problem problem(type), without(type);
                Optimizer optimizer(settingOf(choice.rule + form, options));
                problem.run(optimizer);
                EXPECT_EQ(optimizer.stateOf(0).first.scalar_type(), state);
                EXPECT_EQ(problem.parameters[0].scalar_type(), type);
                EXPECT_LE(largestDifference(problem.parameters, expectedOf(choice, type)), bound(unitOf(at::kBFloat16)))
                    << textOf(choice, form);
                Optimizer plain(settingOf(choice.rule + form, choice.options));
                without.run(plain);
                EXPECT_FALSE(sameBits(problem.parameters[0], without.parameters[0])) << textOf(choice, form);
            }
    }
}

/// Keeps parameters elsewhere: where they rest, their data are no numbers.
class Elsewhere final : public tensor::ParameterHome {
public:
    explicit Elsewhere(const std::vector<at::Tensor>& parameters)
        : m_registration(parameters, *this)
    {
        rest(parameters, tensor::ParameterUse::Change);
    }
    at::Tensor copyOnDevice(const at::Tensor& parameter) override { return stored.at(parameter.unsafeGetTensorImpl()); }
    void bring(const std::vector<at::Tensor>& parameters) override
    {
        ++fetches;
        for (at::Tensor parameter : parameters)
            parameter.set_data(stored.at(parameter.unsafeGetTensorImpl()));
    }
    void rest(const std::vector<at::Tensor>& parameters, tensor::ParameterUse use) override
    {
        EXPECT_EQ(use, tensor::ParameterUse::Change);
        for (at::Tensor parameter : parameters) {
            stored[parameter.unsafeGetTensorImpl()] = parameter.tensor_data();
            parameter.set_data(at::full_like(parameter.tensor_data(), std::nan("")));
        }
    }

    std::map<const c10::TensorImpl*, at::Tensor> stored;
    int fetches = 0;

private:
    tensor::ParameterHomeRegistration m_registration;
};

TEST(OptimizerTest, parametersThatRestElsewhereAreFetchedAndUpdated)
{
    requireValues();
    for (const std::string rule : {"sgd", "adamw"})
        for (const std::string& form : kForms) {
            Problem problem(at::kDouble), resident(at::kDouble);
            Optimizer plain(settingOf(rule + form));
            resident.run(plain);
            Elsewhere home({problem.parameters[1], problem.parameters[2]});
            Optimizer optimizer(settingOf(rule + form));
            problem.run(optimizer);
            EXPECT_EQ(home.fetches, kUpdates) << "both in one run of neighbours";
            home.bring({problem.parameters[1], problem.parameters[2]});
            for (std::size_t i = 0; i < problem.parameters.size(); ++i)
                EXPECT_TRUE(sameNumbers(problem.parameters[i], resident.parameters[i])) << rule << form << ' ' << i;
        }
}

TEST(OptimizerTest, saysWhatItDoes)
{
    EXPECT_EQ(Optimizer(settingOf("sgd")).effective(), "sgd, without state");
    EXPECT_EQ(Optimizer(settingOf("sgd:fused", {{"momentum", 0.9}})).effective(),
        "sgd:fused, state in the parameters' format");
    EXPECT_EQ(Optimizer(settingOf("adamw:foreach", {{"state_dtype", "bfloat16"}})).effective(),
        "adamw:foreach, state in bfloat16");
}

} // namespace
} // namespace headroom::techniques::gradient_descent_test
