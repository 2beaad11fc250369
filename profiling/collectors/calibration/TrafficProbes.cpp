// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/RateProbes.h"

#include "profiling/kernels/OpArguments.h"

#include <algorithm>
#include <iterator>

namespace headroom::collectors {
namespace {

using simulator::Work;
using Unary = std::function<void(const at::Tensor&)>;
using Binary = std::function<void(const at::Tensor&, const at::Tensor&)>;

constexpr std::int64_t kRow = 1024; ///< elements: a model's width

std::vector<std::int64_t> elementCounts(const ProbeScope& scope)
{
    constexpr std::int64_t kMega = 1 << 20;
    if (scope.effort == protocol::CalibrationEffort::Short)
        return {kRow, 64 * kRow};
    if (scope.device.is_cpu()) // LibTorch's threads begin above 32768 elements
        return {kRow, 8 * kRow, 32 * kRow, 64 * kRow, kMega / 4, kMega, 4 * kMega, 16 * kMega};
    return {kRow, 64 * kRow, kMega, 16 * kMega, 128 * kMega};
}

at::Tensor rowsOf(std::int64_t elements, const at::TensorOptions& options)
{
    const auto type = options.dtype().toScalarType();
    const at::Tensor values = at::randn({elements / kRow, kRow}, options.dtype(c10::kFloat));
    return type == c10::kFloat ? values : values.to(type);
}

// What the probes of one type have in common.
class TrafficKinds {
public:
    TrafficKinds(const ProbeScope& scope, c10::ScalarType type)
        : m_options(at::TensorOptions().device(scope.device).dtype(type))
        , m_sizes(elementCounts(scope))
    {
    }

    // `result`: the type of what the op returns, if that is another one.
    void add(Work work, const char* how, const Unary& op, std::optional<c10::ScalarType> result = std::nullopt)
    {
        addProbe(work, how, result, [options = m_options, op](std::int64_t elements) {
            auto inputs = std::make_shared<Rotation>(rowsOf(elements, options));
            return PreparedProbe{[inputs, op] { op(inputs->next()); }};
        });
    }

    void addPair(Work work, const char* how, const Binary& op)
    {
        addProbe(work, how, std::nullopt, [options = m_options, op](std::int64_t elements) {
            auto left = std::make_shared<Rotation>(rowsOf(elements, options));
            auto right = std::make_shared<Rotation>(rowsOf(elements, options));
            return PreparedProbe{[left, right, op] { op(left->next(), right->next()); }};
        });
    }

    void addProbe(Work work, const char* how, std::optional<c10::ScalarType> result,
        std::function<PreparedProbe(std::int64_t)> prepare)
    {
        const auto type = mathTypeOf(result.value_or(m_options.dtype().toScalarType()));
        m_probes.push_back({work, type, how, 0, m_sizes, std::move(prepare)});
    }

