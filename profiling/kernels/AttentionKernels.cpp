// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/MathAttention.h"
#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {
namespace {

using simulator::AttentionBackend;
using simulator::AttentionShape;
using Scale = std::optional<double>;

// Tensors of attention are [batch, heads, sequence, channels].
AttentionShape shapeOf(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value)
{
    return {query.size(0), query.size(1), query.size(2), key.size(2), query.size(3), value.size(3)};
}

// [batch, heads, sequence, channels] stored in the layout of the fused kernels, [batch, sequence, heads, channels].
at::Tensor sequenceFirst(std::int64_t sequence, std::int64_t channels, const at::Tensor& like)
{
    return at::empty({like.size(0), sequence, like.size(1), channels}, like.options()).transpose(1, 2);
}

at::Tensor gradientOf(const at::Tensor& tensor)
{
    return sequenceFirst(tensor.size(2), tensor.size(3), tensor);
}

at::Tensor statistics(const at::Tensor& query, std::int64_t queries)
{
    return at::empty({query.size(0), query.size(1), queries}, query.options().dtype(at::kFloat));
}

at::Tensor seed(const at::Tensor& like, at::IntArrayRef shape, at::ScalarType type)
{
    return at::empty(shape, like.options().dtype(type));
}

// The output of the fused kernels has the query's layout.
at::Tensor outputFor(const at::Tensor& query, const at::Tensor& value)
{
    return query.size(3) == value.size(3) ? at::empty_like(query) : sequenceFirst(query.size(2), value.size(3), query);
}

// The kernels need dense rows; other inputs are copied.
at::Tensor denseSequenceFirst(const at::Tensor& tensor)
{
    return tensor.transpose(1, 2).contiguous();
}

void useScratch(const std::vector<Bytes>& sizes, const at::Tensor& like)
{
    std::vector<at::Tensor> scratch;
    for (const Bytes bytes : sizes)
        scratch.push_back(at::empty({bytes}, like.options().dtype(at::kByte)));
}

std::int64_t multiprocessors()
{
    const KernelRules* rules = KernelRules::activeOfCuda();
    return rules == nullptr ? 1 : rules->multiprocessors();
}

// Outside of a scope any will do.
simulator::ComputeCapability capability()
{
    const KernelRules* rules = KernelRules::activeOfCuda();
    return rules == nullptr ? simulator::ComputeCapability{8, 0} : rules->capability();
}

using FlashResult = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, c10::SymInt, c10::SymInt, at::Tensor,
    at::Tensor, at::Tensor>;

FlashResult flash(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, double dropout, bool, bool, Scale)
{
    at::Tensor output = outputFor(query, value);
    at::Tensor logsumexp = statistics(query, query.size(2));
    if (dropout == 0) // the keys are split only without dropout
        useScratch(simulator::flashForwardScratch(shapeOf(query, key, value), multiprocessors()), query);
    at::Tensor state = seed(query, {2}, at::kUInt64);
    return {output, logsumexp, at::Tensor(), at::Tensor(), query.size(2), key.size(2), state,
        seed(query, {}, at::kUInt64), seed(query, {0}, query.scalar_type())};
}

using ThreeGradients = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

ThreeGradients flashBackward(const at::Tensor& gradient, const at::Tensor& query, const at::Tensor& key,
    const at::Tensor& value, const at::Tensor& output, const at::Tensor&, const at::Tensor&, const at::Tensor&,
    c10::SymInt, c10::SymInt, double, bool, const at::Tensor&, const at::Tensor&, Scale)
{
    const at::Tensor denseGradient = denseSequenceFirst(gradient);
    const at::Tensor denseOutput = denseSequenceFirst(output);
    ThreeGradients result{gradientOf(query), gradientOf(key), gradientOf(value)};
    std::vector<Bytes> scratch = simulator::flashBackwardScratch(shapeOf(query, key, value));
    if (key.size(1) != query.size(1)) // gradients of keys and values for each head of queries, summed afterwards
        for (const at::Tensor& shared : {key, value})
            scratch.push_back(static_cast<Bytes>(shared.nbytes()) / shared.size(1) * query.size(1));
    useScratch(scratch, query);
    return result;
}

using EfficientResult = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;

EfficientResult efficient(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const OptionalTensor&, bool keepsLogsumexp, double, bool, Scale)
{
    at::Tensor output = sequenceFirst(query.size(2), value.size(3), query);
    const std::int64_t rows = keepsLogsumexp ? simulator::efficientLogsumexpQueries(query.size(2)) : 0;
    at::Tensor logsumexp = statistics(query, rows);
    const AttentionShape shape = shapeOf(query, key, value);
    useScratch(simulator::efficientForwardScratch(shape, mathTypeOf(query.scalar_type())), query);
    const auto onHost = at::TensorOptions(at::kLong).device(at::kCPU); // unless a graph is captured
    return {output, logsumexp, at::empty({}, onHost), at::empty({}, onHost)};
}

using FourGradients = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;

// The product of output and gradient, and its sums over channels: what delta, which stays, is copied from.
void useDeltaOps(const at::Tensor& output, const at::Tensor& like)
{
    const at::Tensor product = at::empty_like(output, output.options().dtype(at::kFloat));
    const at::Tensor sums = at::empty(output.sizes().slice(0, 3), like.options().dtype(at::kFloat));
}

FourGradients efficientBackward(const at::Tensor& gradient, const at::Tensor& query, const at::Tensor& key,
    const at::Tensor& value, const at::Tensor& mask, const at::Tensor& output, const at::Tensor&, const at::Tensor&,
    const at::Tensor&, double, std::array<bool, 4> wanted, bool, Scale)
{
    const at::Tensor denseGradient = denseSequenceFirst(gradient);
    FourGradients result{gradientOf(query), gradientOf(key), gradientOf(value),
        mask.defined() && wanted[3] ? gradientOfMask(mask) : at::Tensor()};
    const simulator::MathType type = mathTypeOf(query.scalar_type());
    if (!simulator::efficientSumsDelta(type))
        useDeltaOps(output, query);
    useScratch(simulator::efficientBackwardScratch(shapeOf(query, key, value), type, capability()), query);
    return result;
}

FlashResult cudnn(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const OptionalTensor&,
    bool keepsLogsumexp, double, bool, bool, Scale)
{
    at::Tensor state = seed(query, {}, at::kLong);
    at::Tensor offset = seed(query, {}, at::kLong);
    at::Tensor output = outputFor(query, value);
    at::Tensor logsumexp = keepsLogsumexp ? statistics(query, query.size(2)).unsqueeze(-1) : at::Tensor();
    return {output, logsumexp, at::Tensor(), at::Tensor(), query.size(2), key.size(2), state, offset, at::Tensor()};
}

ThreeGradients cudnnBackward(const at::Tensor&, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
    const at::Tensor&, c10::SymInt, c10::SymInt, double, bool, Scale)
{
    ThreeGradients result{at::empty_like(query), at::empty_like(key), at::empty_like(value)};
    useScratch(simulator::cudnnBackwardScratch(shapeOf(query, key, value)), query);
    return result;
}

std::tuple<at::Tensor, at::Tensor> cpuFlash(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, double, bool, const OptionalTensor&, Scale)
{
    const auto sums = query.options().dtype(query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
    at::Tensor output = outputFor(query, value);
    at::Tensor logsumexp = at::empty({query.size(0), query.size(2), query.size(1)}, sums).transpose(1, 2);
    useScratch(simulator::cpuFlashForwardScratch(
                   shapeOf(query, key, value), mathTypeOf(query.scalar_type()), at::get_num_threads()),
        query);
    return {output, logsumexp};
}

ThreeGradients cpuFlashBackward(const at::Tensor& gradient, const at::Tensor& query, const at::Tensor& key,
    const at::Tensor& value, const at::Tensor&, const at::Tensor&, double, bool, const OptionalTensor&, Scale)
{
    ThreeGradients result{gradientOf(query), gradientOf(key), gradientOf(value)};
    const at::Tensor denseGradient = denseSequenceFirst(gradient);
    useScratch(simulator::cpuFlashBackwardScratch(
                   shapeOf(query, key, value), mathTypeOf(query.scalar_type()), at::get_num_threads()),
        query);
    return result;
}

struct AttentionArguments {
    const at::Tensor& query;
    const at::Tensor& key;
    const at::Tensor& value;
    const OptionalTensor& mask;
    double dropout;
    bool isCausal;
    Scale scale;
    bool groupedQueries;
};

bool needsGradients(const AttentionArguments& call)
{
    return at::GradMode::is_enabled()
        && (call.query.requires_grad() || call.key.requires_grad() || call.value.requires_grad());
}

// CUDA's flash kernel takes head sizes in multiples of 8: other inputs are padded, with a copy of each.
at::Tensor paddedHeads(const at::Tensor& tensor)
{
    constexpr std::int64_t kStep = 8;
    const std::int64_t rest = tensor.size(-1) % kStep;
    return rest == 0 ? tensor : at::constant_pad_nd(tensor, {0, kStep - rest});
}

at::Tensor runFlash(const AttentionArguments& call)
{
    const at::Tensor output = std::get<0>(at::_scaled_dot_product_flash_attention(paddedHeads(call.query),
        paddedHeads(call.key), paddedHeads(call.value), call.dropout, call.isCausal, false, call.scale));
    return output.size(-1) == call.value.size(-1) ? output : output.narrow(-1, 0, call.value.size(-1));
}

// The mask expanded to every head and query, without memory of its own.
OptionalTensor expandedMask(const AttentionArguments& call)
{
    if (!isGiven(call.mask))
        return std::nullopt;
    return alignedMask(*call.mask)
        .expand({call.query.size(0), call.query.size(1), call.query.size(2), call.key.size(2)});
}

at::Tensor runEfficient(const AttentionArguments& call)
{
    return std::get<0>(at::_scaled_dot_product_efficient_attention(call.query, call.key, call.value, expandedMask(call),
        needsGradients(call), call.dropout, call.isCausal, call.scale));
}

at::Tensor runCudnn(const AttentionArguments& call)
{
    return std::get<0>(at::_scaled_dot_product_cudnn_attention(call.query, call.key, call.value, call.mask,
        needsGradients(call), call.dropout, call.isCausal, false, call.scale));
}

at::Tensor runMath(const AttentionArguments& call)
{
    if (isGiven(call.mask) || call.isCausal)
        return maskedMathAttention(
            call.query, call.key, call.value, call.mask, call.dropout, call.scale, call.groupedQueries);
    return std::get<0>(at::_scaled_dot_product_attention_math(call.query, call.key, call.value, call.mask, call.dropout,
        call.isCausal, std::nullopt, call.scale, call.groupedQueries));
}

bool hasRows(const AttentionArguments& call)
{
    return call.query.size(2) > 0 && call.key.size(2) > 0 && call.query.stride(3) == 1 && call.key.stride(3) == 1
        && call.value.stride(3) == 1;
}

bool headsMatch(const AttentionArguments& call)
{
    const std::int64_t heads = call.query.size(1);
    const std::int64_t shared = call.key.size(1);
    return heads == shared || (call.groupedQueries && shared > 0 && heads % shared == 0);
}

// sdp_utils_cpp.cpp: four dimensions, rows of unit stride, one head size, no dropout, a mask without a gradient.
AttentionBackend backendOnCpu(const AttentionArguments& call)
{
    const bool flashes = at::globalContext().userEnabledFlashSDP() && call.dropout == 0 && call.query.dim() == 4
        && call.query.size(3) == call.value.size(3) && hasRows(call) && headsMatch(call)
        && !(isGiven(call.mask) && call.mask->requires_grad());
    return flashes ? AttentionBackend::Flash : AttentionBackend::Math;
}

at::Tensor runOnCpu(const AttentionArguments& call)
{
    if (backendOnCpu(call) == AttentionBackend::Math)
        return runMath(call);
    return std::get<0>(at::_scaled_dot_product_flash_attention_for_cpu(
        call.query, call.key, call.value, call.dropout, call.isCausal, call.mask, call.scale));
}

simulator::AttentionMask maskOf(const AttentionArguments& call)
{
    if (!isGiven(call.mask))
        return simulator::AttentionMask::None;
    return call.mask->requires_grad() ? simulator::AttentionMask::Trained : simulator::AttentionMask::Additive;
}

simulator::AttentionCall describeCall(const AttentionArguments& call)
{
    return {.shape = shapeOf(call.query, call.key, call.value),
        .type = mathTypeOf(call.query.scalar_type()),
        .mask = maskOf(call),
        .gradients = needsGradients(call) ? simulator::Gradients::Needed : simulator::Gradients::NotNeeded,
        .dropout = call.dropout,
        .sharesKeys = call.key.size(1) != call.query.size(1)};
}

// The backends that the process's settings allow.
std::vector<AttentionBackend> allowedBackends()
{
    const at::Context& context = at::globalContext();
    std::vector<AttentionBackend> allowed;
    if (context.userEnabledFlashSDP())
        allowed.push_back(AttentionBackend::Flash);
    if (context.userEnabledMemEfficientSDP())
        allowed.push_back(AttentionBackend::Efficient);
    if (context.userEnabledCuDNNSDP())
        allowed.push_back(AttentionBackend::Cudnn);
    if (context.userEnabledMathSDP())
        allowed.push_back(AttentionBackend::Math);
    return allowed;
}

AttentionBackend backendOnCuda(const AttentionArguments& call, const KernelRules& rules)
{
    if (call.query.dim() != 4 || !hasRows(call))
        return AttentionBackend::Math;
    const bool asksForCudnn = at::globalContext().sDPPriorityOrder().front() == at::SDPBackend::cudnn_attention;
    if (asksForCudnn && rules.attention(describeCall(call), {AttentionBackend::Cudnn}) == AttentionBackend::Cudnn)
        return AttentionBackend::Cudnn;
    return rules.attention(describeCall(call), allowedBackends());
}

AttentionBackend backendOf(const AttentionArguments& call, const KernelRules* rules)
{
    if (rules == nullptr) // as LibTorch does on meta
        return AttentionBackend::Math;
    return rules->imitatesCpu() ? backendOnCpu(call) : backendOnCuda(call, *rules);
}

at::Tensor runOnCuda(const AttentionArguments& call, const KernelRules& rules)
{
    switch (backendOnCuda(call, rules)) {
    case AttentionBackend::Flash:
        return runFlash(call);
    case AttentionBackend::Efficient:
        return runEfficient(call);
    case AttentionBackend::Cudnn:
        return runCudnn(call);
    case AttentionBackend::Math:
        break;
    }
    return runMath(call);
}

// A boolean mask becomes an additive one of the query's type before any backend sees it.
OptionalTensor additiveMask(const OptionalTensor& mask, const at::Tensor& query)
{
    if (!isGiven(mask) || mask->scalar_type() != at::kBool)
        return mask;
    return at::empty(mask->sizes(), query.options());
}

at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const OptionalTensor& mask, double dropout, bool isCausal, Scale scale, bool groupedQueries)
{
    const KernelRules* rules = KernelRules::active();
    const OptionalTensor bias = additiveMask(mask, query);
    const AttentionArguments call{query, key, value, bias, dropout, isCausal, scale, groupedQueries};
    if (rules == nullptr) // as LibTorch does on meta
        return runMath(call);
    return rules->imitatesCpu() ? runOnCpu(call) : runOnCuda(call, *rules);
}

std::int64_t choice(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const OptionalTensor& mask,
    double dropout, bool isCausal, Scale scale, bool groupedQueries)
{
    const AttentionArguments call{query, key, value, mask, dropout, isCausal, scale, groupedQueries};
    switch (backendOf(call, KernelRules::active())) {
    case AttentionBackend::Flash:
        return static_cast<std::int64_t>(at::SDPBackend::flash_attention);
    case AttentionBackend::Efficient:
        return static_cast<std::int64_t>(at::SDPBackend::efficient_attention);
    case AttentionBackend::Cudnn:
        return static_cast<std::int64_t>(at::SDPBackend::cudnn_attention);
    case AttentionBackend::Math:
        break;
    }
    return static_cast<std::int64_t>(at::SDPBackend::math);
}

} // namespace

void registerAttentionKernels(torch::Library& kernels, torch::Library& composites)
{
    composites.impl("scaled_dot_product_attention", TORCH_FN(attention));
    kernels.impl("_fused_sdp_choice", TORCH_FN(choice));
    kernels.impl("_scaled_dot_product_flash_attention", TORCH_FN(flash));
    kernels.impl("_scaled_dot_product_flash_attention_backward", TORCH_FN(flashBackward));
    kernels.impl("_scaled_dot_product_efficient_attention", TORCH_FN(efficient));
    kernels.impl("_scaled_dot_product_efficient_attention_backward", TORCH_FN(efficientBackward));
    kernels.impl("_scaled_dot_product_cudnn_attention", TORCH_FN(cudnn));
    kernels.impl("_scaled_dot_product_cudnn_attention_backward", TORCH_FN(cudnnBackward));
    kernels.impl("_scaled_dot_product_flash_attention_for_cpu", TORCH_FN(cpuFlash));
    kernels.impl("_scaled_dot_product_flash_attention_for_cpu_backward", TORCH_FN(cpuFlashBackward));
}

} // namespace headroom::collectors
