// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/CublasWorkspaces.h"

#include "core/base/Bytes.h"
#include "core/memory/MemoryScopes.h"
#include "core/tensor/Torch.h"
#include "profiling/collectors/simulated/HeldBytes.h"
#include "profiling/kernels/OpArguments.h"

#include <algorithm>
#include <list>
#include <string_view>
#include <vector>

namespace headroom::collectors {
namespace {

// One dimension is contiguous, and the lines along it do not overlap.
bool hasDenseLines(const at::Tensor& factor)
{
    const std::int64_t rows = factor.size(-2), columns = factor.size(-1);
    const bool areRows = factor.stride(-1) == 1 && factor.stride(-2) >= std::max<std::int64_t>(1, columns);
    const bool areColumns = factor.stride(-2) == 1 && factor.stride(-1) >= std::max<std::int64_t>(1, rows);
    return areRows || areColumns;
}

bool isReadInPlace(const at::Tensor& factor)
{
    if (hasDenseLines(factor))
        return true;
    if (factor.dim() == 2)
        return factor.is_non_overlapping_and_dense();
    return factor.is_contiguous() && factor.stride(1) != 0 && factor.stride(2) != 0;
}

// What CUDA's matrix products allocate for factors that cuBLAS cannot read in place, in this order: a dense copy of
// each factor of which neither rows nor columns are contiguous (aten/src/ATen/native/cuda/Blas.cpp,
// prepare_matrix_for_cublas and prepare_batch_matrix_for_cublas). `name`: mm, addmm, bmm or baddbmm.
std::vector<Bytes> productCopies(std::string_view name, at::ArrayRef<c10::IValue> arguments)
{
    const std::size_t left = name == "addmm" || name == "baddbmm" ? 1 : 0;
    std::vector<Bytes> copies;
    // A row-major result is computed as the product of the transposed factors, the right one first.
    for (const std::size_t place : {left + 1, left}) {
        const at::Tensor& factor = arguments[place].toTensor();
        if (factor.numel() > 0 && !isReadInPlace(factor))
            copies.push_back(static_cast<Bytes>(factor.nbytes()));
    }
    return copies;
}

Bytes workspaceBytes(const simulator::SimulatedDevice& device)
{
    return device.device.compute ? device.runtime.cublasWorkspaceBytes(device.device.compute->capability.value) : 0;
}

Bytes ltBytes(const simulator::SimulatedDevice& device)
{
    return device.device.compute && device.runtime.cublasLtBytes ? device.runtime.cublasLtBytes->value : 0;
}

// aten/src/ATen/native/cuda/Blas.cpp: addmm goes to cublasLt when its first argument is a vector along the columns of
// a product whose factors are not single rows or columns.
bool usesLt(const std::string& name, at::ArrayRef<c10::IValue> arguments)
{
    if (name != "addmm" || !arguments[0].toTensor().is_contiguous() || arguments[0].toTensor().dim() != 1)
        return false;
    const at::Tensor& right = arguments[2].toTensor();
    return arguments[0].toTensor().size(0) == right.size(1) && right.size(0) > 1 && right.size(1) > 1;
}

} // namespace

CublasWorkspaces::CublasWorkspaces(const simulator::SimulatedDevice& device, std::shared_ptr<AccountedMemory> memory)
    : m_memory(std::move(memory))
    , m_workspaceBytes(workspaceBytes(device))
    , m_ltBytes(ltBytes(device))
    , m_keepsLt(device.runtime.cublasLt.value == simulator::CublasLtWorkspace::Kept)
    , m_hasCublas(device.device.compute.has_value())
{
}

CublasWorkspaces::~CublasWorkspaces()
{
    for (const auto* kept : {&m_workspaces, &m_ltWorkspaces})
        for (const auto& [thread, handle] : *kept)
            m_memory->release(handle);
}

bool CublasWorkspaces::isProduct(const c10::OperatorHandle& op)
{
    const auto it = m_products.find(&op.schema());
    if (it != m_products.end())
        return it->second;
    const std::string name = baseName(op.schema());
    const bool product = name == "mm" || name == "addmm" || name == "bmm" || name == "baddbmm";
    return m_products.emplace(&op.schema(), product).first->second;
}

void CublasWorkspaces::before(const tensor::OpCall& call)
{
    m_isProduct = m_hasCublas && isProduct(call.op);
    if (!m_isProduct)
        return;
    const std::string name = baseName(call.op.schema());
    m_usesLt = m_ltBytes > 0 && usesLt(name, argumentsOf(call));
    m_copies = productCopies(name, argumentsOf(call));
}

// The kernel requests copies and workspaces after the result is allocated.
void CublasWorkspaces::after(const tensor::OpCall&)
{
    if (m_isProduct)
        run();
}

void CublasWorkspaces::run()
{
    std::list<HeldBytes> copies;
    for (const Bytes bytes : m_copies)
        copies.emplace_back(m_memory, bytes);
    takeWorkspace();
    if (m_usesLt)
        useLtWorkspace();
}

void CublasWorkspaces::takeWorkspace()
{
    if (m_workspaceBytes == 0 || m_workspaces.contains(m_thread))
        return;
    const tensor::MemoryScope scope(config::MemoryCategory::Workspaces);
    m_workspaces[m_thread] = m_memory->allocate(m_workspaceBytes);
}

void CublasWorkspaces::releaseRecomputedLt()
{
    if (const auto kept = m_ltWorkspaces.extract(OpThread::Backward))
        m_memory->release(kept.mapped());
}

void CublasWorkspaces::useLtWorkspace()
{
    m_recomputedLtProducts += m_thread == OpThread::Backward ? 1 : 0;
    const tensor::MemoryScope scope(config::MemoryCategory::Workspaces);
    if (!m_keepsLt)
        m_memory->release(m_memory->allocate(m_ltBytes));
    else if (!m_ltWorkspaces.contains(m_thread))
        m_ltWorkspaces[m_thread] = m_memory->allocate(m_ltBytes);
}

} // namespace headroom::collectors
