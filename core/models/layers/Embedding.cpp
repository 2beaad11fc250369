// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Embedding.h"

#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"

namespace headroom::models {

Embedding::Embedding(std::int64_t rows, std::int64_t width, double deviation, const at::TensorOptions& options)
    : weight(register_parameter("weight", tensor::emptyParameter({rows, width}, options)))
    , m_deviation(deviation)
    , m_type(c10::typeMetaToScalarType(options.dtype()))
{
}

at::Tensor Embedding::forward(const at::Tensor& indices) const
{
    const tensor::ModuleScope scope(*this);
    return at::embedding(weight, indices).to(m_type);
}

void Embedding::initialise()
{
    weight.normal_(0.0, m_deviation);
}

} // namespace headroom::models