    const at::TensorOptions& options() const { return m_options; }
    std::vector<RateProbe> take() { return std::move(m_probes); }

private:
    at::TensorOptions m_options;
    std::vector<std::int64_t> m_sizes;
    std::vector<RateProbe> m_probes;
};

// As heads that change places with positions.
void rearrange(const at::Tensor& rows)
{
    rows.view({rows.numel() / 512, 8, 64}).transpose(0, 1).clone(at::MemoryFormat::Contiguous);
}

void addCopies(TrafficKinds& kinds)
{
    kinds.add(Work::Copy, "clone", [](const at::Tensor& rows) { rows.clone(); });
    kinds.add(Work::Rearrangement, "clone of [n, 8, 64] as [8, n, 64]", rearrange);
    kinds.add(Work::Fill, "zero_", [](const at::Tensor& rows) { rows.zero_(); });
    kinds.add(Work::Random, "bernoulli_", [](const at::Tensor& rows) { rows.bernoulli_(0.9); });
}

void addCasts(TrafficKinds& kinds, c10::ScalarType other)
{
    const auto type = kinds.options().dtype().toScalarType();
    kinds.add(Work::Cast, "to another type", [other](const at::Tensor& rows) { rows.to(other); }, other);
    kinds.addProbe(
        Work::Float8Cast, "from float8_e4m3fn", type, [options = kinds.options(), type](std::int64_t elements) {
            auto inputs = std::make_shared<Rotation>(rowsOf(elements, options).to(c10::kFloat8_e4m3fn));
            return PreparedProbe{[inputs, type] { inputs->next().to(type); }};
        });
}

void addCastToFloat8(TrafficKinds& kinds)
{
    kinds.add(
        Work::Float8Cast, "to float8_e4m3fn", [](const at::Tensor& rows) { rows.to(c10::kFloat8_e4m3fn); },
        c10::kFloat8_e4m3fn);
}

void addElementwise(TrafficKinds& kinds)
{
    kinds.addPair(Work::Elementwise, "add", [](const at::Tensor& a, const at::Tensor& b) { at::add(a, b); });
    kinds.add(Work::Transcendental, "silu", [](const at::Tensor& rows) { at::silu(rows); });
    kinds.add(Work::Gelu, "gelu", [](const at::Tensor& rows) { at::gelu(rows, "tanh"); });
    kinds.addPair(Work::GeluBackward, "gelu_backward",
        [](const at::Tensor& gradient, const at::Tensor& rows) { at::gelu_backward(gradient, rows, "tanh"); });
}

void addRows(TrafficKinds& kinds)
{
    const auto type = kinds.options().dtype().toScalarType();
    kinds.add(Work::Reduction, "sum over rows", [](const at::Tensor& rows) { at::sum(rows, at::IntArrayRef{0}); });
    kinds.add(Work::Softmax, "_softmax", [](const at::Tensor& rows) { at::_softmax(rows, -1, false); });
    kinds.addPair(
        Work::SoftmaxBackward, "_softmax_backward_data", [type](const at::Tensor& gradient, const at::Tensor& rows) {
            at::_softmax_backward_data(gradient, rows, -1, type);
        });
}

constexpr double kEpsilon = 1e-5;

void addNormalisation(TrafficKinds& kinds)
{
    const at::Tensor weight = at::ones({kRow}, kinds.options()), bias = at::zeros({kRow}, kinds.options());
    kinds.add(Work::Normalisation, "native_layer_norm",
        [weight, bias](const at::Tensor& rows) { at::native_layer_norm(rows, {kRow}, weight, bias, kEpsilon); });
    kinds.addProbe(Work::NormalisationBackward, "native_layer_norm_backward", std::nullopt,
        [options = kinds.options(), weight, bias](std::int64_t elements) {
            const at::Tensor rows = rowsOf(elements, options), gradient = rowsOf(elements, options);
            const auto [output, mean, scale] = at::native_layer_norm(rows, {kRow}, weight, bias, kEpsilon);
            return PreparedProbe{[rows, gradient, weight, bias, mean = mean, scale = scale] {
                at::native_layer_norm_backward(gradient, rows, {kRow}, mean, scale, weight, bias, {true, true, true});
            }};
        });
}

constexpr std::int64_t kVocabulary = 8192;

void addLookup(TrafficKinds& kinds)
{
    kinds.addProbe(Work::Lookup, "embedding", std::nullopt, [options = kinds.options()](std::int64_t elements) {
        const at::Tensor table = rowsOf(kVocabulary * kRow, options);
        const at::Tensor indices = at::randint(kVocabulary, {elements / kRow}, options.dtype(c10::kLong));
        return PreparedProbe{[table, indices] { at::embedding(table, indices); }};
    });
}

void addOptimizer(TrafficKinds& kinds)
{
    kinds.addProbe(Work::Optimizer, "_fused_adamw_", std::nullopt, [options = kinds.options()](std::int64_t elements) {
        const std::vector<at::Tensor> weights{rowsOf(elements, options)}, gradients{rowsOf(elements, options)},
            first{at::zeros_like(weights[0])}, second{at::zeros_like(weights[0])},
            steps{at::ones({}, options.dtype(c10::kFloat))};
        return PreparedProbe{[=] {
            at::_fused_adamw_(weights, gradients, first, second, {}, steps, 1e-4, 0.9, 0.999, 0.01, 1e-8, false, false);
        }};
    });
}

} // namespace

std::vector<RateProbe> trafficProbes(const ProbeScope& scope)
{
    std::vector<RateProbe> probes;
    const std::size_t count = std::min<std::size_t>(scope.types.size(), 2);
    for (std::size_t i = 0; i < count; ++i) {
        TrafficKinds kinds(scope, scope.types[i]);
        addCopies(kinds);
        if (i == 0)
            addCastToFloat8(kinds);
        if (count == 2)
            addCasts(kinds, scope.types[1 - i]);
        addElementwise(kinds);
        addRows(kinds);
        addNormalisation(kinds);
        addLookup(kinds);
        addOptimizer(kinds);
        std::ranges::move(kinds.take(), std::back_inserter(probes));
    }
    return probes;
}

} // namespace headroom::collectors
