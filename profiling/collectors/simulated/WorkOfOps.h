// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"
#include "profiling/simulator/profiles/MeasuredRates.h"

#include <vector>

namespace headroom::collectors {

/// How an op takes its time, by its name alone. All that copies counts as Copy here; `workOfCopy` looks closer.
simulator::Work workOfOp(const c10::FunctionSchema& schema);

/// What a copy reads, and with it what an op in place overwrites.
struct CopiedTensors {
    bool areContiguous = true;
    bool haveFloat8 = false;
    std::vector<c10::ScalarType> types;
};

CopiedTensors copiedTensors(at::ArrayRef<c10::IValue> arguments);

/// Copy, Rearrangement, Cast or Float8Cast.
simulator::Work workOfCopy(const CopiedTensors& copied, c10::ScalarType written);

/// For an op on lists: the tensors of its longest list, which most kernels take one after the other; else 1.
std::int64_t partsOf(at::ArrayRef<c10::IValue> arguments);

} // namespace headroom::collectors
