// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IndexSorting.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"
#include "profiling/simulator/rules/SortRules.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

using Indices = c10::List<std::optional<at::Tensor>>;

std::vector<at::Tensor> givenAmong(const Indices& indices)
{
    std::vector<at::Tensor> given;
    for (std::size_t i = 0; i < indices.size(); ++i)
        if (const std::optional<at::Tensor> index = indices.get(i); isGiven(index))
            given.push_back(*index);
    return given;
}

bool isNumber(const at::Tensor& index)
{
    return index.scalar_type() == at::kLong || index.scalar_type() == at::kInt;
}

// The tensors among the indices as 64-bit integers, broadcast to one shape.
std::vector<at::Tensor> broadcastIndices(const Indices& indices)
{
    std::vector<at::Tensor> numbers;
    for (const at::Tensor& index : givenAmong(indices))
        numbers.push_back(index.to(at::kLong));
    return at::broadcast_tensors(numbers);
}

/// Where the indexed dimensions of a tensor are.
struct IndexedDimensions {
    explicit IndexedDimensions(const Indices& indices)
    {
        for (std::size_t i = 0; i < indices.size(); ++i)
            if (isGiven(indices.get(i)))
                places.push_back(static_cast<std::int64_t>(i));
    }

    std::int64_t count() const { return static_cast<std::int64_t>(places.size()); }
    bool areNeighbours() const { return places.back() - places.front() + 1 == count(); }

    std::vector<std::int64_t> places;
};

// aten/src/ATen/native/TensorAdvancedIndexing.cpp, transposeToFront: indexed dimensions that are not adjacent go first.
at::Tensor indexedFirst(const at::Tensor& self, const IndexedDimensions& indexed)
{
    std::vector<std::int64_t> order = indexed.places;
    for (std::int64_t i = 0; i < self.dim(); ++i)
        if (std::ranges::find(indexed.places, i) == indexed.places.end())
            order.push_back(i);
    return self.permute(order);
}

// One number for each indexed position: wrapped, multiplied by its stride, summed.
at::Tensor linearIndex(const std::vector<at::Tensor>& indices)
{
    at::Tensor linear;
    for (const at::Tensor& index : indices) {
        at::Tensor wrapped = at::empty(index.sizes(), index.options());
        at::Tensor scaled = at::empty(index.sizes(), index.options());
        wrapped.reset();
        if (!linear.defined())
            linear = std::move(scaled);
    }
    return linear;
}

// Shape of the values: the shape of the index in place of the indexed dimensions.
std::vector<std::int64_t> shapeOfValues(
    const at::Tensor& source, std::int64_t before, std::int64_t indexed, at::IntArrayRef picked)
{
    std::vector<std::int64_t> shape(source.sizes().begin(), source.sizes().begin() + before);
    shape.insert(shape.end(), picked.begin(), picked.end());
    shape.insert(shape.end(), source.sizes().begin() + before + indexed, source.sizes().end());
    return shape;
}

// aten/src/ATen/native/cuda/Indexing.cu, index_put_with_sort_kernel.
void accumulateBySorting(const at::Tensor& self, const Indices& indices, const at::Tensor& values)
{
    const IndexedDimensions indexed(indices);
    const at::Tensor dense = self.contiguous();
    const at::Tensor source = indexed.areNeighbours() ? dense : indexedFirst(dense, indexed);
    const std::int64_t before = indexed.areNeighbours() ? indexed.places.front() : 0;
    const at::Tensor linear = linearIndex(broadcastIndices(indices));
    const at::Tensor denseValues =
        values.expand(shapeOfValues(source, before, indexed.count(), linear.sizes())).contiguous();
    if (denseValues.numel() == 0)
        return;
    const at::Tensor denseSource = source.contiguous();
    std::int64_t slice = 1;
    for (std::int64_t i = before + indexed.count(); i < source.dim(); ++i)
        slice *= source.size(i);
    const at::Tensor sorted = at::empty({linear.numel()}, linear.options());
    const at::Tensor places = at::empty({linear.numel()}, linear.options());
    sortIndices(linear, simulator::bitsOf((dense.numel() - 1) / slice));
}

// How many elements a mask selects is known only from its values.
void refuseMask(const Indices& indices)
{
    for (const at::Tensor& index : givenAmong(indices))
        TORCH_CHECK_NOT_IMPLEMENTED(isNumber(index),
            "index_put with a mask and several values needs the mask's values, which meta tensors do not have");
}

at::Tensor& indexPut(at::Tensor& self, const Indices& indices, const at::Tensor& values, bool accumulates, bool)
{
    if (accumulates || values.numel() != 1)
        refuseMask(indices);
    if (accumulates && KernelRules::activeOfCuda() != nullptr)
        accumulateBySorting(self, indices, values);
    return self;
}

} // namespace

void registerIndexKernels(torch::Library& kernels)
{
    kernels.impl("_index_put_impl_", TORCH_FN(indexPut));
}

} // namespace headroom::collectors
