// SPDX-License-Identifier: Apache-2.0
#include "core/training/FusedCrossEntropy.h"

#include "core/training/Loss.h"

#include <algorithm>

namespace headroom::training {
namespace {

using torch::autograd::SavedVariable;
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
    const bool isTrained = tensor.defined() && tensor.requires_grad();
    return isTrained ? at::zeros_like(tensor, tensor.options().requires_grad(false)) : at::Tensor();
}

/// Hands the gradients on that the forward pass has computed, times that of the loss.
class FusedBackward final : public torch::autograd::Node {
public:
    FusedBackward(torch::autograd::edge_list&& next, const HeadGradients& gradients)
        : Node(std::move(next))
    {
        for (const at::Tensor& gradient : {gradients.hidden, gradients.weight, gradients.bias})
            m_gradients.emplace_back(gradient, /*is_output=*/false);
    }

    std::string name() const override { return "FusedCrossEntropyBackward"; }

    variable_list apply(variable_list&& outer) override
    {
        variable_list result;
        for (SavedVariable& saved : m_gradients) {
            at::Tensor gradient = saved.unpack();
            saved.reset_data();
            result.push_back(gradient.defined() ? gradient.mul_(outer.at(0)) : gradient);
        }
        return result;
    }

    void release_variables() override
    {
        for (SavedVariable& saved : m_gradients)
            saved.reset_data();
    }

private:
    std::vector<SavedVariable> m_gradients;
};

at::Tensor summedLoss(const HeadProduct& head, const HeadGradients& gradients, std::int64_t rows, double labelled)
{
    Accumulation accumulation(head, gradients, labelled);
    at::Tensor loss;
    for (std::int64_t begin = 0; begin < head.hidden.size(0); begin += rows) {
        const at::Tensor part = accumulation.add(begin, std::min(rows, head.hidden.size(0) - begin));
        loss = loss.defined() ? loss.add_(part) : part;
    }
    return loss;
}

} // namespace

at::Tensor fusedCrossEntropy(const HeadProduct& head, std::int64_t rows, double labelled)
{
    const HeadGradients gradients{gradientLike(head.hidden), gradientLike(head.weight), gradientLike(head.bias)};
    torch::autograd::edge_list next = torch::autograd::collect_next_edges(head.hidden, head.weight, head.bias);
    at::Tensor loss = [&] {
        const torch::NoGradGuard noGradients;
        return summedLoss(head, gradients, rows, labelled);
    }();
    torch::autograd::create_gradient_edge(loss, std::make_shared<FusedBackward>(std::move(next), gradients));
    return loss;
}

} // namespace headroom::training
