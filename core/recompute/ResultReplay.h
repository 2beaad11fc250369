// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/KeptResults.h"
#include "core/recompute/OpSelection.h"
#include "core/tensor/OpInterceptor.h"

namespace headroom::tensor {

/// Hands out what a region's forward kept, in the place of ops of its repetition.
class ResultReplay final : public OpTransformer {
public:
    /// All are borrowed; `where` names the region in messages.
    ResultReplay(OpSelection& selection, KeptResults& results, KeptResults::Use use, const std::string& where);

    bool transform(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;

    /// While it lives, this thread's ops go through the replay.
    class Scope {
    public:
        explicit Scope(ResultReplay& replay);

    private:
        OpInterceptor m_interceptor;
        OpInterceptor::Scope m_scope;
    };

private:
    std::optional<std::vector<c10::IValue>> valuesOf(KeptResults::Op op);

    OpSelection& m_selection;
    KeptResults& m_results;
    KeptResults::Use m_use;
    const std::string& m_where;
    std::unordered_map<KeptResults::Op, std::size_t> m_calls; ///< so far
};

} // namespace headroom::tensor
