// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <string>
#include <vector>

namespace headroom::tensor {

/// The results of one call of an op, kept until the call is repeated.
///
/// Tensors are kept as autograd keeps what it saves, through the hooks that are current at construction: an outer
/// checkpoint rebuilds them, and a counter of saved tensors sees them. Anything else is kept as it is.
class KeptResult {
public:
    explicit KeptResult(at::ArrayRef<c10::IValue> results);

    /// The results as the op returned them: new detached tensors over the kept storages.
    /// Throws TrialError at `where` if one was changed in place since; `call` names the call.
    std::vector<c10::IValue> values(const std::string& where, const std::string& call) const;

    /// The storage of each kept tensor.
    std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> storages() const;

    /// Counts in-place changes of the kept tensor in that storage.
    const c10::VariableVersion& counterOf(const c10::StorageImpl* storage) const;

private:
    struct KeptTensor {
        std::size_t position; ///< among the results
        torch::autograd::SavedVariable saved;
        c10::weak_intrusive_ptr<c10::StorageImpl> storage;
        c10::VariableVersion counter; ///< keeps no storage alive
        std::uint32_t version;
    };

    std::vector<c10::IValue> m_values; ///< the results that are not tensors
    std::vector<KeptTensor> m_tensors;
};

} // namespace headroom::tensor
