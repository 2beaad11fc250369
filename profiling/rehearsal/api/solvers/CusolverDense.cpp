// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/solvers/Cusolver.h"

#include <cstdint>
#include <cstring>

// The dense factorisations, with arguments of one type (the letter in their names) and with 64-bit counts and types as
// arguments. Pointers that are only passed through have no names.

using namespace headroom::rehearsal::solver;

namespace headroom::rehearsal::solver {
namespace {

WorkSize times(WorkSize size, double count)
{
    return {size.counted * count, size.most * count};
}

} // namespace
} // namespace headroom::rehearsal::solver

#define HEADROOM_DENSE(L, BYTES)                                                                                       \
    HEADROOM_CARD_API int cusolverDn##L##geqrf_bufferSize(void* handle, int m, int n, void*, int, int* work)           \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L "geqrf", geqrf(m, n), BYTES, work);                              \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##geqrf(void* handle, int, int, void*, int, void*, void*, int, int* info)       \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "geqrf", info, 1);                                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##getrf_bufferSize(void* handle, int m, int n, void*, int, int* work)           \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L "getrf", getrf(m, n), BYTES, work);                              \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##getrf(void* handle, int, int, void*, int, void*, int*, int* info)             \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "getrf", info, 1);                                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##getrs(                                                                        \
        void* handle, int, int, int, const void*, int, const int*, void*, int, int* info)                              \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "getrs", info, 1);                                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##potrf_bufferSize(void* handle, int, int n, void*, int, int* work)             \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L "potrf", potrf(n), BYTES, work);                                 \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##potrf(void* handle, int, int, void*, int, void*, int, int* info)              \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "potrf", info, 1);                                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##potri_bufferSize(void* handle, int, int n, void*, int, int* work)             \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L "potri", potrf(n), BYTES, work);                                 \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##potri(void* handle, int, int, void*, int, void*, int, int* info)              \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "potri", info, 1);                                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##potrs(void* handle, int, int, int, const void*, int, void*, int, int* info)   \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "potrs", info, 1);                                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##potrfBatched(void* handle, int, int, void* const*, int, int* info, int batch) \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "potrfBatched", info, batch);                                           \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##potrsBatched(                                                                 \
        void* handle, int, int, int, void* const*, int, void* const*, int, int* info, int)                             \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "potrsBatched", info, 1);                                               \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##sytrf_bufferSize(void* handle, int n, void*, int, int* work)                  \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L "sytrf", sytrf(n), BYTES, work);                                 \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##sytrf(void* handle, int, int, void*, int, int*, void*, int, int* info)        \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "sytrf", info, 1);                                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##gesvd_bufferSize(void* handle, int m, int n, int* work)                       \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L "gesvd", gesvd(m, n), BYTES, work);                              \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##gesvd(void* handle, signed char, signed char, int, int, void*, int, void*,    \
        void*, int, void*, int, void*, int, void*, int* info)                                                          \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "gesvd", info, 1);                                                      \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##gesvdj_bufferSize(void* handle, int, int, int m, int n, const void*, int,     \
        const void*, const void*, int, const void*, int, int* work, void*)                                             \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L "gesvdj", gesvdj(m, n), BYTES, work);                            \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##gesvdj(                                                                       \
        void* handle, int, int, int, int, void*, int, void*, void*, int, void*, int, void*, int, int* info, void*)     \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "gesvdj", info, 1);                                                     \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##gesvdjBatched_bufferSize(void* handle, int, int m, int n, const void*, int,   \
        const void*, const void*, int, const void*, int, int* work, void*, int batch)                                  \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L "gesvdjBatched", times(gesvdj(m, n), batch), BYTES, work);       \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##gesvdjBatched(void* handle, int, int, int, void*, int, void*, void*, int,     \
        void*, int, void*, int, int* info, void*, int batch)                                                           \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L "gesvdjBatched", info, batch);                                          \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##gesvdaStridedBatched_bufferSize(void* handle, int, int, int m, int n,         \
        const void*, int, long long, const void*, long long, const void*, int, long long, const void*, int, long long, \
        int* work, int batch)                                                                                          \
    {                                                                                                                  \
        return answerElements(                                                                                         \
            handle, "cusolverDn" #L "gesvdaStridedBatched", times(gesvdj(m, n), batch), BYTES, work);                  \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##gesvdaStridedBatched(void* handle, int, int, int, int, const void*, int,      \
        long long, void*, long long, void*, int, long long, void*, int, long long, void*, int, int* info,              \
        double* residuals, int batch)                                                                                  \
    {                                                                                                                  \
        if (residuals != nullptr && batch > 0)                                                                         \
            std::memset(residuals, 0, static_cast<std::size_t>(batch) * sizeof(double));                               \
        return compute(handle, "cusolverDn" #L "gesvdaStridedBatched", info, batch);                                   \
    }

#define HEADROOM_DENSE_NAMED(L, BYTES, ORGQR, ORMQR, SYEV)                                                             \
    HEADROOM_CARD_API int cusolverDn##L##ORGQR##_bufferSize(                                                           \
        void* handle, int m, int n, int, const void*, int, const void*, int* work)                                     \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L#ORGQR, orgqr(m, n), BYTES, work);                                \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##ORGQR(                                                                        \
        void* handle, int, int, int, void*, int, const void*, void*, int, int* info)                                   \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L#ORGQR, info, 1);                                                        \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##ORMQR##_bufferSize(                                                           \
        void* handle, int, int, int m, int n, int, const void*, int, const void*, const void*, int, int* work)         \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L#ORMQR, ormqr(m, n), BYTES, work);                                \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##ORMQR(                                                                        \
        void* handle, int, int, int, int, int, const void*, int, const void*, void*, int, void*, int, int* info)       \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L#ORMQR, info, 1);                                                        \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##SYEV##d_bufferSize(                                                           \
        void* handle, int, int, int n, const void*, int, const void*, int* work)                                       \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L#SYEV "d", syevd(n), BYTES, work);                                \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##SYEV##d(                                                                      \
        void* handle, int, int, int, void*, int, void*, void*, int, int* info)                                         \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L#SYEV "d", info, 1);                                                     \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##SYEV##j_bufferSize(                                                           \
        void* handle, int, int, int n, const void*, int, const void*, int* work, void*)                                \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L#SYEV "j", syevj(n), BYTES, work);                                \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##SYEV##j(                                                                      \
        void* handle, int, int, int, void*, int, void*, void*, int, int* info, void*)                                  \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L#SYEV "j", info, 1);                                                     \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##SYEV##jBatched_bufferSize(                                                    \
        void* handle, int, int, int n, const void*, int, const void*, int* work, void*, int batch)                     \
    {                                                                                                                  \
        return answerElements(handle, "cusolverDn" #L#SYEV "jBatched", times(syevj(n), batch), BYTES, work);           \
    }                                                                                                                  \
    HEADROOM_CARD_API int cusolverDn##L##SYEV##jBatched(                                                               \
        void* handle, int, int, int, void*, int, void*, void*, int, int* info, void*, int batch)                       \
    {                                                                                                                  \
        return compute(handle, "cusolverDn" #L#SYEV "jBatched", info, batch);                                          \
    }

HEADROOM_DENSE(S, 4)
HEADROOM_DENSE(D, 8)
HEADROOM_DENSE(C, 8)
HEADROOM_DENSE(Z, 16)
HEADROOM_DENSE_NAMED(S, 4, orgqr, ormqr, syev)
HEADROOM_DENSE_NAMED(D, 8, orgqr, ormqr, syev)
HEADROOM_DENSE_NAMED(C, 8, ungqr, unmqr, heev)
HEADROOM_DENSE_NAMED(Z, 16, ungqr, unmqr, heev)

using Count = std::int64_t;

HEADROOM_CARD_API int cusolverDnXgeqrf_bufferSize(void* handle, void*, Count m, Count n, int type, const void*, Count,
    int, const void*, int, std::size_t* onDevice, std::size_t* onHost)
{
    return answerBytes(handle, "cusolverDnXgeqrf", geqrf(double(m), double(n)), type, onDevice, onHost);
}

HEADROOM_CARD_API int cusolverDnXgeqrf(void* handle, void*, Count, Count, int, void*, Count, int, void*, int, void*,
    std::size_t, void*, std::size_t, int* info)
{
    return compute(handle, "cusolverDnXgeqrf", info, 1);
}

HEADROOM_CARD_API int cusolverDnXgetrf_bufferSize(void* handle, void*, Count m, Count n, int type, const void*, Count,
    int, std::size_t* onDevice, std::size_t* onHost)
{
    return answerBytes(handle, "cusolverDnXgetrf", getrf(double(m), double(n)), type, onDevice, onHost);
}

HEADROOM_CARD_API int cusolverDnXgetrf(void* handle, void*, Count, Count, int, void*, Count, Count*, int, void*,
    std::size_t, void*, std::size_t, int* info)
{
    return compute(handle, "cusolverDnXgetrf", info, 1);
}

HEADROOM_CARD_API int cusolverDnXgetrs(
    void* handle, void*, int, Count, Count, int, const void*, Count, const Count*, int, void*, Count, int* info)
{
    return compute(handle, "cusolverDnXgetrs", info, 1);
}

HEADROOM_CARD_API int cusolverDnXpotrf_bufferSize(
    void* handle, void*, int, Count n, int type, const void*, Count, int, std::size_t* onDevice, std::size_t* onHost)
{
    return answerBytes(handle, "cusolverDnXpotrf", potrf(double(n)), type, onDevice, onHost);
}

HEADROOM_CARD_API int cusolverDnXpotrf(
    void* handle, void*, int, Count, int, void*, Count, int, void*, std::size_t, void*, std::size_t, int* info)
{
    return compute(handle, "cusolverDnXpotrf", info, 1);
}

HEADROOM_CARD_API int cusolverDnXpotrs(
    void* handle, void*, int, Count, Count, int, const void*, Count, int, void*, Count, int* info)
{
    return compute(handle, "cusolverDnXpotrs", info, 1);
}

HEADROOM_CARD_API int cusolverDnXsytrs_bufferSize(void* handle, int, Count n, Count, int type, const void*, Count,
    const Count*, int, void*, Count, std::size_t* onDevice, std::size_t* onHost)
{
    return answerBytes(handle, "cusolverDnXsytrs", sytrf(double(n)), type, onDevice, onHost);
}

HEADROOM_CARD_API int cusolverDnXsytrs(void* handle, int, Count, Count, int, const void*, Count, const Count*, int,
    void*, Count, void*, std::size_t, void*, std::size_t, int* info)
{
    return compute(handle, "cusolverDnXsytrs", info, 1);
}

HEADROOM_CARD_API int cusolverDnXsyevd_bufferSize(void* handle, void*, int, int, Count n, int type, const void*, Count,
    int, const void*, int, std::size_t* onDevice, std::size_t* onHost)
{
    return answerBytes(handle, "cusolverDnXsyevd", syevd(double(n)), type, onDevice, onHost);
}

HEADROOM_CARD_API int cusolverDnXsyevd(void* handle, void*, int, int, Count, int, void*, Count, int, void*, int, void*,
    std::size_t, void*, std::size_t, int* info)
{
    return compute(handle, "cusolverDnXsyevd", info, 1);
}

HEADROOM_CARD_API int cusolverDnXsyevBatched_bufferSize(void* handle, void*, int, int, Count n, int type, const void*,
    Count, int, const void*, int, std::size_t* onDevice, std::size_t* onHost, Count batch)
{
    constexpr int kByte = 3; // the size is one in bytes
    const double elementBytes = type == 0 ? 4 : type == 5 ? 16 : 8;
    return answerBytes(handle, "cusolverDnXsyevBatched", syevBatchedBytes(double(n), double(batch), elementBytes),
        kByte, onDevice, onHost);
}

HEADROOM_CARD_API int cusolverDnXsyevBatched(void* handle, void*, int, int, Count, int, void*, Count, int, void*, int,
    void*, std::size_t, void*, std::size_t, int* info, Count batch)
{
    return compute(handle, "cusolverDnXsyevBatched", info, batch);
}

HEADROOM_CARD_API int cusolverDnXgesvd_bufferSize(void* handle, void*, signed char, signed char, Count m, Count n,
    int type, const void*, Count, int, const void*, int, const void*, Count, int, const void*, Count, int,
    std::size_t* onDevice, std::size_t* onHost)
{
    return answerBytes(handle, "cusolverDnXgesvd", gesvd(double(m), double(n)), type, onDevice, onHost);
}

HEADROOM_CARD_API int cusolverDnXgesvd(void* handle, void*, signed char, signed char, Count, Count, int, void*, Count,
    int, void*, int, void*, Count, int, void*, Count, int, void*, std::size_t, void*, std::size_t, int* info)
{
    return compute(handle, "cusolverDnXgesvd", info, 1);
}

HEADROOM_CARD_API int cusolverDnXgeev_bufferSize(void* handle, void*, int, int, Count n, int type, const void*, Count,
    int, const void*, int, const void*, Count, int, const void*, Count, int, std::size_t* onDevice, std::size_t* onHost)
{
    return answerBytes(handle, "cusolverDnXgeev", geev(double(n)), type, onDevice, onHost);
}

HEADROOM_CARD_API int cusolverDnXgeev(void* handle, void*, int, int, Count, int, void*, Count, int, void*, int, void*,
    Count, int, void*, Count, int, void*, std::size_t, void*, std::size_t, int* info)
{
    return compute(handle, "cusolverDnXgeev", info, 1);
}
