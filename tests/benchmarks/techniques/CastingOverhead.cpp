// SPDX-License-Identifier: Apache-2.0
//
// What casting costs a layer on the CPU, against a bare to() of its weights. Everything in one process, turn and turn
// about; the ratios are of each round by itself. Prints docs/measurements/casting-cpu.md.
//
//   benchmark-casting [ROUNDS] > docs/measurements/casting-cpu.md
#include "core/models/layers/Linear.h"
#include "core/techniques/casting/LayerwiseCasting.h"
#include "core/tensor/DeviceContext.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace headroom;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultRounds = 40;
constexpr int kWarmUp = 5;
constexpr std::int64_t kTokens = 64; // few, so that the cast is no small part of the layer

struct Case {
    std::int64_t width;
    c10::ScalarType compute;
    c10::ScalarType storage;
};

const Case kCases[]{{256, at::kFloat, at::kFloat8_e4m3fn}, {1024, at::kFloat, at::kFloat8_e4m3fn},
    {2048, at::kFloat, at::kFloat8_e4m3fn}, {1024, at::kFloat, at::kFloat8_e5m2}, {1024, at::kFloat, at::kBFloat16},
    {1024, at::kBFloat16, at::kFloat8_e4m3fn}, {2048, at::kBFloat16, at::kFloat8_e4m3fn}};

template <typename Action> double secondsOf(const Action& action)
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

std::shared_ptr<models::Linear> makeLayer(const Case& item)
{
    const torch::NoGradGuard noGradients;
    at::manual_seed(1);
    auto layer = std::make_shared<models::Linear>(item.width, item.width, models::Bias::On, item.compute);
    layer->initialise();
    return layer;
}

/// Rounds of one case: a plain layer, one that is cast, and the casts of its weights alone.
class Rounds {
public:
    explicit Rounds(const Case& item)
        : m_case(item)
        , m_plain(makeLayer(item))
        , m_cast(makeLayer(item))
        , m_input(at::randn({kTokens, item.width}, item.compute))
        , m_rules({.storage = item.storage, .compute = item.compute})
        , m_units(techniques::castUnits(*m_cast, {}, m_rules))
    {
        techniques::store(m_units, item.storage);
        m_casting = std::make_unique<techniques::LayerwiseCasting>(
            *m_cast, m_units, m_rules, techniques::UpcastOptions{}, std::make_shared<techniques::CastCount>());
    }

    void run()
    {
        const torch::NoGradGuard noGradients;
        const double plain = secondsOf([&] { m_plain->forward(m_input); });
        const double cast = secondsOf([&] { m_cast->forward(m_input); });
        const double bare = secondsOf([&] {
            for (const at::Tensor& parameter : m_cast->parameters())
                parameter.to(m_case.compute);
        });
        m_plainSeconds.push_back(plain);
        m_bareSeconds.push_back(bare);
        m_ratios.push_back((cast - plain) / bare);
    }

    void forget()
    {
        m_plainSeconds.clear();
        m_bareSeconds.clear();
        m_ratios.clear();
    }

    void print() const
    {
        std::printf("| %lld x %lld | %s | %s | %.0f | %.0f | %.2f |\n", static_cast<long long>(m_case.width),
            static_cast<long long>(m_case.width), c10::toString(m_case.storage), c10::toString(m_case.compute),
            1e6 * median(m_plainSeconds), 1e6 * median(m_bareSeconds), median(m_ratios));
    }

private:
    Case m_case;
    std::shared_ptr<models::Linear> m_plain;
    std::shared_ptr<models::Linear> m_cast;
    at::Tensor m_input;
    techniques::CastRules m_rules;
    std::vector<techniques::CastUnit> m_units;
    std::unique_ptr<techniques::LayerwiseCasting> m_casting;
    std::vector<double> m_plainSeconds;
    std::vector<double> m_bareSeconds;
    std::vector<double> m_ratios;
};

void printHead(int rounds)
{
    std::puts("# Layerwise casting on the CPU: what it costs a layer\n");
    std::puts(
        "One Linear with bias on 64 tokens, in one process, turn and turn about: plain, cast, and a bare `to()` of "
        "its weights by\nitself. The ratio is what casting adds to the layer over what the bare casts take, of each "
        "round by itself: 1 is nothing\nbeside the casts.\n");
    std::printf("- LibTorch %s, CPU capability %s, %d thread(s), %d rounds after %d warm-up rounds, medians\n\n",
        tensor::torchVersion().c_str(), tensor::cpuCapability().c_str(), tensor::cpuThreads(), rounds, kWarmUp);
    std::puts("| weight | stored | computed | plain layer (us) | bare to() (us) | added by casting / bare to() |");
    std::puts("|---|---|---|---:|---:|---:|");
}

} // namespace

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : kDefaultRounds;
    std::vector<std::unique_ptr<Rounds>> cases;
    for (const Case& item : kCases)
        cases.push_back(std::make_unique<Rounds>(item));
    for (int round = 0; round < rounds + kWarmUp; ++round)
        for (const auto& item : cases) {
            if (round == kWarmUp)
                item->forget();
            item->run();
        }
    printHead(rounds);
    for (const auto& item : cases)
        item->print();
    std::puts("\nRegenerate with the build tree's `bin/benchmark-casting > docs/measurements/casting-cpu.md`.");
    return std::ferror(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
