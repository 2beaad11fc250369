// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/blas/Cublas.h"

#include <cuda_runtime_api.h>

namespace headroom::rehearsal::blas {
namespace {

struct Types {
    int a;
    int b;
    int c;
    int compute;
};

constexpr Types same(int type, int compute)
{
    return {type, type, type, compute};
}

bool isShape(long long m, long long n, long long k, long long batch)
{
    return m >= 0 && n >= 0 && k >= 0 && batch >= 0;
}

// A product of nothing is allowed and launches nothing.
int product(void* handle, const char* operation, int transposeA, int transposeB, long long m, long long n, long long k,
    long long batch, const Types& types)
{
    const Handle* own = handleOf(handle);
    if (own == nullptr)
        return NotInitialised;
    if (!isShape(m, n, k, batch) || !isOperation(transposeA) || !isOperation(transposeB))
        return InvalidValue;
    if (m == 0 || n == 0 || batch == 0)
        return Success;
    const Product shape{.m = m,
        .n = n,
        .k = k,
        .batch = batch,
        .typeA = types.a,
        .typeB = types.b,
        .typeC = types.c,
        .computeType = types.compute,
        .transposedA = isTransposed(transposeA),
        .transposedB = isTransposed(transposeB)};
    return launchStatus(launchProduct(operation, shape, own->stream));
}

template <typename Count>
int groupedProduct(void* handle, const int* transposesA, const int* transposesB, const Count* m, const Count* n,
    const Count* k, Count groups, const Count* groupSizes, const Types& types)
{
    if (groups < 0 || (groups > 0 && (m == nullptr || n == nullptr || k == nullptr || groupSizes == nullptr)))
        return InvalidValue;
    for (Count group = 0; group < groups; ++group)
        if (const int status = product(handle, "grouped_gemm", transposesA[group], transposesB[group], m[group],
                n[group], k[group], groupSizes[group], types);
            status != Success)
            return status;
    return Success;
}

constexpr int kLeft = 0; // cublasSideMode_t

// What a call with a triangular, symmetric or hermitian matrix of m or n rows multiplies.
int sided(void* handle, const char* operation, int side, int transpose, long long m, long long n, long long batch,
    const Types& types)
{
    return product(handle, operation, transpose, 0, m, n, side == kLeft ? m : n, batch, types);
}

} // namespace
} // namespace headroom::rehearsal::blas

using namespace headroom::rehearsal::blas;

// The three forms of a product of one type, each for counts of 32 and of 64 bits.
#define HEADROOM_GEMM(NAME, COUNT, TYPES)                                                                              \
    HEADROOM_CARD_API int NAME(void* handle, int transposeA, int transposeB, COUNT m, COUNT n, COUNT k, const void*,   \
        const void*, COUNT, const void*, COUNT, const void*, void*, COUNT)                                             \
    {                                                                                                                  \
        return product(handle, "gemm", transposeA, transposeB, m, n, k, 1, TYPES);                                     \
    }
#define HEADROOM_GEMM_BATCHED(NAME, COUNT, TYPES)                                                                      \
    HEADROOM_CARD_API int NAME(void* handle, int transposeA, int transposeB, COUNT m, COUNT n, COUNT k, const void*,   \
        const void* const*, COUNT, const void* const*, COUNT, const void*, void* const*, COUNT, COUNT batch)           \
    {                                                                                                                  \
        return product(handle, "gemm", transposeA, transposeB, m, n, k, batch, TYPES);                                 \
    }
#define HEADROOM_GEMM_STRIDED(NAME, COUNT, TYPES)                                                                      \
    HEADROOM_CARD_API int NAME(void* handle, int transposeA, int transposeB, COUNT m, COUNT n, COUNT k, const void*,   \
        const void*, COUNT, long long, const void*, COUNT, long long, const void*, void*, COUNT, long long,            \
        COUNT batch)                                                                                                   \
    {                                                                                                                  \
        return product(handle, "gemm", transposeA, transposeB, m, n, k, batch, TYPES);                                 \
    }
