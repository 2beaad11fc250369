// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/IteratedShapes.h"

namespace headroom::collectors {

at::Tensor iteratedLike(const std::vector<at::Tensor>& inputs, std::optional<at::ScalarType> type)
{
    at::TensorIteratorConfig config;
    config.set_check_mem_overlap(false).check_all_same_dtype(false).allow_cpu_scalars(true);
    config.add_owned_output(at::Tensor());
    if (type)
        config.declare_static_dtype(*type);
    else
        config.promote_inputs_to_common_dtype(true);
    for (const at::Tensor& input : inputs)
        config.add_owned_const_input(input);
    at::TensorIterator iterator = config.build();
    return iterator.output();
}

void iterateInto(const at::Tensor& out, const std::vector<at::Tensor>& inputs)
{
    at::TensorIteratorConfig config;
    config.set_check_mem_overlap(false).check_all_same_dtype(false).allow_cpu_scalars(true).add_owned_output(out);
    for (const at::Tensor& input : inputs)
        config.add_owned_const_input(input);
    config.build();
}

at::ScalarType floatingType(at::ScalarType type)
{
    return at::isIntegralType(type, /*includeBool=*/true) ? at::typeMetaToScalarType(at::get_default_dtype()) : type;
}

at::Tensor wrappedNumber(const at::Scalar& number)
{
    at::Tensor wrapped = c10::scalar_to_tensor(number);
    wrapped.unsafeGetTensorImpl()->set_wrapped_number(true);
    return wrapped;
}

std::vector<std::int64_t> reducedShape(
    const at::Tensor& input, at::OptionalIntArrayRef dimensions, bool keepsDimensions)
{
    const bool isWhole = !dimensions.has_value() || dimensions->empty();
    std::vector<bool> isReduced(static_cast<std::size_t>(input.dim()), isWhole);
    if (!isWhole && input.dim() > 0)
        for (const std::int64_t dimension : *dimensions)
            isReduced[static_cast<std::size_t>(at::maybe_wrap_dim(dimension, input.dim()))] = true;
    std::vector<std::int64_t> shape;
    for (std::int64_t i = 0; i < input.dim(); ++i)
        if (!isReduced[static_cast<std::size_t>(i)])
            shape.push_back(input.size(i));
        else if (keepsDimensions)
            shape.push_back(1);
    return shape;
}

void shapeInto(const at::Tensor& out, at::IntArrayRef shape)
{
    if (out.sizes() != shape)
        out.resize_(shape);
}

} // namespace headroom::collectors
