// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/KeptResults.h"
#include "core/recompute/OpSelection.h"
#include "core/tensor/OpInterceptor.h"
#include "core/tensor/SavedTensorHooks.h"

namespace headroom::tensor {

/// Watches the forward of a checkpointed region and keeps the results that a selection chooses.
///
/// Results that the region itself changes in place are not kept: its repetition must start from what was there before.
/// Inside another checkpoint nothing is kept: the outer one decides for everything that runs in it.
class ResultRecorder final : public OpObserver {
public:
    /// Constructed where the region begins, on the thread that runs it: results are kept through the hooks that are
    /// current then. `region` is the source of the region's own hooks. All are borrowed.
    ResultRecorder(OpSelection& selection, KeptResults& results, const SavedTensorHookSource& region);

    void before(const OpCall& call) override;
    void after(const OpCall& call) override;

private:
    /// Shares the counter of a kept result, of which autograd does not know that it is a view.
    struct Alias {
        c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor;
        c10::VariableVersion own; ///< its counter until then
    };
    struct KeptCall {
        KeptResults::Call call;
        c10::OperatorHandle op;
        std::vector<Alias> aliases{};
    };

    void keep(const OpCall& call, at::ArrayRef<c10::IValue> results);
    void dropWritten(const OpCall& call);
    void drop(const KeptCall& dropped);
    void followAliases(at::ArrayRef<c10::IValue> results);

    OpSelection& m_selection;
    KeptResults& m_results;
    const SavedTensorHookSource& m_region;
    SavedTensorHookSource* m_outside;
    std::string_view m_technique;
    OpSelection::Choice m_choice = OpSelection::Choice::Untracked;
    std::unordered_map<const c10::StorageImpl*, KeptCall> m_storages; ///< storages that hold kept results
};

} // namespace headroom::tensor
