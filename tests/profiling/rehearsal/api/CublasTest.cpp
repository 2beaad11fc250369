// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/api/SubstituteLibrary.h"

#include <cstdint>
#include <cstring>

namespace headroom::rehearsal::tests::cublas_test {
namespace {

constexpr int kNotInitialised = 1;
constexpr int kInvalidValue = 7;
constexpr int kNotSupported = 15;
constexpr int kFloat = 0;
constexpr int kBrain = 14;
constexpr int kEightBit = 28;
constexpr int kCompute32F = 68;

class Cublas : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ((call<int(void**)>("cublasCreate_v2", &m_handle)), 0); }
    void TearDown() override { call<int(void*)>("cublasDestroy_v2", m_handle); }

    void* m_handle = nullptr;
};

TEST_F(Cublas, eachCreateGivesAHandleOfItsOwn)
{
    void* other = nullptr;
    ASSERT_EQ((call<int(void**)>("cublasCreate_v2", &other)), 0);
    EXPECT_NE(m_handle, other);
    EXPECT_EQ(call<int(void*)>("cublasDestroy_v2", other), 0);
}

TEST_F(Cublas, modesAreReadBackAndInvalidOnesRefused)
{
    EXPECT_EQ((call<int(void*, int)>("cublasSetMathMode", m_handle, 3)), 0);
    EXPECT_EQ((call<int(void*, int)>("cublasSetPointerMode_v2", m_handle, 1)), 0);
    int mode = -1;
    EXPECT_EQ((call<int(void*, int*)>("cublasGetMathMode", m_handle, &mode)), 0);
    EXPECT_EQ(mode, 3);
    EXPECT_EQ((call<int(void*, int*)>("cublasGetPointerMode_v2", m_handle, &mode)), 0);
    EXPECT_EQ(mode, 1);
    EXPECT_EQ((call<int(void*, int)>("cublasSetPointerMode_v2", m_handle, 7)), kInvalidValue);
}

TEST_F(Cublas, withoutAHandleNothingIsAnswered)
{
    int mode = 0;
    EXPECT_EQ((call<int(void*, int*)>("cublasGetMathMode", nullptr, &mode)), kNotInitialised);
    EXPECT_EQ(call<int(void*)>("cublasSaxpy_v2", nullptr), kNotInitialised);
}

TEST_F(Cublas, aDotProductOnTheHostIsZeroAndTold)
{
    float result = 42;
    EXPECT_EQ((call<int(void*, int, const void*, int, const void*, int, void*)>(
                  "cublasSdot_v2", m_handle, 4, nullptr, 1, nullptr, 1, &result)),
        0);
    EXPECT_EQ(result, 0.F);
    EXPECT_NE(SubstituteLibrary::instance().ledger().find("cublasSdot_v2"), std::string::npos);
}

TEST_F(Cublas, solversReportSuccessWhereTheyReport)
{
    DeviceBytes infos(64);
    const int stale[4] = {1, 2, 3, 4};
    copyIn(infos.address(), stale, sizeof(stale));
    EXPECT_EQ((call<int(void*, int, void*, int, void*, void*, int)>(
                  "cublasSgetrfBatched", m_handle, 3, nullptr, 3, nullptr, infos.address(), 4)),
        0);
    int read[4] = {9, 9, 9, 9};
    copyOut(read, infos.address(), sizeof(read));
    for (const int info : read)
        EXPECT_EQ(info, 0);
    int host = 5;
    EXPECT_EQ((call<int(void*, int, int, void*, int, void*, int*, int)>(
                  "cublasSgeqrfBatched", m_handle, 3, 3, nullptr, 3, nullptr, &host, 4)),
        0);
    EXPECT_EQ(host, 0);
}

TEST_F(Cublas, aProductOfNegativeExtentIsInvalid)
{
    const auto gemm = [this](int m) {
        return call<int(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
            const void*, void*, int, int, int, int)>("cublasGemmEx", m_handle, 0, 0, m, 8, 8, nullptr, nullptr, kBrain,
            8, nullptr, kBrain, 8, nullptr, nullptr, kBrain, 8, kCompute32F, -1);
    };
    EXPECT_EQ(gemm(8), 0);
    EXPECT_EQ(gemm(0), 0);
    EXPECT_EQ(gemm(-1), kInvalidValue);
}

class CublasLt : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_EQ((call<int(void**)>("cublasLtCreate", &m_handle)), 0);
        ASSERT_EQ((call<int(void**, int, int)>("cublasLtMatmulDescCreate", &m_multiplication, kCompute32F, kFloat)), 0);
        ASSERT_EQ((call<int(void**)>("cublasLtMatmulPreferenceCreate", &m_preference)), 0);
    }

    void TearDown() override
    {
        call<int(void*)>("cublasLtMatmulPreferenceDestroy", m_preference);
        call<int(void*)>("cublasLtMatmulDescDestroy", m_multiplication);
        call<int(void*)>("cublasLtDestroy", m_handle);
    }

    void* layout(int type, std::uint64_t rows, std::uint64_t columns)
    {
        void* made = nullptr;
        EXPECT_EQ((call<int(void**, int, std::uint64_t, std::uint64_t, std::int64_t)>(
                      "cublasLtMatrixLayoutCreate", &made, type, rows, columns, std::int64_t(rows))),
            0);
        return made;
    }

    int heuristic(void* a, void* b, void* d, int* found)
    {
        return call<int(void*, void*, void*, void*, void*, void*, void*, int, void*, int*)>(
            "cublasLtMatmulAlgoGetHeuristic", m_handle, m_multiplication, a, b, d, d, m_preference, 1, m_result, found);
    }

    void setTransposed(int attribute)
    {
        const std::int32_t transposed = 1;
        EXPECT_EQ((call<int(void*, int, const void*, std::size_t)>(
                      "cublasLtMatmulDescSetAttribute", m_multiplication, attribute, &transposed, sizeof(transposed))),
            0);
    }

    void* m_handle = nullptr;
    void* m_multiplication = nullptr;
    void* m_preference = nullptr;
    alignas(8) char m_result[96] = {};
};

