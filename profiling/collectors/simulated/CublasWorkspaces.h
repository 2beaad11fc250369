// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"
#include "profiling/collectors/AccountedMemory.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <cstdint>
#include <map>
#include <unordered_map>

namespace headroom::collectors {

/// The LibTorch thread on which an op runs: autograd has its own thread for CUDA.
enum class OpThread { Forward, Backward };

/// The workspaces that cuBLAS takes from the caching allocator on a simulated device, and the copies of factors that it
/// cannot read in place (productCopies).
///
/// Each thread's handle takes a workspace at its first matrix product and keeps it. Where cublasLt has a separate
/// workspace (runtime profile), a product with a bias takes and returns one at each call, as every product does with
/// its copies; or each thread's first one takes it, and it is kept.
class CublasWorkspaces final : public tensor::OpObserver {
public:
    CublasWorkspaces(const simulator::SimulatedDevice& device, std::shared_ptr<AccountedMemory> memory);
    ~CublasWorkspaces() override;

    void setThread(OpThread thread) { m_thread = thread; }

    /// Products with a bias that autograd's thread has carried out: it computes none but those that are recomputed.
    std::int64_t recomputedLtProducts() const { return m_recomputedLtProducts; }
    /// What such a product has left with autograd's thread, its workspace.
    Bytes recomputedLtBytes() const { return m_ltWorkspaces.contains(OpThread::Backward) ? m_ltBytes : 0; }
    /// Gives it back, as if there had been no such product yet.
    void releaseRecomputedLt();

    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall& call) override;

private:
    bool isProduct(const c10::OperatorHandle& op);
    void run();
    void takeWorkspace();
    void useLtWorkspace();

    std::shared_ptr<AccountedMemory> m_memory;
    Bytes m_workspaceBytes;
    Bytes m_ltBytes;
    bool m_keepsLt;
    bool m_hasCublas;
    OpThread m_thread = OpThread::Forward;
    std::map<OpThread, tensor::MemoryBackend::Handle> m_workspaces;
    std::map<OpThread, tensor::MemoryBackend::Handle> m_ltWorkspaces; ///< that are kept
    std::unordered_map<const c10::FunctionSchema*, bool> m_products;
    bool m_isProduct = false;
    bool m_usesLt = false;
    std::int64_t m_recomputedLtProducts = 0;
    std::vector<Bytes> m_copies; ///< of the product that is running now
};

} // namespace headroom::collectors
