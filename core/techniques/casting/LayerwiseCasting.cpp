// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/LayerwiseCasting.h"

#include "core/base/Error.h"
#include "core/memory/ParameterHome.h"
#include "core/tensor/SideStream.h"

#include <algorithm>
#include <limits>

namespace headroom::techniques {
namespace {

constexpr std::int64_t kChunk = std::int64_t{1} << 16;

// Two scalars, no temporary of the tensor's size. Nobody knows the values of a simulated device; NaN is no answer to
// the question, so it is looked at more closely.
bool fitsLimit(const at::Tensor& source, double limit)
{
    if (source.numel() == 0 || largestNumber(source.scalar_type()) <= limit)
        return true;
    const auto [least, most] = at::aminmax(source);
    const bool isInside = tensor::readScalar(least) >= -limit && tensor::readScalar(most) <= limit;
    return isInside || source.is_meta();
}

// In a type that holds every value and the limit as well: 65504 is no bfloat16.
std::int64_t copyClipped(const at::Tensor& source, at::Tensor& target, double limit)
{
    const at::Tensor from = source.reshape({-1});
    at::Tensor to = target.view({-1});
    const c10::ScalarType wide = source.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    std::int64_t clipped = 0;
    for (std::int64_t begin = 0; begin < from.numel(); begin += kChunk) {
        const std::int64_t count = std::min(kChunk, from.numel() - begin);
        const at::Tensor piece = from.narrow(0, begin, count).to(wide);
        clipped += static_cast<std::int64_t>(tensor::readScalar((piece.abs() > limit).sum()));
        to.narrow(0, begin, count).copy_(piece.clamp(-limit, limit));
    }
    return clipped;
}

} // namespace

double largestNumber(c10::ScalarType type)
{
    switch (type) {
    case at::kFloat8_e4m3fn:
        return std::numeric_limits<c10::Float8_e4m3fn>::max();
    case at::kFloat8_e5m2:
        return std::numeric_limits<c10::Float8_e5m2>::max();
    case at::kHalf:
        return std::numeric_limits<c10::Half>::max();
    case at::kBFloat16:
        return std::numeric_limits<c10::BFloat16>::max();
    case at::kFloat:
        return std::numeric_limits<float>::max();
    case at::kDouble:
        return std::numeric_limits<double>::max();
    default:
        break;
    }
    throw TrialError(std::string(c10::toString(type)) + " is no floating type that weights are stored in",
        "layerwise casting", "e4m3, e5m2, bf16, fp16");
}

StoredCopy storedCopy(const at::Tensor& source, c10::ScalarType storage)
{
    const torch::NoGradGuard noGradients;
    const double limit = largestNumber(storage);
    const bool isInside = fitsLimit(source, limit);
    StoredCopy stored{at::empty(source.sizes(), source.options().dtype(storage).requires_grad(false)), 0};
    if (isInside)
        stored.tensor.copy_(source);
    else
        stored.clipped = copyClipped(source, stored.tensor, limit);
    return stored;
}

// Around the whole forward: prefetching begins and ends with it, and buffers are not held between steps.
class LayerwiseCasting::Root final : public tensor::ModuleHook {
public:
    Root(Upcaster& upcaster, CastPrefetch* prefetch)
        : m_upcaster(upcaster)
        , m_prefetch(prefetch)
    {
    }

    void before(const torch::nn::Module&) override
    {
        if (m_prefetch != nullptr)
            m_prefetch->forwardBegins();
    }

    void after(const torch::nn::Module&) noexcept override
    {
        if (m_prefetch != nullptr)
            m_prefetch->forwardEnds();
        m_upcaster.release();
    }

private:
    Upcaster& m_upcaster;
    CastPrefetch* m_prefetch;
};

StoredWeights& StoredWeights::operator+=(const StoredWeights& other)
{
    layers += other.layers;
    tensors += other.tensors;
    bytes += other.bytes;
    clipped += other.clipped;
    return *this;
}

StoredWeights store(const CastModule& module, c10::ScalarType storage)
{
    StoredWeights result;
    for (const at::Tensor& tensor : module.tensors) {
        if (tensor.scalar_type() == storage)
            continue;
        const StoredCopy stored = storedCopy(tensor.variable_data(), storage);
        at::Tensor(tensor).set_data(stored.tensor);
        result += {0, 1, static_cast<Bytes>(tensor.nbytes()), stored.clipped};
    }
    result.layers = result.tensors > 0 ? 1 : 0;
    return result;
}

StoredWeights store(const std::vector<CastUnit>& units, c10::ScalarType storage)
{
    StoredWeights result;
    for (const CastUnit& unit : units)
        for (const CastModule& module : unit.modules)
            result += store(module, storage);
    return result;
}

LayerwiseCasting::LayerwiseCasting(torch::nn::Module& root, const std::vector<CastUnit>& units, const CastRules& rules,
    const UpcastOptions& options, std::shared_ptr<CastCount> count)
    : m_upcaster(rules, options.backward, options.ahead == UpcastAhead::Yes ? 2 : 1, count)
{
    if (units.empty())
        return;
    if (options.ahead == UpcastAhead::Yes) // where the weights are used: offloaded ones already rest on the host
        m_prefetch.emplace(
            m_upcaster, tensor::deviceOf(units.front().modules.front().tensors.front()), std::move(count));
    CastPrefetch* prefetch = m_prefetch ? &*m_prefetch : nullptr;
    for (const CastUnit& unit : units)
        m_units.push_back(std::make_unique<UnitUpcast>(unit, m_upcaster, prefetch));
    m_root = std::make_unique<Root>(m_upcaster, prefetch);
    registerHooks(root);
}

LayerwiseCasting::~LayerwiseCasting() = default;

// The root's hook last: it is outermost where the root is a unit itself.
void LayerwiseCasting::registerHooks(torch::nn::Module& root)
{
    for (const auto& unit : m_units)
        for (const torch::nn::Module* module : unit->modules())
            m_registrations.emplace_back(*module, *unit);
    m_registrations.emplace_back(root, *m_root);
}

void LayerwiseCasting::release()
{
    m_upcaster.release();
}

} // namespace headroom::techniques
