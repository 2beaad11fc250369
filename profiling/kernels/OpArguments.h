// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/tensor/OpInterceptor.h"
#include "core/tensor/Torch.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <string>

namespace headroom::collectors {

/// The arguments on the stack before a call, or the results after it.
at::ArrayRef<c10::IValue> argumentsOf(const tensor::OpCall& call);
at::ArrayRef<c10::IValue> resultsOf(const tensor::OpCall& call);

/// "addmm" for aten::addmm, aten::addmm_ and aten::addmm.out alike.
std::string baseName(const c10::FunctionSchema& schema);

/// Bytes of one element of the type.
Bytes bytesPerElement(c10::ScalarType type);

/// Whether the op's first result is a view of an argument.
bool isView(const c10::FunctionSchema& schema);

/// Calls `visit` for every defined tensor among the values, including those in lists.
template <typename Visit> void forEachTensor(at::ArrayRef<c10::IValue> values, Visit visit)
{
    for (const c10::IValue& value : values) {
        if (value.isTensor() && value.toTensor().defined())
            visit(value.toTensor());
        else if (value.isTensorList())
            for (const at::Tensor& tensor : value.toTensorVector())
                visit(tensor);
        else if (value.isOptionalTensorList())
            for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
                if (tensor.has_value() && tensor->defined())
                    visit(*tensor);
    }
}

/// The arithmetic of an op on tensors of this type. TF32 is off: for products by default, for convolutions because
/// openCudaDevice turns it off.
simulator::MathType mathTypeOf(c10::ScalarType type);

/// A kernel's optional argument. Autograd passes an undefined tensor for one that was left out.
using OptionalTensor = std::optional<at::Tensor>;

inline bool isGiven(const OptionalTensor& tensor)
{
    return tensor.has_value() && tensor->defined();
}

} // namespace headroom::collectors