TEST_F(CublasLt, attributesAreReadBackBySize)
{
    void* matrix = layout(kBrain, 64, 32);
    const std::int32_t batch = 7;
    EXPECT_EQ((call<int(void*, int, const void*, std::size_t)>(
                  "cublasLtMatrixLayoutSetAttribute", matrix, 5, &batch, sizeof(batch))),
        0);
    EXPECT_EQ((call<int(void*, int, const void*, std::size_t)>(
                  "cublasLtMatrixLayoutSetAttribute", matrix, 5, &batch, std::size_t(2))),
        kInvalidValue);
    std::int32_t read = 0;
    std::size_t written = 0;
    EXPECT_EQ((call<int(void*, int, void*, std::size_t, std::size_t*)>(
                  "cublasLtMatrixLayoutGetAttribute", matrix, 5, &read, sizeof(read), &written)),
        0);
    EXPECT_EQ(read, 7);
    EXPECT_EQ(written, sizeof(read));
    EXPECT_EQ((call<int(void*, int, void*, std::size_t, std::size_t*)>(
                  "cublasLtMatrixLayoutGetAttribute", matrix, 2, nullptr, std::size_t(0), &written)),
        0);
    EXPECT_EQ(written, sizeof(std::uint64_t));
    call<int(void*)>("cublasLtMatrixLayoutDestroy", matrix);
}

TEST_F(CublasLt, scaleModesOfNeighboursDoNotMix)
{
    for (std::int32_t attribute = 31; attribute <= 35; ++attribute)
        EXPECT_EQ((call<int(void*, int, const void*, std::size_t)>(
                      "cublasLtMatmulDescSetAttribute", m_multiplication, attribute, &attribute, sizeof(attribute))),
            0);
    for (std::int32_t attribute = 31; attribute <= 35; ++attribute) {
        std::int32_t read = 0;
        std::size_t written = 0;
        EXPECT_EQ((call<int(void*, int, void*, std::size_t, std::size_t*)>(
                      "cublasLtMatmulDescGetAttribute", m_multiplication, attribute, &read, sizeof(read), &written)),
            0);
        EXPECT_EQ(read, attribute);
    }
}

TEST_F(CublasLt, heuristicsAnswerWithinTheWorkspaceAndCheckExtents)
{
    void* a = layout(kBrain, 64, 32);
    void* b = layout(kBrain, 32, 16);
    void* d = layout(kBrain, 64, 16);
    int found = 0;
    EXPECT_EQ(heuristic(a, b, d, &found), 0);
    EXPECT_EQ(found, 1);
    std::uint64_t workspace = 1;
    std::memcpy(&workspace, m_result + 64, sizeof(workspace));
    EXPECT_EQ(workspace, 0U);
    EXPECT_EQ(heuristic(b, a, d, &found), kInvalidValue);
    for (void* each : {a, b, d})
        call<int(void*)>("cublasLtMatrixLayoutDestroy", each);
}

TEST_F(CublasLt, aHandleOfCublasServesToo)
{
    void* blas = nullptr;
    ASSERT_EQ((call<int(void**)>("cublasCreate_v2", &blas)), 0);
    int ids[4] = {};
    int found = 0;
    EXPECT_EQ((call<int(void*, int, int, int, int, int, int, int, int*, int*)>("cublasLtMatmulAlgoGetIds", blas,
                  kCompute32F, kFloat, kBrain, kBrain, kBrain, kBrain, 4, ids, &found)),
        0);
    EXPECT_EQ(found, 1);
    call<int(void*)>("cublasDestroy_v2", blas);
}

TEST_F(CublasLt, eightBitProductsAreOnesOfATransposedMatrix)
{
    void* a = layout(kEightBit, 32, 64);
    void* b = layout(kEightBit, 32, 16);
    void* d = layout(kBrain, 64, 16);
    int found = 0;
    setTransposed(3);
    EXPECT_EQ(heuristic(a, b, d, &found), 0);
    void* plain = layout(kEightBit, 64, 32);
    const std::int32_t no = 0;
    call<int(void*, int, const void*, std::size_t)>(
        "cublasLtMatmulDescSetAttribute", m_multiplication, 3, &no, sizeof(no));
    EXPECT_EQ(heuristic(plain, b, d, &found), kNotSupported);
    EXPECT_EQ(found, 0);
    for (void* each : {a, b, d, plain})
        call<int(void*)>("cublasLtMatrixLayoutDestroy", each);
}

} // namespace
} // namespace headroom::rehearsal::tests::cublas_test
