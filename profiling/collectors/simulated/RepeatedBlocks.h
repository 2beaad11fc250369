// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"
#include "core/models/Model.h"
#include "profiling/collectors/simulated/BlockPass.h"
#include "profiling/collectors/simulated/BlockPlaces.h"
#include "profiling/collectors/simulated/ProgramMemory.h"

#include <functional>
#include <memory>
#include <vector>

namespace headroom::collectors {

/// Thrown where blocks that were taken to be alike are not: the trial has to be simulated once more without a shortcut.
class UnlikeBlocks final : public Error {
public:
    explicit UnlikeBlocks(const std::string& why)
        : Error(why, "blocks taken to be alike", "blocks that ask for the same memory in the same order")
    {
    }
};

/// Inputs of a repeated block that its graph would keep, by input; null: not kept.
using KeptInputs = std::vector<std::unique_ptr<tensor::SavedTensorLabels::Kept>>;

/// Repeats for most blocks of a model what the simulated device was asked by the first one like them in forward, and by
/// the last one in backward: the same requests to the allocator, and the same costs, in the same order, without running
/// LibTorch's ops. Tensors between blocks and the parameters' gradients are real ones.
///
/// The first and the last block of each group run with LibTorch in both passes. That they ask for the same is checked
/// in every pass; where they do not, UnlikeBlocks is thrown, in the pass or by `verify` after it. So the answer is that
/// of the full simulation, or there is none.
///
/// Where memory is attributed, so are the labels that it gets, with the place in the block instead of the module; and
/// what is counted for a block that runs is counted for those that repeat it (BlockAccounts).
class RepeatedBlocks final : public models::BlockShortcut, private RequestListener {
public:
    using Spend = std::function<void(const simulator::OpCost&)>;
    /// How often the timeline was asked for something besides an op: transfers, waits.
    using OtherUses = std::function<std::int64_t()>;

    /// The model is borrowed; its techniques have been applied. So are the accounts; null: there are none.
    RepeatedBlocks(models::Model& model, techniques::BlockAccounts* accounts, std::shared_ptr<AccountedMemory> memory,
        Spend spend, OtherUses otherUses);
    ~RepeatedBlocks() override;
    RepeatedBlocks(const RepeatedBlocks&) = delete;
    RepeatedBlocks& operator=(const RepeatedBlocks&) = delete;

    std::vector<at::Tensor> run(std::int64_t index, const std::function<std::vector<at::Tensor>()>& real,
        const std::vector<at::Tensor>& inputs) override;

    /// After each op that has a cost.
    void spent(const simulator::OpCost& cost);

    /// After a step: throws UnlikeBlocks unless every block that was run in it confirms what others repeated.
    void verify();

    /// Runs of blocks so far that repeated others.
    std::int64_t repeats() const { return m_repeats; }

private:
    friend class ReplayedBlock;
    class ArrivalHook;

    void allocated(Handle handle, Bytes bytes, const tensor::MemoryLabel& label) override;
    void allocatedOnHost(Handle handle, tensor::HostMemory kind, Bytes bytes) override;
    void released(Handle handle) override;
    void relabelled(Handle handle, const tensor::LabelChange& change) override;

    std::vector<at::Tensor> recorded(std::int64_t index, const std::function<std::vector<at::Tensor>()>& real,
        const std::vector<at::Tensor>& inputs);
    bool canRepeat(std::int64_t index, const std::vector<at::Tensor>& inputs);
    std::vector<at::Tensor> repeated(std::int64_t index, const std::vector<at::Tensor>& inputs);
    std::vector<at::Tensor> runRecorded(BlockRecording& recording, const std::function<std::vector<at::Tensor>()>& real,
        const std::vector<at::Tensor>& inputs);
    std::vector<bool> keptOf(const std::vector<at::Tensor>& inputs) const;
    KeptInputs playForward(std::int64_t index, ProgramMemory& memory, const std::vector<at::Tensor>& inputs);
    void count(std::int64_t block, std::int64_t like, const BlockTally& tally);
    ProgramMemory::Actions actionsOf(std::int64_t index);
    std::optional<std::vector<InputOrigin>> originsOf(
        const GroupRun& group, const std::vector<at::Tensor>& inputs) const;
    void watch(std::int64_t index, const std::vector<at::Tensor>& outputs);
    void gradientArrives(
        const std::shared_ptr<BlockPass>& pass, std::int64_t index, std::size_t output, const at::Tensor& gradient);
    void enterBackward(BlockPass& pass, std::int64_t index);
    void begin(BlockRecording& recording);
    void end();

    const RepeatPlan m_plan;
    BlockPlaces m_places;
    techniques::BlockAccounts* m_accounts;
    techniques::StackCounters m_countersBefore; ///< when what runs began
    std::shared_ptr<AccountedMemory> m_memory;
    Spend m_spend;
    OtherUses m_otherUses;
    std::shared_ptr<BlockPass> m_pass;
    BlockRecording* m_running = nullptr;
    std::int64_t m_otherUsesBefore = 0; ///< when it began
    std::int64_t m_repeats = 0;
};

} // namespace headroom::collectors
