// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/tensor/Torch.h"

#include <string_view>
#include <vector>

namespace headroom::collectors {

/// What CUDA's matrix products allocate for factors that cuBLAS cannot read where they are, in this order: a dense copy
/// of each whose rows and columns both lie apart (aten/src/ATen/native/cuda/Blas.cpp, prepare_matrix_for_cublas and
/// prepare_batch_matrix_for_cublas). `name`: mm, addmm, bmm or baddbmm.
std::vector<Bytes> productCopies(std::string_view name, at::ArrayRef<c10::IValue> arguments);

} // namespace headroom::collectors