#define HEADROOM_BOTH(FORM, NAME, TYPES)                                                                               \
    FORM(NAME, int, TYPES)                                                                                             \
    FORM(NAME##_64, std::int64_t, TYPES)

HEADROOM_BOTH(HEADROOM_GEMM, cublasSgemm_v2, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM, cublasDgemm_v2, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMM, cublasCgemm_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM, cublasZgemm_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMM, cublasHgemm, same(F16, Compute16F))
HEADROOM_BOTH(HEADROOM_GEMM, cublasCgemm3m, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM, cublasZgemm3m, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMM_BATCHED, cublasSgemmBatched, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM_BATCHED, cublasDgemmBatched, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMM_BATCHED, cublasCgemmBatched, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM_BATCHED, cublasZgemmBatched, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMM_BATCHED, cublasHgemmBatched, same(F16, Compute16F))
HEADROOM_BOTH(HEADROOM_GEMM_BATCHED, cublasCgemm3mBatched, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM_STRIDED, cublasSgemmStridedBatched, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM_STRIDED, cublasDgemmStridedBatched, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMM_STRIDED, cublasCgemmStridedBatched, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM_STRIDED, cublasZgemmStridedBatched, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMM_STRIDED, cublasHgemmStridedBatched, same(F16, Compute16F))
HEADROOM_BOTH(HEADROOM_GEMM_STRIDED, cublasCgemm3mStridedBatched, same(C64, Compute32F))

// Products whose types are arguments.
#define HEADROOM_GEMM_TYPED(NAME, COUNT, COMPUTE)                                                                      \
    HEADROOM_CARD_API int NAME(void* handle, int transposeA, int transposeB, COUNT m, COUNT n, COUNT k, const void*,   \
        const void*, int typeA, COUNT, const void*, int typeB, COUNT, const void*, void*, int typeC, COUNT)            \
    {                                                                                                                  \
        return product(handle, "gemm", transposeA, transposeB, m, n, k, 1, {typeA, typeB, typeC, COMPUTE});            \
    }
HEADROOM_BOTH(HEADROOM_GEMM_TYPED, cublasSgemmEx, Compute32F)
HEADROOM_BOTH(HEADROOM_GEMM_TYPED, cublasCgemmEx, Compute32F)
HEADROOM_BOTH(HEADROOM_GEMM_TYPED, cublasCgemm3mEx, Compute32F)

#define HEADROOM_GEMM_EX(NAME, COUNT, UNUSED)                                                                          \
    HEADROOM_CARD_API int NAME(void* handle, int transposeA, int transposeB, COUNT m, COUNT n, COUNT k, const void*,   \
        const void*, int typeA, COUNT, const void*, int typeB, COUNT, const void*, void*, int typeC, COUNT,            \
        int compute, int)                                                                                              \
    {                                                                                                                  \
        return product(handle, "gemm", transposeA, transposeB, m, n, k, 1, {typeA, typeB, typeC, compute});            \
    }
#define HEADROOM_GEMM_BATCHED_EX(NAME, COUNT, UNUSED)                                                                  \
    HEADROOM_CARD_API int NAME(void* handle, int transposeA, int transposeB, COUNT m, COUNT n, COUNT k, const void*,   \
        const void* const*, int typeA, COUNT, const void* const*, int typeB, COUNT, const void*, void* const*,         \
        int typeC, COUNT, COUNT batch, int compute, int)                                                               \
    {                                                                                                                  \
        return product(handle, "gemm", transposeA, transposeB, m, n, k, batch, {typeA, typeB, typeC, compute});        \
    }
#define HEADROOM_GEMM_STRIDED_EX(NAME, COUNT, UNUSED)                                                                  \
    HEADROOM_CARD_API int NAME(void* handle, int transposeA, int transposeB, COUNT m, COUNT n, COUNT k, const void*,   \
        const void*, int typeA, COUNT, long long, const void*, int typeB, COUNT, long long, const void*, void*,        \
        int typeC, COUNT, long long, COUNT batch, int compute, int)                                                    \
    {                                                                                                                  \
        return product(handle, "gemm", transposeA, transposeB, m, n, k, batch, {typeA, typeB, typeC, compute});        \
    }
HEADROOM_BOTH(HEADROOM_GEMM_EX, cublasGemmEx, )
HEADROOM_BOTH(HEADROOM_GEMM_BATCHED_EX, cublasGemmBatchedEx, )
HEADROOM_BOTH(HEADROOM_GEMM_STRIDED_EX, cublasGemmStridedBatchedEx, )

#define HEADROOM_GEMM_GROUPED(NAME, COUNT, TYPES)                                                                      \
    HEADROOM_CARD_API int NAME(void* handle, const int* transposesA, const int* transposesB, const COUNT* m,           \
        const COUNT* n, const COUNT* k, const void*, const void* const*, const COUNT*, const void* const*,             \
        const COUNT*, const void*, void* const*, const COUNT*, COUNT groups, const COUNT* sizes)                       \
    {                                                                                                                  \
        return groupedProduct<COUNT>(handle, transposesA, transposesB, m, n, k, groups, sizes, TYPES);                 \
    }
#define HEADROOM_GEMM_GROUPED_EX(NAME, COUNT, UNUSED)                                                                  \
    HEADROOM_CARD_API int NAME(void* handle, const int* transposesA, const int* transposesB, const COUNT* m,           \
        const COUNT* n, const COUNT* k, const void*, const void* const*, int typeA, const COUNT*, const void* const*,  \
        int typeB, const COUNT*, const void*, void* const*, int typeC, const COUNT*, COUNT groups, const COUNT* sizes, \
        int compute)                                                                                                   \
    {                                                                                                                  \
        return groupedProduct<COUNT>(                                                                                  \
            handle, transposesA, transposesB, m, n, k, groups, sizes, {typeA, typeB, typeC, compute});                 \
    }
HEADROOM_BOTH(HEADROOM_GEMM_GROUPED, cublasSgemmGroupedBatched, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMM_GROUPED, cublasDgemmGroupedBatched, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMM_GROUPED_EX, cublasGemmGroupedBatchedEx, )

// A matrix and a vector: a product with one column, of a depth that the transposition decides.
#define HEADROOM_GEMV(NAME, COUNT, TYPES)                                                                              \
    HEADROOM_CARD_API int NAME(void* handle, int transpose, COUNT m, COUNT n, const void*, const void*, COUNT,         \
        const void*, COUNT, const void*, void*, COUNT)                                                                 \
    {                                                                                                                  \
        return product(handle, "gemv", transpose, 0, transpose == 0 ? m : n, 1, transpose == 0 ? n : m, 1, TYPES);     \
    }
#define HEADROOM_GEMV_BATCHED(NAME, COUNT, TYPES)                                                                      \
    HEADROOM_CARD_API int NAME(void* handle, int transpose, COUNT m, COUNT n, const void*, const void* const*, COUNT,  \
        const void* const*, COUNT, const void*, void* const*, COUNT, COUNT batch)                                      \
    {                                                                                                                  \
        return product(handle, "gemv", transpose, 0, transpose == 0 ? m : n, 1, transpose == 0 ? n : m, batch, TYPES); \
    }
#define HEADROOM_GEMV_STRIDED(NAME, COUNT, TYPES)                                                                      \
    HEADROOM_CARD_API int NAME(void* handle, int transpose, COUNT m, COUNT n, const void*, const void*, COUNT,         \
        long long, const void*, COUNT, long long, const void*, void*, COUNT, long long, COUNT batch)                   \
    {                                                                                                                  \
        return product(handle, "gemv", transpose, 0, transpose == 0 ? m : n, 1, transpose == 0 ? n : m, batch, TYPES); \
    }
HEADROOM_BOTH(HEADROOM_GEMV, cublasSgemv_v2, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV, cublasDgemv_v2, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMV, cublasCgemv_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV, cublasZgemv_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMV_BATCHED, cublasSgemvBatched, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV_BATCHED, cublasDgemvBatched, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMV_BATCHED, cublasCgemvBatched, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV_BATCHED, cublasZgemvBatched, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMV_BATCHED, cublasHSHgemvBatched, same(F16, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV_BATCHED, cublasHSSgemvBatched, (Types{F16, F16, F32, Compute32F}))
HEADROOM_BOTH(HEADROOM_GEMV_BATCHED, cublasTSTgemvBatched, same(BF16, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV_BATCHED, cublasTSSgemvBatched, (Types{BF16, BF16, F32, Compute32F}))
HEADROOM_BOTH(HEADROOM_GEMV_STRIDED, cublasSgemvStridedBatched, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV_STRIDED, cublasDgemvStridedBatched, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMV_STRIDED, cublasCgemvStridedBatched, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV_STRIDED, cublasZgemvStridedBatched, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_GEMV_STRIDED, cublasHSHgemvStridedBatched, same(F16, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV_STRIDED, cublasHSSgemvStridedBatched, (Types{F16, F16, F32, Compute32F}))
HEADROOM_BOTH(HEADROOM_GEMV_STRIDED, cublasTSTgemvStridedBatched, same(BF16, Compute32F))
HEADROOM_BOTH(HEADROOM_GEMV_STRIDED, cublasTSSgemvStridedBatched, (Types{BF16, BF16, F32, Compute32F}))

// Triangular systems and products, symmetric and hermitian products, updates of rank k.
#define HEADROOM_TRSM(NAME, COUNT, TYPES)                                                                              \
    HEADROOM_CARD_API int NAME(void* handle, int side, int, int transpose, int, COUNT m, COUNT n, const void*,         \
        const void*, COUNT, void*, COUNT)                                                                              \
    {                                                                                                                  \
        return sided(handle, "trsm", side, transpose, m, n, 1, TYPES);                                                 \
    }
#define HEADROOM_TRSM_BATCHED(NAME, COUNT, TYPES)                                                                      \
    HEADROOM_CARD_API int NAME(void* handle, int side, int, int transpose, int, COUNT m, COUNT n, const void*,         \
        const void* const*, COUNT, void* const*, COUNT, COUNT batch)                                                   \
    {                                                                                                                  \
        return sided(handle, "trsm", side, transpose, m, n, batch, TYPES);                                             \
    }
#define HEADROOM_TRMM(NAME, COUNT, TYPES)                                                                              \
    HEADROOM_CARD_API int NAME(void* handle, int side, int, int transpose, int, COUNT m, COUNT n, const void*,         \
        const void*, COUNT, const void*, COUNT, void*, COUNT)                                                          \
    {                                                                                                                  \
        return sided(handle, "trmm", side, transpose, m, n, 1, TYPES);                                                 \
    }
#define HEADROOM_SYMM(NAME, COUNT, TYPES)                                                                              \
    HEADROOM_CARD_API int NAME(void* handle, int side, int, COUNT m, COUNT n, const void*, const void*, COUNT,         \
        const void*, COUNT, const void*, void*, COUNT)                                                                 \
    {                                                                                                                  \
        return sided(handle, "symm", side, 0, m, n, 1, TYPES);                                                         \
    }
#define HEADROOM_SYRK(NAME, COUNT, TYPES)                                                                              \
    HEADROOM_CARD_API int NAME(void* handle, int, int transpose, COUNT n, COUNT k, const void*, const void*, COUNT,    \
        const void*, void*, COUNT)                                                                                     \
    {                                                                                                                  \
        return product(handle, "syrk", transpose, 1 - (transpose != 0), n, n, k, 1, TYPES);                            \
    }
#define HEADROOM_SYR2K(NAME, COUNT, TYPES)                                                                             \
    HEADROOM_CARD_API int NAME(void* handle, int, int transpose, COUNT n, COUNT k, const void*, const void*, COUNT,    \
        const void*, COUNT, const void*, void*, COUNT)                                                                 \
    {                                                                                                                  \
        return product(handle, "syr2k", transpose, 1 - (transpose != 0), n, n, k, 1, TYPES);                           \
    }
HEADROOM_BOTH(HEADROOM_TRSM, cublasStrsm_v2, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_TRSM, cublasDtrsm_v2, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_TRSM, cublasCtrsm_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_TRSM, cublasZtrsm_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_TRSM_BATCHED, cublasStrsmBatched, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_TRSM_BATCHED, cublasDtrsmBatched, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_TRSM_BATCHED, cublasCtrsmBatched, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_TRSM_BATCHED, cublasZtrsmBatched, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_TRMM, cublasStrmm_v2, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_TRMM, cublasDtrmm_v2, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_TRMM, cublasCtrmm_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_TRMM, cublasZtrmm_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_SYMM, cublasSsymm_v2, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_SYMM, cublasDsymm_v2, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_SYMM, cublasCsymm_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_SYMM, cublasZsymm_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_SYMM, cublasChemm_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_SYMM, cublasZhemm_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_SYRK, cublasSsyrk_v2, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_SYRK, cublasDsyrk_v2, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_SYRK, cublasCsyrk_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_SYRK, cublasZsyrk_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_SYRK, cublasCherk_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_SYRK, cublasZherk_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasSsyr2k_v2, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasDsyr2k_v2, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasCsyr2k_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasZsyr2k_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasCher2k_v2, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasZher2k_v2, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasSsyrkx, same(F32, Compute32F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasDsyrkx, same(F64, Compute64F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasCsyrkx, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasZsyrkx, same(C128, Compute64F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasCherkx, same(C64, Compute32F))
HEADROOM_BOTH(HEADROOM_SYR2K, cublasZherkx, same(C128, Compute64F))

namespace headroom::rehearsal::blas {
namespace {

struct Reports {
    int* host = nullptr; ///< one for the arguments of the call
    int* device = nullptr; ///< one for each matrix: no kernel finds it singular
};

int factorised(
    void* handle, const char* operation, long long m, long long n, long long batch, int type, const Reports& reports)
{
    const int compute = type == F64 || type == C128 ? Compute64F : Compute32F;
    const int status = product(handle, operation, 0, 0, m, n, m < n ? m : n, batch, {type, type, type, compute});
    if (reports.host != nullptr)
        *reports.host = status == Success ? 0 : -1;
    if (status == Success && reports.device != nullptr && batch > 0)
        cudaMemsetAsync(reports.device, 0, static_cast<std::size_t>(batch) * sizeof(int), handleOf(handle)->stream);
    return status;
}

} // namespace
} // namespace headroom::rehearsal::blas

#define HEADROOM_BATCHED_SOLVERS(LETTER, TYPE)                                                                         \
    HEADROOM_CARD_API int cublas##LETTER##getrfBatched(                                                                \
        void* handle, int n, void* const*, int, int*, int* info, int batch)                                            \
    {                                                                                                                  \
        return factorised(handle, "getrf", n, n, batch, TYPE, {.device = info});                                       \
    }                                                                                                                  \
    HEADROOM_CARD_API int cublas##LETTER##getriBatched(                                                                \
        void* handle, int n, const void* const*, int, const int*, void* const*, int, int* info, int batch)             \
    {                                                                                                                  \
        return factorised(handle, "getri", n, n, batch, TYPE, {.device = info});                                       \
    }                                                                                                                  \
    HEADROOM_CARD_API int cublas##LETTER##matinvBatched(                                                               \
        void* handle, int n, const void* const*, int, void* const*, int, int* info, int batch)                         \
    {                                                                                                                  \
        return factorised(handle, "matinv", n, n, batch, TYPE, {.device = info});                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cublas##LETTER##getrsBatched(void* handle, int, int n, int columns, const void* const*, int, \
        const int*, void* const*, int, int* info, int batch)                                                           \
    {                                                                                                                  \
        return factorised(handle, "getrs", n, columns, batch, TYPE, {.host = info});                                   \
    }                                                                                                                  \
    HEADROOM_CARD_API int cublas##LETTER##geqrfBatched(                                                                \
        void* handle, int m, int n, void* const*, int, void* const*, int* info, int batch)                             \
    {                                                                                                                  \
        return factorised(handle, "geqrf", m, n, batch, TYPE, {.host = info});                                         \
    }                                                                                                                  \
    HEADROOM_CARD_API int cublas##LETTER##gelsBatched(                                                                 \
        void* handle, int, int m, int n, int, void* const*, int, void* const*, int, int* info, int* infos, int batch)  \
    {                                                                                                                  \
        return factorised(handle, "gels", m, n, batch, TYPE, {.host = info, .device = infos});                         \
    }
HEADROOM_BATCHED_SOLVERS(S, F32)
HEADROOM_BATCHED_SOLVERS(D, F64)
HEADROOM_BATCHED_SOLVERS(C, C64)
HEADROOM_BATCHED_SOLVERS(Z, C128)
