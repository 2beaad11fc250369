// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::tensor {

/// An uninitialised parameter of a layer under construction. Within a DeferredParameters it has its sizes, dtype and
/// device, but no memory yet.
at::Tensor emptyParameter(at::IntArrayRef sizes, const at::TensorOptions& options);

/// While it lives, this thread's layers are built without memory for their parameters, so that each can get its memory,
/// be filled and be moved to its place before the next one gets any.
class DeferredParameters {
public:
    DeferredParameters();
    ~DeferredParameters();
    DeferredParameters(const DeferredParameters&) = delete;
    DeferredParameters& operator=(const DeferredParameters&) = delete;

private:
    bool m_outer;
};

/// Allocates memory for the module's own parameters (not its children's) that have none.
void allocateParameters(torch::nn::Module& module);

} // namespace headroom::tensor
