// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace headroom::collectors {

/// Draws arguments: shapes, and tensors in memory in various orders.
class Draw {
public:
    explicit Draw(unsigned seed)
        : m_random(seed)
        , m_type(seed % 3 == 2 ? at::kDouble : at::kFloat)
    {
    }

    std::int64_t between(std::int64_t least, std::int64_t most);
    bool flip() { return between(0, 1) == 1; }
    /// That many extents from 2 to 5.
    std::vector<std::int64_t> sizes(std::int64_t dimensions);

    /// Floating point, float32 or float64, contiguous, with its dimensions exchanged, or a part of a larger tensor.
    at::Tensor floats(const std::vector<std::int64_t>& sizes);
    at::Tensor denseFloats(const std::vector<std::int64_t>& sizes);
    /// Contiguous or with the channels last; four or five dimensions.
    at::Tensor image(const std::vector<std::int64_t>& sizes);
    at::Tensor complexes(const std::vector<std::int64_t>& sizes);
    /// 64-bit integers from 0 to below `end`.
    at::Tensor integers(const std::vector<std::int64_t>& sizes, std::int64_t end);
    at::Tensor flags(const std::vector<std::int64_t>& sizes);

private:
    at::Tensor arranged(const std::vector<std::int64_t>& sizes, const std::function<at::Tensor(at::IntArrayRef)>& make);

    std::mt19937 m_random;
    at::ScalarType m_type; ///< of all numbers with a fraction
};

enum class Gradients { Compared, Left };

/// An op with arguments that its CPU kernel takes; those that are left out at the end are the schema's defaults.
struct OpCase {
    std::string op; ///< "aten::var.correction"
    std::function<torch::jit::Stack(Draw&)> arguments;
    Gradients gradients = Gradients::Compared; ///< Left: it has none, or LibTorch refuses them on the CPU
};

c10::OperatorHandle operatorOf(const OpCase& each);
torch::jit::Stack argumentsOf(const OpCase& each, Draw& draw);

/// The argument on the meta device: a tensor of the same shape and strides, a list of them, a device; others as they
/// are.
c10::IValue onMeta(const c10::IValue& value);

/// The arguments that a gradient may be asked of: floating point and complex ones, but for running statistics.
std::vector<at::Tensor> trainedAmong(const c10::OperatorHandle& op, const torch::jit::Stack& arguments);

template <typename... Values> torch::jit::Stack stackOf(Values... values)
{
    torch::jit::Stack stack;
    (stack.emplace_back(std::move(values)), ...);
    return stack;
}

using Ints = std::vector<std::int64_t>;
inline c10::IValue none()
{
    return {};
}

std::vector<OpCase> elementwiseCases();
std::vector<OpCase> reductionCases();
std::vector<OpCase> imageCases();
std::vector<OpCase> gatherCases();
std::vector<OpCase> normCases();
std::vector<OpCase> otherCases();

} // namespace headroom::collectors
