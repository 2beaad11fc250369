// SPDX-License-Identifier: Apache-2.0
//
// What the forms of an optimizer's update cost on the CPU. All of them run in one process, turn and turn about, each on
// parameters of its own: those of a small video transformer. Prints docs/measurements/optimizer-cpu.md.
//
//   benchmark-optimizers [ROUNDS] > docs/measurements/optimizer-cpu.md
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/optimizer/Optimizer.h"
#include "core/tensor/DeviceContext.h"

#include "tests/benchmarks/techniques/Rounds.h"
#include "tests/support/Configurations.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace headroom;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultRounds = 40;
constexpr int kWarmUpRounds = 5;

config::Configuration configuration()
{
    config::Configuration result = config::defaultConfiguration("ltx-video-2b", "");
    result.modelFields = config::findModel("ltx-video-2b", "")
                             .fields.complete({{"num_layers", 8}, {"num_attention_heads", 4},
                                                  {"attention_head_dim", 32}, {"caption_channels", 128}},
                                 "model");
    return result;
}

/// One optimizer with parameters and gradients of its own, and its times, round by round.
class Arm {
public:
    Arm(std::string notation, const config::ValueMap& options, std::string label)
        : m_label(std::move(label))
        , m_model(models::buildModel(configuration(), at::kFloat))
        , m_parameters(m_model->parameters())
        , m_optimizer(settingOf("optimizer", notation, options))
    {
        for (at::Tensor& parameter : m_parameters)
            parameter.mutable_grad() = at::randn_like(parameter.detach());
    }

    void run()
    {
        const auto begin = Clock::now();
        m_optimizer.update(m_parameters);
        m_seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }

    void forget() { m_seconds.clear(); }

    double median() const
    {
        std::vector<double> sorted = m_seconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }

    const std::string& label() const { return m_label; }
    const models::Model& model() const { return *m_model; }
    std::size_t parameters() const { return m_parameters.size(); }

private:
    std::string m_label;
    std::shared_ptr<models::Model> m_model;
    std::vector<at::Tensor> m_parameters;
    techniques::Optimizer m_optimizer;
    std::vector<double> m_seconds;
};

/// A rule in its three forms, the loop first.
struct Group {
    std::string rule;
    std::string words;
    config::ValueMap options;
};

void printHead(int rounds, const Arm& arm)
{
    std::puts("# The forms of an optimizer's update on the CPU\n");
    std::printf(
        "%zu parameters with %lld elements in float32 (LTX-Video with 8 blocks of width 128). Every form in one "
        "process, turn and\nturn about, each on parameters of its own.\n\n",
        arm.parameters(), static_cast<long long>(models::parameterCount(arm.model())));
    std::printf("- LibTorch %s, CPU capability %s, %d thread(s), %d rounds after %d warm-up rounds, medians\n\n",
        tensor::torchVersion().c_str(), at::get_cpu_capability().c_str(), at::get_num_threads(), rounds, kWarmUpRounds);
    std::puts("| optimizer | update (ms) | against its loop |\n|---|---:|---:|");
}

} // namespace

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : kDefaultRounds;
    std::vector<std::unique_ptr<Arm>> arms;
    for (const Group& group :
        {Group{"sgd", "", {}}, Group{"sgd", ", momentum 0.9", {{"momentum", 0.9}}}, Group{"adamw", "", {}}})
        for (const char* form : {":loop", ":foreach", ":fused"})
            arms.push_back(std::make_unique<Arm>(group.rule + form, group.options, group.rule + form + group.words));
    runRounds(arms, rounds, kWarmUpRounds);
    printHead(rounds, *arms.front());
    for (std::size_t i = 0; i < arms.size(); ++i) {
        const Arm& loop = *arms[i - i % 3];
        std::printf("| %s | %.2f | %.2f |\n", arms[i]->label().c_str(), 1e3 * arms[i]->median(),
            arms[i]->median() / loop.median());
    }
    std::puts("\nRegenerate with the build tree's `bin/benchmark-optimizers > docs/measurements/optimizer-cpu.md`.");
    return std::ferror(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
