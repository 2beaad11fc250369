// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"
#include "profiling/collectors/simulated/BlockRecording.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace headroom::collectors {

/// Which blocks of a model are run in a step, and which are taken to do what others did.
///
/// Blocks of one group are alike, between neighbours that are alike too: what a block's graph holds of its neighbours'
/// tensors depends on them. The first one and the last one of a group run; those between repeat the first one in
/// forward and the last one in backward. The block before the model's last one is in no group: in the backward pass,
/// gradients of what all blocks read become sums there, which the others add to.
class RepeatPlan {
public:
    enum class Part { Runs, First, Last, Repeats };

    struct Place {
        Part part = Part::Runs;
        std::size_t group = 0; ///< not of blocks that just run
    };

    /// For the model as it is now, with its techniques applied.
    explicit RepeatPlan(models::Model& model);

    const Place& placeOf(std::int64_t block) const { return m_places.at(static_cast<std::size_t>(block)); }
    const std::vector<at::Tensor>& parametersOf(std::int64_t block) const
    {
        return m_parameters.at(static_cast<std::size_t>(block));
    }
    std::size_t blocks() const { return m_places.size(); }
    std::size_t groups() const { return m_groups; }

private:
    void divide(const std::vector<std::string>& forms);

    std::vector<std::vector<at::Tensor>> m_parameters; ///< by block
    std::vector<Place> m_places;
    std::size_t m_groups = 0;
};

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
