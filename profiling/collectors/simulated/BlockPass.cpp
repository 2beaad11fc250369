// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/BlockPass.h"

namespace headroom::collectors {

TensorIdentity identityOf(const at::Tensor& tensor)
{
    return TensorIdentity(tensor.getIntrusivePtr());
}

// The weak pointer keeps the object's place, so that no other tensor can be there.
bool isSame(const TensorIdentity& identity, const at::Tensor& tensor)
{
    return tensor.defined() && identity._unsafe_get_target() == tensor.unsafeGetTensorImpl();
}

} // namespace headroom::collectors
