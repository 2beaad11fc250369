// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/SavedTensorHooks.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::tensor {

/// What is known about a tensor that a forward saved without keeping it.
struct SavedTensorTraits {
    std::vector<std::int64_t> sizes;
    c10::ScalarType dtype = c10::ScalarType::Undefined;
    c10::Device device = c10::kCPU;
    std::int64_t version = 0; ///< counts in-place changes; shows whether a weight is unchanged

    bool operator==(const SavedTensorTraits&) const = default;
};

SavedTensorTraits traitsOf(const at::Tensor& tensor);

/// The position of a tensor among those that a checkpointed region saved.
struct SavedPosition {
    SavedTensorTraits traits;
    bool isNeeded = true; ///< by a node that has not run its backward yet
};

/// When a repetition ends: as soon as every needed tensor is rebuilt, or when the region ends.
enum class EarlyStop { Off, On };

/// One repetition of a checkpointed region: takes the tensors that it saves, in order, and compares each with the one
/// that the forward saved at that position.
class Recomputation final : public SavedTensorHookSource {
public:
    /// `where` and `positions` are borrowed.
    Recomputation(
        const std::string& where, const std::vector<SavedPosition>& positions, EarlyStop earlyStop = EarlyStop::On);

    /// Throws TrialError if the region does not save the same tensors as before; errors of `region` pass through.
    void run(const std::function<void()>& region);

    /// The rebuilt tensors, by position; undefined where none is needed. Valid after `run`.
    std::vector<at::Tensor> takeTensors() { return std::move(m_tensors); }

    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override;

private:
    class RebuiltHooks;

    /// Ends the repetition if it stops early and this is the last tensor needed.
    void accept(const at::Tensor& tensor);
    void compare(const SavedTensorTraits& found) const;
    [[noreturn]] void refuse(const std::string& what) const;

    const std::string& m_where;
    const std::vector<SavedPosition>& m_positions;
    EarlyStop m_earlyStop;
    std::vector<at::Tensor> m_tensors;
    std::size_t m_end = 0; ///< one past the last position that is needed
    std::size_t m_next = 0;
};

/// Whether this thread is repeating a checkpointed region.
bool isRecomputing();

} // namespace headroom::tensor
