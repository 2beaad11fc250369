// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/training/StepShortcut.h"
#include "profiling/collectors/simulated/BlockRecording.h"
#include "profiling/collectors/simulated/ProgramMemory.h"

#include <functional>
#include <optional>
#include <string>

namespace headroom::collectors {

/// Repeats for a whole step what the simulated device was asked in the one before it: the same requests to the
/// allocator, costs and phases, in the same order.
///
/// A step is recorded as a block's backward pass is: besides its own memory it may release the gradients of the step
/// before, and must leave nothing but gradients. The first step is never repeated, as state is created in it. Labels of
/// memory are repeated as they were.
class RepeatedStep final : public training::StepShortcut, private RequestListener {
public:
    RepeatedStep(std::shared_ptr<AccountedMemory> memory, ProgramMemory::Spend spend);
    ~RepeatedStep() override;
    RepeatedStep(const RepeatedStep&) = delete;
    RepeatedStep& operator=(const RepeatedStep&) = delete;

    void stepBegins(const std::vector<at::Tensor>& parameters) override;
    void stepEnds() override;
    bool repeatStep(training::StepObserver& observer, std::int64_t step) override;

    // What happens meanwhile.
    void spent(const simulator::OpCost& cost);
    void phaseBegins(const std::string& phase);
    void phaseEnds();
    /// Anything else that is to be done again.
    void did(std::function<void()> action);

    /// Steps so far that were repeated.
    std::int64_t repeats() const { return m_repeats; }

private:
    class Playing;
    /// What the program does not tell.
    struct Event {
        std::size_t place; ///< before this step of the program
        std::function<void(Playing&)> action;
    };

    void allocated(Handle handle, Bytes bytes, const tensor::MemoryLabel& label) override;
    void allocatedOnHost(Handle handle, tensor::HostMemory kind, Bytes bytes) override;
    void released(Handle handle) override;
    void relabelled(Handle handle, const tensor::LabelChange& change) override;

    bool isRunning() const { return m_recording && m_recording->isRunning(); }
    void note(std::function<void(Playing&)> action);
    bool canRepeat() const;
    bool meetsKnownGradients() const;
    void play(ProgramMemory& memory, Playing& playing);
    void leaveGradients(ProgramMemory& memory);

    std::shared_ptr<AccountedMemory> m_memory;
    ProgramMemory::Spend m_spend;
    std::vector<at::Tensor> m_parameters;
    std::optional<BlockRecording> m_recording; ///< of the last step that ran
    std::vector<Event> m_events;
    std::vector<TensorForm> m_gradientsBefore; ///< by parameter
    std::int64_t m_steps = 0; ///< that ran
    std::int64_t m_repeats = 0;
};

} // namespace headroom::collectors
