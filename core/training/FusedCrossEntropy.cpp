// SPDX-License-Identifier: Apache-2.0
#include "core/training/FusedCrossEntropy.h"

#include "core/training/Loss.h"

// The one function with a backward of its own: in Torch.h it would cost every source that sees LibTorch.
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

namespace headroom::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Of the logits that are there at once, one in so many rows is raised to float32 at a time. Fused kernels raise in
// registers; a share this small stands for that.
constexpr std::int64_t kShares = 32;

// A token without a label counts as one whose label is the first word, times zero.
struct Labels {
    at::Tensor word; ///< [rows, 1]
    at::Tensor weight; ///< [rows, 1]: 1 / labelled, or 0
};

Labels labelsOf(const at::Tensor& labels, at::ScalarType type, double labelled)
{
    const at::Tensor kept = labels.ne(kNoLabel).unsqueeze(1);
    return {labels.clamp_min(0).unsqueeze(1), kept.to(type).div_(labelled)};
}

// Overwrites logits by what they contribute to their gradients; the rows' share of the loss.
at::Tensor turnIntoGradients(at::Tensor logits, const Labels& labels)
{
    const bool isDouble = logits.scalar_type() == at::kDouble;
    at::Tensor values = at::log_softmax(logits, 1, isDouble ? at::kDouble : at::kFloat);
    const at::Tensor loss = values.gather(1, labels.word).mul_(labels.weight).sum().neg_();
    values.exp_();
    values.scatter_add_(1, labels.word, at::ones_like(labels.weight).neg_());
    logits.copy_(values.mul_(labels.weight));
    return loss;
}

/// Gradients as they are summed up, undefined for what is not trained.
struct HeadGradients {
    at::Tensor hidden, weight, bias;
};

class Accumulation {
public:
    Accumulation(HeadProduct head, HeadGradients gradients, double labelled)
        : m_head(std::move(head))
        , m_gradients(std::move(gradients))
        , m_labelled(labelled)
    {
    }

    at::Tensor add(std::int64_t begin, std::int64_t rows)
    {
        const at::Tensor hidden = m_head.hidden.narrow(0, begin, rows);
        const at::Tensor logits = at::linear(hidden, m_head.weight, m_head.bias);
        const at::Tensor loss = lossOf(logits, m_head.labels.narrow(0, begin, rows));
        if (m_gradients.hidden.defined())
            m_gradients.hidden.narrow(0, begin, rows).copy_(logits.mm(m_head.weight));
        if (m_gradients.weight.defined())
            m_gradients.weight.addmm_(logits.t(), hidden);
        if (m_gradients.bias.defined())
            m_gradients.bias.add_(logits.sum(0));
        return loss;
    }

private:
    at::Tensor lossOf(const at::Tensor& logits, const at::Tensor& labels) const
    {
        const std::int64_t rows = logits.size(0);
        const std::int64_t share = std::max<std::int64_t>(1, rows / kShares);
        at::Tensor sum;
        for (std::int64_t begin = 0; begin < rows; begin += share) {
            const std::int64_t count = std::min(share, rows - begin);
            const at::ScalarType type = logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
            const at::Tensor part = turnIntoGradients(
                logits.narrow(0, begin, count), labelsOf(labels.narrow(0, begin, count), type, m_labelled));
            sum = sum.defined() ? sum.add_(part) : part;
        }
        return sum;
    }

    HeadProduct m_head;
    HeadGradients m_gradients;
    double m_labelled;
};

at::Tensor gradientLike(const at::Tensor& tensor)
{
    return tensor.defined() && tensor.requires_grad() ? at::zeros_like(tensor) : at::Tensor();
}

class FusedFunction : public torch::autograd::Function<FusedFunction> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& hidden, const at::Tensor& weight,
        const at::Tensor& bias, const at::Tensor& labels, std::int64_t rows, double labelled)
    {
        const HeadGradients gradients{gradientLike(hidden), gradientLike(weight), gradientLike(bias)};
        Accumulation accumulation({hidden, weight, bias, labels}, gradients, labelled);
        at::Tensor loss;
        for (std::int64_t begin = 0; begin < hidden.size(0); begin += rows) {
            const at::Tensor part = accumulation.add(begin, std::min(rows, hidden.size(0) - begin));
            loss = loss.defined() ? loss.add_(part) : part;
        }
        context->save_for_backward({gradients.hidden, gradients.weight, gradients.bias});
        return loss;
    }

    static variable_list backward(AutogradContext* context, const variable_list& outer)
    {
        variable_list gradients = context->get_saved_variables();
        for (at::Tensor& gradient : gradients)
            if (gradient.defined())
                gradient.mul_(outer[0]);
        gradients.resize(6);
        return gradients;
    }
};

} // namespace

at::Tensor fusedCrossEntropy(const HeadProduct& head, std::int64_t rows, double labelled)
{
    return FusedFunction::apply(head.hidden, head.weight, head.bias, head.labels, rows, labelled);
}

} // namespace headroom::training
