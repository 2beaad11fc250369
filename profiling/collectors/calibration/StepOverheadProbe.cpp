// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/StepOverheadProbe.h"

#include "core/tensor/Torch.h"
#include "profiling/collectors/calibration/RateSurvey.h"
#include "profiling/simulator/profiles/MeasuredRates.h"

#include <algorithm>
#include <array>
#include <string>

namespace headroom::collectors {
namespace {

using protocol::CalibratedConstant;

constexpr std::int64_t kLayerTokens = 8;
constexpr std::int64_t kLayerWidth = 32;
constexpr std::int64_t kHeadCount = 4;
constexpr int kLayers = 4;

// Weights of one pre-normalised layer: attention as products and a softmax, a feed-forward with gelu.
class SmallLayer {
public:
    explicit SmallLayer(bool isTrained)
    {
        const std::array<std::pair<std::int64_t, std::int64_t>, 6> sizes{
            {{kLayerWidth, kLayerWidth}, {kLayerWidth, kLayerWidth}, {kLayerWidth, kLayerWidth},
                {kLayerWidth, kLayerWidth}, {kLayerWidth, 4 * kLayerWidth}, {4 * kLayerWidth, kLayerWidth}}};
        for (const auto& [in, out] : sizes) {
            m_weights.push_back(at::randn({out, in}).requires_grad_(isTrained));
            m_biases.push_back(at::randn({out}).requires_grad_(isTrained));
        }
    }

    at::Tensor forward(const at::Tensor& input) const
    {
        const at::Tensor hidden = input + linear(3, attended(at::layer_norm(input, {kLayerWidth})));
        return hidden + linear(5, at::gelu(linear(4, at::layer_norm(hidden, {kLayerWidth}))));
    }

    void clearGradients()
    {
        for (auto* tensors : {&m_weights, &m_biases})
            for (at::Tensor& tensor : *tensors)
                tensor.mutable_grad() = at::Tensor();
    }

private:
    at::Tensor linear(std::size_t index, const at::Tensor& input) const
    {
        return at::linear(input, m_weights[index], m_biases[index]);
    }

    // [tokens, width] as [heads, tokens, width of a head].
    static at::Tensor headsOf(const at::Tensor& projected)
    {
        return projected.view({kLayerTokens, kHeadCount, kLayerWidth / kHeadCount}).transpose(0, 1);
    }

    at::Tensor attended(const at::Tensor& input) const
    {
        const at::Tensor query = headsOf(linear(0, input)), key = headsOf(linear(1, input)),
                         value = headsOf(linear(2, input));
        const at::Tensor scores = at::softmax(at::bmm(query, key.transpose(1, 2)) * 0.35, -1);
        return at::bmm(scores, value).transpose(0, 1).reshape({kLayerTokens, kLayerWidth});
    }

    std::vector<at::Tensor> m_weights;
    std::vector<at::Tensor> m_biases;
};

class SmallStep {
public:
    explicit SmallStep(bool isTrained)
        : m_input(at::randn({kLayerTokens, kLayerWidth}))
        , m_isTrained(isTrained)
    {
        for (int layer = 0; layer < kLayers; ++layer)
            m_layers.emplace_back(isTrained);
    }

    void run()
    {
        const c10::AutoGradMode gradients(m_isTrained);
        at::Tensor hidden = m_input;
        for (const SmallLayer& layer : m_layers)
            hidden = layer.forward(hidden);
        if (!m_isTrained)
            return;
        hidden.mean().backward();
        for (SmallLayer& layer : m_layers)
            layer.clearGradients();
    }

private:
    std::vector<SmallLayer> m_layers;
    at::Tensor m_input;
    bool m_isTrained;
};

simulator::MeasuredRates tablesOf(const std::vector<protocol::CalibratedRates>& rates)
{
    simulator::MeasuredRates tables;
    const auto& works = simulator::workNames();
    for (const protocol::CalibratedRates& measured : rates) {
        const auto work = std::ranges::find(works, measured.work);
        if (work == works.end() || measured.type != simulator::nameOf(simulator::MathType::Float32))
            continue;
        simulator::RateTable table{static_cast<simulator::Work>(work - works.begin()), simulator::MathType::Float32,
            measured.smallestDimension, {}, {}};
        for (const protocol::CalibratedPoint& point : measured.points)
            table.points.push_back({point.size, point.perSecond, 0});
        tables.add(std::move(table));
    }
    return tables;
}

// The time of a step beyond its kernels, and how many ops share it.
struct Remainder {
    double seconds = 0;
    double ops = 0;
    double recorded = 0;
    double spread = 0;
};

Remainder remainderOf(bool isTrained, const simulator::MeasuredRates& tables, const TimingEffort& effort)
{
    SmallStep step(isTrained);
    Remainder remainder;
    for (const simulator::OpCost& cost : costsOf([&] { step.run(); })) {
        remainder.ops += 1;
        remainder.recorded += cost.isRecorded ? 1 : 0;
        const double size =
            simulator::isArithmetic(cost.work) ? cost.flops : static_cast<double>(cost.bytesRead + cost.bytesWritten);
        if (cost.launches > 0)
            remainder.seconds -= tables.seconds({cost.work, cost.type, size, cost.smallestDimension}).value_or(0.0);
    }
    HostTimer timer;
    const Timing timing = timer.time([&] { step.run(); }, effort);
    remainder.seconds += timing.seconds;
    remainder.spread = timing.spread;
    return remainder;
}

} // namespace

std::vector<CalibratedConstant> measureStepOverhead(
    const std::vector<protocol::CalibratedRates>& rates, const TimingEffort& effort)
{
    constexpr double kLeast = 1e-9;
    const simulator::MeasuredRates tables = tablesOf(rates);
    const Remainder plain = remainderOf(false, tables, effort);
    const double launch = std::max(plain.seconds / plain.ops, kLeast);
    const Remainder trained = remainderOf(true, tables, effort);
    const double autograd = std::max((trained.seconds - trained.ops * launch) / trained.recorded, kLeast);
    const std::string layers = std::to_string(kLayers) + " small transformer layers";
    return {{"speed.kernel_launch_seconds", launch, CalibratedConstant::Kind::Real, plain.spread,
                "each op of a forward pass through " + layers + ", less what the ops take by themselves"},
        {"speed.autograd_seconds", autograd, CalibratedConstant::Kind::Real, trained.spread,
            "each recorded op of a forward and backward pass through " + layers + ", less the ops themselves"}};
}

} // namespace headroom::collectors
