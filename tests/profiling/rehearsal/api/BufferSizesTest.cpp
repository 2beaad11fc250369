// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/api/SubstituteLibrary.h"

#include <array>
#include <cstdint>

namespace headroom::rehearsal::tests::buffer_sizes_test {
namespace {

class Solver : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(call<int(void**)>("cusolverDnCreate", &m_handle), 0); }
    void TearDown() override { call<int(void*)>("cusolverDnDestroy", m_handle); }

    int orthogonalElements(int rows, int columns)
    {
        int elements = 0;
        EXPECT_EQ((call<int(void*, int, int, int, const void*, int, const void*, int*)>("cusolverDnSorgqr_bufferSize",
                      m_handle, rows, columns, columns, nullptr, rows, nullptr, &elements)),
            0);
        return elements;
    }

    void* m_handle = nullptr;
};

// pytorch 134326: a matrix of 58,720,256 x 36 takes about 8 GB beside two copies of it, and one of 37 columns cannot be
// done.
TEST_F(Solver, aTallOrthogonalMatrixTakesACopyAndOverflows)
{
    EXPECT_EQ(orthogonalElements(58'720'256, 36), 58'720'256 * 36);
    EXPECT_LT(orthogonalElements(58'720'256, 37), 0);
}

// mujocolab/mjlab 754: blocks of 16,384 symmetric 3 x 3 matrices peaked at 4,452 MB.
TEST_F(Solver, manySmallEigenvaluesTakeWhatWasMeasured)
{
    std::size_t onDevice = 0;
    std::size_t onHost = 1;
    ASSERT_EQ(
        (call<int(void*, void*, int, int, std::int64_t, int, const void*, std::int64_t, int, const void*, int,
                std::size_t*, std::size_t*, std::int64_t)>("cusolverDnXsyevBatched_bufferSize", m_handle, nullptr, 1, 0,
            std::int64_t(3), 0, nullptr, std::int64_t(3), 0, nullptr, 0, &onDevice, &onHost, std::int64_t(16384))),
        0);
    EXPECT_EQ(onHost, 0U);
    EXPECT_NEAR(static_cast<double>(onDevice), 4'445e6, 10e6);
}

TEST_F(Solver, rangesAreToldAndFailuresAreZero)
{
    int elements = 0;
    EXPECT_EQ((call<int(void*, int, int, void*, int, int*)>(
                  "cusolverDnDgetrf_bufferSize", m_handle, 512, 512, nullptr, 512, &elements)),
        0);
    EXPECT_GT(elements, 0);
    EXPECT_NE(SubstituteLibrary::instance().ledger().find("cusolverDnDgetrf"), std::string::npos);
    DeviceBytes info(sizeof(int));
    const int stale = 3;
    copyIn(info.address(), &stale, sizeof(stale));
    EXPECT_EQ((call<int(void*, int, int, void*, int, void*, void*, void*)>(
                  "cusolverDnDgetrf", m_handle, 512, 512, nullptr, 512, nullptr, nullptr, info.address())),
        0);
    int read = stale;
    copyOut(&read, info.address(), sizeof(read));
    EXPECT_EQ(read, 0);
}

TEST(Fourier, theWorkAreaIsACopyInComplexNumbers)
{
    int plan = 0;
    ASSERT_EQ(call<int(int*)>("cufftCreate", &plan), 0);
    EXPECT_EQ((call<int(int, int)>("cufftSetAutoAllocation", plan, 0)), 0);
    std::size_t bytes = 0;
    constexpr int kRealToComplex = 0x2A;
    EXPECT_EQ(
        (call<int(int, int, int, int, std::size_t*)>("cufftMakePlan1d", plan, 1024, kRealToComplex, 16, &bytes)), 0);
    EXPECT_EQ(bytes, 16U * 513 * 8);
    EXPECT_EQ(call<int(int)>("cufftDestroy", plan), 0);
    constexpr int kInvalidPlan = 1;
    EXPECT_EQ(call<int(int)>("cufftDestroy", plan), kInvalidPlan);
}

TEST(Fourier, aPlanThatAllocatesTakesDeviceMemory)
{
    const auto free = [] {
        std::size_t left = 0;
        std::size_t total = 0;
        call<int(std::size_t*, std::size_t*)>("cudaMemGetInfo", &left, &total);
        return left;
    };
    call<int(void*)>("cudaFree", nullptr);
    const std::size_t before = free();
    int plan = 0;
    constexpr int kComplex = 0x29;
    ASSERT_EQ((call<int(int*, int, int, int)>("cufftPlan1d", &plan, 1 << 20, kComplex, 4)), 0);
    EXPECT_EQ(before - free(), (std::size_t{1} << 20) * 4 * 8);
    EXPECT_EQ(call<int(int)>("cufftDestroy", plan), 0);
    EXPECT_EQ(free(), before);
}

TEST(Sparse, matricesAreReadBackAndCountsThatNobodyKnowsAreRefused)
{
    void* handle = nullptr;
    ASSERT_EQ(call<int(void**)>("cusparseCreate", &handle), 0);
    void* matrix = nullptr;
    ASSERT_EQ((call<int(void**, std::int64_t, std::int64_t, std::int64_t, void*, void*, void*, int, int, int, int)>(
                  "cusparseCreateCsr", &matrix, std::int64_t(10), std::int64_t(20), std::int64_t(30), nullptr, nullptr,
                  nullptr, 2, 2, 0, 0)),
        0);
    std::array<std::int64_t, 3> sizes{};
    EXPECT_EQ((call<int(void*, std::int64_t*, std::int64_t*, std::int64_t*)>(
                  "cusparseSpMatGetSize", matrix, &sizes[0], &sizes[1], &sizes[2])),
        0);
    EXPECT_EQ(sizes, (std::array<std::int64_t, 3>{10, 20, 30}));
    constexpr int kNotSupported = 10;
    EXPECT_EQ(call<int(void*)>("cusparseXcsrgeam2Nnz", handle), kNotSupported);
    EXPECT_EQ(call<int(void*)>("cusparseSpGEMM_compute", handle), kNotSupported);
    EXPECT_NE(SubstituteLibrary::instance().ledger().find("cusparseXcsrgeam2Nnz"), std::string::npos);
    call<int(void*)>("cusparseDestroySpMat", matrix);
    call<int(void*)>("cusparseDestroy", handle);
}

} // namespace
} // namespace headroom::rehearsal::tests::buffer_sizes_test
