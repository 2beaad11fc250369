// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/simulated/BlockRecording.h"
#include "profiling/collectors/simulated/RepeatPlan.h"

#include <memory>

namespace headroom::collectors {

/// Where an input of a block comes from.
struct InputOrigin {
    enum class Kind { Absent, Previous, Shared };

    Kind kind = Kind::Absent;
    std::size_t output = 0; ///< Previous: of the block before

    bool operator==(const InputOrigin&) const = default;
};

/// Knows a tensor again without keeping it.
using TensorIdentity = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

TensorIdentity identityOf(const at::Tensor& tensor);
bool isSame(const TensorIdentity& identity, const at::Tensor& tensor);

/// What one group of a plan has shown in one forward and backward pass.
struct GroupRun {
    std::shared_ptr<BlockRecording> first;
    std::shared_ptr<BlockRecording> last;
    std::vector<TensorIdentity> firstInputs;
    std::vector<InputOrigin> origins; ///< of the blocks that repeat
    std::vector<bool> holds; ///< which inputs their graphs hold
    std::int64_t firstBlock = -1;
    std::int64_t lastBlock = -1;
    bool isRepeated = false;
};

/// One forward pass through a model's blocks, and its backward pass.
struct BlockPass {
    explicit BlockPass(const RepeatPlan& plan)
        : groups(plan.groups())
        , recordings(plan.blocks())
    {
    }

    std::vector<GroupRun> groups;
    std::vector<std::shared_ptr<BlockRecording>> recordings; ///< by block; null: not recorded
    std::vector<TensorIdentity> previousOutputs;
    std::int64_t inBackward = -1; ///< the block whose backward pass runs; -1: none
};

} // namespace headroom::collectors
