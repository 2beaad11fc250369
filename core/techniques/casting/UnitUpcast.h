// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/casting/CastPrefetch.h"
#include "core/tensor/ModuleHooks.h"

#include <unordered_map>

namespace headroom::techniques {

/// The hook of a unit's root and of its modules: upcasts the unit around its root, and one module by itself where that
/// runs without the root (a repetition for the backward pass).
class UnitUpcast final : public tensor::ModuleHook {
public:
    /// Borrowed; `prefetch` may be null.
    UnitUpcast(const CastUnit& unit, Upcaster& upcaster, CastPrefetch* prefetch);
    ~UnitUpcast() override;

    void before(const torch::nn::Module& module) override;
    void after(const torch::nn::Module& module) noexcept override;

    /// The root, and the modules that have tensors of the unit.
    std::vector<const torch::nn::Module*> modules() const;

private:
    class Opening;

    std::unique_ptr<Opening> open(const std::vector<at::Tensor>& tensors);
    UpcastScratch::Lease copiesOf(const std::vector<at::Tensor>& tensors, bool isWhole);

    Upcaster& m_upcaster;
    CastPrefetch* m_prefetch;
    const torch::nn::Module* m_root;
    std::vector<at::Tensor> m_tensors; ///< of all modules
    std::unordered_map<const torch::nn::Module*, std::vector<at::Tensor>> m_own;
    std::vector<std::unique_ptr<Opening>> m_openings; ///< null: everything was upcast already
};

} // namespace headroom::techniques
