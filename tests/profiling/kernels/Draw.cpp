// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/kernels/OpCases.h"

#include <algorithm>
#include <numeric>

namespace headroom::collectors {
namespace {

at::Tensor metaLike(const at::Tensor& tensor)
{
    return at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kMeta));
}

} // namespace

std::int64_t Draw::between(std::int64_t least, std::int64_t most)
{
    return least + static_cast<std::int64_t>(m_random() % static_cast<unsigned>(most - least + 1));
}

std::vector<std::int64_t> Draw::sizes(std::int64_t dimensions)
{
    std::vector<std::int64_t> drawn;
    for (std::int64_t i = 0; i < dimensions; ++i)
        drawn.push_back(between(2, 5));
    return drawn;
}

at::Tensor Draw::arranged(
    const std::vector<std::int64_t>& sizes, const std::function<at::Tensor(at::IntArrayRef)>& make)
{
    const std::int64_t way = sizes.empty() ? 0 : between(0, 2);
    if (way == 0)
        return make(sizes);
    if (way == 1) { // every second element of a larger tensor
        std::vector<std::int64_t> larger = sizes;
        larger.back() *= 2;
        return make(larger).slice(-1, 0, larger.back(), 2);
    }
    std::vector<std::int64_t> order(sizes.size()), stored(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, m_random);
    for (std::size_t i = 0; i < order.size(); ++i)
        stored[static_cast<std::size_t>(order[i])] = sizes[i];
    return make(stored).permute(order);
}

at::Tensor Draw::floats(const std::vector<std::int64_t>& sizes)
{
    return arranged(sizes, [this](at::IntArrayRef shape) { return denseFloats(shape.vec()); });
}

at::Tensor Draw::denseFloats(const std::vector<std::int64_t>& sizes)
{
    return at::rand(sizes, m_type) * 0.8 + 0.1;
}

at::Tensor Draw::image(const std::vector<std::int64_t>& sizes)
{
    const at::MemoryFormat last = sizes.size() == 5 ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::ChannelsLast;
    return denseFloats(sizes).contiguous(flip() ? last : at::MemoryFormat::Contiguous);
}

at::Tensor Draw::complexes(const std::vector<std::int64_t>& sizes)
{
    return at::complex(denseFloats(sizes), denseFloats(sizes));
}

at::Tensor Draw::integers(const std::vector<std::int64_t>& sizes, std::int64_t end)
{
    return at::randint(0, end, sizes, at::kLong);
}

at::Tensor Draw::flags(const std::vector<std::int64_t>& sizes)
{
    return at::randint(0, 2, sizes).to(at::kBool);
}

c10::OperatorHandle operatorOf(const OpCase& each)
{
    const std::size_t dot = each.op.find('.');
    return c10::Dispatcher::singleton().findSchemaOrThrow(
        each.op.substr(0, dot).c_str(), dot == std::string::npos ? "" : each.op.substr(dot + 1).c_str());
}

torch::jit::Stack argumentsOf(const OpCase& each, Draw& draw)
{
    torch::jit::Stack stack = each.arguments(draw);
    const auto& schema = operatorOf(each).schema().arguments();
    for (std::size_t i = stack.size(); i < schema.size(); ++i)
        stack.push_back(schema[i].default_value().value());
    return stack;
}

c10::IValue onMeta(const c10::IValue& value)
{
    if (value.isTensor())
        return metaLike(value.toTensor());
    if (value.isDevice())
        return c10::Device(at::kMeta);
    if (!value.isOptionalTensorList())
        return value;
    c10::List<std::optional<at::Tensor>> list;
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
        list.push_back(tensor ? std::optional(metaLike(*tensor)) : std::nullopt);
    return list;
}

std::vector<at::Tensor> trainedAmong(const c10::OperatorHandle& op, const torch::jit::Stack& arguments)
{
    std::vector<at::Tensor> trained;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool hasGradient = arguments[i].isTensor()
            && (arguments[i].toTensor().is_floating_point() || arguments[i].toTensor().is_complex())
            && !op.schema().arguments()[i].name().starts_with("running_");
        if (hasGradient)
            trained.push_back(arguments[i].toTensor());
    }
    return trained;
}

} // namespace headroom::collectors
