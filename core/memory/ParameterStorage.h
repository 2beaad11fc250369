// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::tensor {

/// An uninitialised parameter of a layer that is being built. Where a DeferredParameters lives it has its sizes, dtype
/// and device, but no memory yet.
at::Tensor emptyParameter(at::IntArrayRef sizes, const at::TensorOptions& options);

/// While it lives, this thread's layers are built without memory for their parameters, so that each can be given its
/// own, filled and put where it belongs before the next one takes any.
class DeferredParameters {
public:
    DeferredParameters();
    ~DeferredParameters();
    DeferredParameters(const DeferredParameters&) = delete;
    DeferredParameters& operator=(const DeferredParameters&) = delete;

private:
    bool m_outer;
};

/// Gives memory to those of the module's own parameters (not its children's) that have none.
void allocateParameters(torch::nn::Module& module);

} // namespace headroom::tensor
