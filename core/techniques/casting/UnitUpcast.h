// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/casting/Upcaster.h"
#include "core/tensor/ModuleHooks.h"
#include "core/tensor/SideStream.h"

#include <optional>
#include <unordered_map>

namespace headroom::techniques {

/// Makes the next unit's copies on a side stream while one runs. The order of the units is that of the first forward;
/// one that runs out of order stops the prefetching until the next forward. Repetitions for a backward pass run in
/// another order: they are left alone.
class CastPrefetch {
public:
    /// Names a unit by its tensors; borrowed.
    using Unit = const std::vector<at::Tensor>*;

    CastPrefetch(Upcaster& upcaster, c10::Device device, std::shared_ptr<CastCount> count);

    void forwardBegins();
    void forwardEnds() noexcept;

    /// The unit's copies, where they have been made; the computation waits for them.
    std::optional<UpcastScratch::Lease> take(Unit unit);
    /// The unit has its copies: on to the next one.
    void opened(Unit unit);

private:
    struct Ahead {
        Unit unit;
        UpcastScratch::Lease lease;
    };
    bool isActive() const;
    void start(Unit unit);
    void drop() noexcept;

    Upcaster& m_upcaster;
    std::shared_ptr<CastCount> m_count;
    std::vector<Unit> m_order;
    bool m_isLearned = false;
    bool m_isRunning = false;
    std::size_t m_next = 0; ///< in the order
    std::optional<Ahead> m_ahead;
    tensor::SideStream m_stream; ///< last: its work refers to the others
};

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
