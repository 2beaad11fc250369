// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::collectors {

/// What a simulated device lacks for an op.
enum class OpLack {
    Operator, ///< the linked LibTorch has no operator of that name
    MetaKernel, ///< it cannot run without its tensors' values, or nobody wrote a kernel for it: no simulation
    Values, ///< sizes or results depend on the values of tensors: no simulation, on any version
    CostRule, ///< it runs, and is counted as one pass over its tensors without temporaries: peak and time may be low
};

/// One thing that is lacking.
struct OpGap {
    std::string op; ///< as it was asked for
    std::string lacking; ///< the same, or another op that runs with it: a part of it or of its backward pass
    OpLack lack = OpLack::Operator;

    bool operator==(const OpGap&) const = default;
};

/// Which passes of a model run.
enum class Passes { Forward, ForwardAndBackward };

/// What a simulated device lacks for these ops, before anything runs; empty if it has everything.
///
/// Names are taken in any of the forms "torch.ops.aten.add.Tensor", "aten.add.Tensor", "aten::add.Tensor" and
/// "add.Tensor"; an overload "default" is the one without a name, and where there is no such one the first stands for
/// all. In the order of `ops`; an op that is given twice is answered twice. Ops that LibTorch takes apart (composite
/// ones) are judged by their parts, and with a backward pass by the ops of that. What "torch.ops.higher_order" names is
/// structure and no operator: leave it out. Measured devices need none of this. Registers the meta kernels.
std::vector<OpGap> opGaps(const std::vector<std::string>& ops, Passes passes);

/// Whether a simulation is impossible, and not merely less exact.
bool preventsSimulation(OpLack lack);

/// For people: "aten::nonzero: its sizes depend on values, so it can be measured but not simulated", with the op that
/// needs it where that is another one.
std::string describe(const OpGap& gap);

} // namespace headroom::collectors
