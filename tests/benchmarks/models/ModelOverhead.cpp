// SPDX-License-Identifier: Apache-2.0
//
// What the code of the models costs over LibTorch's functions called one after the other: the same weights, the same
// inputs, the same ops, in one process, turn and turn about. Prints docs/measurements/models-cpu.md.
//
//   benchmark-models [SECONDS A ROW] > docs/measurements/models-cpu.md
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "tests/benchmarks/models/PlainModel.h"
#include "tests/support/Configurations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>

namespace {

using namespace headroom;
using Clock = std::chrono::steady_clock;

constexpr double kDefaultSeconds = 4;
constexpr int kWarmUp = 5;
constexpr std::size_t kLeastRounds = 15;

enum class Pass { Inference, ForwardBackward };

double secondsOf(const std::function<void()>& action)
{
    const auto begin = Clock::now();
    action();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// A quarter of the times are below it. Other processes only add to a time, so that the lower ones are the program's
// own.
double lowerQuartile(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 4];
}

std::vector<at::Tensor> gradientsAfter(const models::Model& model, const at::Tensor& output)
{
    output.mean().backward();
    std::vector<at::Tensor> gradients;
    for (at::Tensor parameter : model.parameters()) {
        gradients.push_back(parameter.grad());
        parameter.mutable_grad() = at::Tensor();
    }
    return gradients;
}

bool areEqual(const at::Tensor& a, const at::Tensor& b)
{
    return a.defined() == b.defined() && (!a.defined() || at::equal(a, b));
}

/// One row: a model, its plain form, and the plain form once more, whose ratio to itself is the noise.
class Row {
public:
    Row(const benchmarks::ComparedFamily& family, bool isTiny, c10::ScalarType type)
        : m_configuration(
              isTiny ? configurationOf(family.model) : configurationOf(family.model, {}, family.fields, family.shapes))
        , m_title(family.family + (isTiny ? ", tiny" : ", small"))
        , m_type(type)
    {
        at::manual_seed(1);
        m_model = models::buildModel(m_configuration, at::TensorOptions().dtype(type));
        m_inputs = models::makeInputs(m_configuration, at::TensorOptions().dtype(type));
        m_plain = family.plain(benchmarks::Weights(*m_model), m_configuration.modelFields);
        requireSameNumbers();
    }

    /// Module over plain, plain over plain.
    std::pair<double, double> print(Pass pass, double seconds) const
    {
        const std::function<void()> module = [&] { run(pass, [&] { return m_model->forward(m_inputs); }); };
        const std::function<void()> plain = [&] { run(pass, [&] { return m_plain->forward(m_inputs); }); };
        for (int i = 0; i < kWarmUp; ++i) {
            module();
            plain();
        }
        // In an order of its own each round: a fixed one falls into step with the scheduler.
        std::array<std::vector<double>, 3> times;
        std::array<std::size_t, 3> order{kModule, kPlain, kPlainAgain};
        std::mt19937 random(1);
        const auto end = Clock::now() + std::chrono::duration<double>(seconds);
        while (times[0].size() < kLeastRounds || Clock::now() < end) {
            std::ranges::shuffle(order, random);
            for (const std::size_t which : order)
                times[which].push_back(secondsOf(which == kModule ? module : plain));
        }
        const double plainSeconds = lowerQuartile(times[kPlain]);
        const std::pair ratios{
            lowerQuartile(times[kModule]) / plainSeconds, lowerQuartile(times[kPlainAgain]) / plainSeconds};
        std::printf("| %s | %s | %s | %zu | %.0f | %.3f | %.3f |\n", m_title.c_str(), c10::toString(m_type),
            pass == Pass::Inference ? "forward" : "forward and backward", times[0].size(), 1e6 * plainSeconds,
            ratios.first, ratios.second);
        std::fflush(stdout);
        return ratios;
    }

private:
    static constexpr std::size_t kModule = 0, kPlain = 1, kPlainAgain = 2;

    void requireSameNumbers() const
    {
        const at::Tensor own = m_model->forward(m_inputs), plain = m_plain->forward(m_inputs);
        const auto gradients = gradientsAfter(*m_model, own);
        const auto plainGradients = gradientsAfter(*m_model, plain);
        if (!at::equal(own, plain) || !std::ranges::equal(gradients, plainGradients, areEqual))
            throw std::logic_error(m_title + ": the plain form computes other numbers than the model");
    }

    void run(Pass pass, const std::function<at::Tensor()>& forward) const
    {
        if (pass == Pass::Inference) {
            const torch::NoGradGuard noGradients;
            forward();
            return;
        }
        gradientsAfter(*m_model, forward());
    }

    config::Configuration m_configuration;
    std::string m_title;
    c10::ScalarType m_type;
    std::shared_ptr<models::Model> m_model;
    models::Inputs m_inputs;
    std::unique_ptr<benchmarks::PlainModel> m_plain;
};

void printHead()
{
    std::puts("# The models' code on the CPU, against LibTorch's functions by themselves\n");
    std::puts("The same ops on the same weights and inputs, once through the modules of `core/models` (layers that "
              "techniques "
              "can take\nover, module scopes, hooks), once as plain calls of LibTorch's functions; outputs and "
              "gradients are compared bit by bit\nfirst. One process, turn and turn about in random order: module, "
              "plain, plain once more. Times are lower quartiles; the ratio is of\nthe module's to the plain one's, "
              "beside it that of the plain one to itself, which is what the machine does.\n");
    std::puts("`tiny` is the catalogue's smallest model: nothing but calls, so that whatever the modules add shows. "
              "`small` has "
              "products worth\nthe name, still far from the real ones.\n");
    std::printf("- LibTorch %s, CPU capability %s, %d thread(s)\n\n", tensor::torchVersion().c_str(),
        tensor::cpuCapability().c_str(), tensor::cpuThreads());
    std::puts("| model | type | pass | rounds | plain (us) | module / plain | plain / plain |");
    std::puts("|---|---|---|---:|---:|---:|---:|");
}

bool isCompared(const std::string& family)
{
    return std::ranges::any_of(
        benchmarks::comparedFamilies(), [&](const auto& compared) { return compared.family == family; });
}

} // namespace

int main(int argc, char** argv)
{
    const double seconds = argc > 1 ? std::atof(argv[1]) : kDefaultSeconds;
    printHead();
    std::map<bool, std::pair<std::vector<double>, std::vector<double>>> ratios;
    for (const auto& family : benchmarks::comparedFamilies())
        for (const bool isTiny : {true, false})
            for (const c10::ScalarType type : {at::kFloat, at::kBFloat16}) {
                const Row row(family, isTiny, type);
                for (const Pass pass : {Pass::Inference, Pass::ForwardBackward}) {
                    const auto [own, noise] = row.print(pass, seconds);
                    ratios[isTiny].first.push_back(own);
                    ratios[isTiny].second.push_back(noise);
                }
            }
    for (const config::ModelFamily& family : config::modelFamilies())
        if (!isCompared(family.name))
            std::printf("| %s | - | not compared | - | - | - | - |\n", family.name.c_str());
    for (const bool isTiny : {true, false})
        std::printf("%sMedian of the %s rows: module / plain %.3f, plain / plain %.3f.\n", isTiny ? "\n" : "",
            isTiny ? "tiny" : "small", median(ratios[isTiny].first), median(ratios[isTiny].second));
    std::puts("\nRegenerate with the build tree's `bin/benchmark-models > docs/measurements/models-cpu.md`.");
    return std::ferror(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
