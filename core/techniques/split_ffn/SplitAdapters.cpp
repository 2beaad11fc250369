// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/split_ffn/SplitAdapters.h"

#include "core/memory/MemoryScopes.h"
#include "core/models/layers/LinearProduct.h"

namespace headroom::techniques {

std::vector<at::Tensor> inputsOfSlices(const models::FeedForward& layer, const at::Tensor& tokens)
{
    std::vector<at::Tensor> inputs{tokens};
    for (const models::Linear* projection : layer.projections()) {
        const tensor::ModuleScope module(*projection);
        const models::LowRankAdapter* adapter = projection->adapter();
        inputs.push_back(adapter == nullptr ? at::Tensor() : adapter->reduce(tokens, layer.place().is_training()));
    }
    return inputs;
}

at::Tensor adaptedRows(
    const models::Linear& projection, const at::Tensor& rows, const at::Tensor& reduced, std::int64_t first)
{
    const models::LowRankAdapter* adapter = projection.adapter();
    if (adapter == nullptr)
        return rows;
    const tensor::ModuleScope module(*adapter->b);
    at::Tensor added = models::linearProduct(reduced, adapter->b->weight.narrow(0, first, rows.size(-1)), {});
    added = added * adapter->options.scale;
    return (rows + added).to(rows.scalar_type());
}

void addReduced(const models::FeedForward& layer, const at::Tensor& inner, std::int64_t first, at::Tensor& sum)
{
    const models::LowRankAdapter* adapter = layer.output().adapter();
    if (adapter == nullptr)
        return;
    const tensor::ModuleScope module(*adapter->a);
    const at::Tensor dropped =
        at::dropout(inner.to(adapter->type), adapter->options.dropout, layer.place().is_training());
    const at::Tensor part = models::linearProduct(dropped, adapter->a->weight.narrow(1, first, inner.size(-1)), {});
    sum = sum.defined() ? sum + part : part;
}

void addAdapted(const models::FeedForward& layer, const at::Tensor& sum, at::Tensor& output)
{
    const models::LowRankAdapter* adapter = layer.output().adapter();
    if (adapter == nullptr)
        return;
    const tensor::ModuleScope module(layer.output());
    output.add_(adapter->b->forward(sum), adapter->options.scale);
}

} // namespace headroom::techniques
