// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/api/SubstituteLibrary.h"

#include <array>
#include <cstdint>
#include <vector>

namespace headroom::rehearsal::tests::cudnn_test {
namespace {

constexpr int kHandleType = 0;
constexpr int kDataType = 1;
constexpr int kInt64 = 3;
constexpr int kFloatType = 4;
constexpr int kModeType = 7;
constexpr int kHeuristicsModeType = 8;
constexpr int kDescriptorType = 15;
constexpr int kFloat = 0;
constexpr int kHalf = 2;
constexpr int kBadParameter = 2000;
constexpr int kNotFinal = 2004;

void* created(int kind)
{
    void* descriptor = nullptr;
    EXPECT_EQ((call<int(int, void**)>("cudnnBackendCreateDescriptor", kind, &descriptor)), 0);
    return descriptor;
}

int set(void* descriptor, int name, int type, std::int64_t count, const void* value)
{
    return call<int(void*, int, int, std::int64_t, const void*)>(
        "cudnnBackendSetAttribute", descriptor, name, type, count, value);
}

int get(void* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count, void* value)
{
    return call<int(void*, int, int, std::int64_t, std::int64_t*, void*)>(
        "cudnnBackendGetAttribute", descriptor, name, type, wanted, count, value);
}

int finalise(void* descriptor)
{
    return call<int(void*)>("cudnnBackendFinalize", descriptor);
}

void* tensor(std::int64_t id, const std::array<std::int64_t, 4>& extents, int type = kHalf)
{
    void* made = created(17);
    const std::array<std::int64_t, 4> strides{
        extents[1] * extents[2] * extents[3], extents[2] * extents[3], extents[3], 1};
    const std::int64_t alignment = 16;
    EXPECT_EQ(set(made, 901, kDataType, 1, &type), 0);
    EXPECT_EQ(set(made, 902, kInt64, 4, extents.data()), 0);
    EXPECT_EQ(set(made, 903, kInt64, 4, strides.data()), 0);
    EXPECT_EQ(set(made, 906, kInt64, 1, &id), 0);
    EXPECT_EQ(set(made, 900, kInt64, 1, &alignment), 0);
    EXPECT_EQ(finalise(made), 0);
    return made;
}

class Cudnn : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(call<int(void**)>("cudnnCreate", &m_handle), 0); }
    void TearDown() override { call<int(void*)>("cudnnDestroy", m_handle); }

    // A 3 x 3 convolution of 64 channels.
    void* convolutionGraph(int elements = kHalf)
    {
        void* x = tensor(1, {64, 64, 56, 56}, elements);
        void* w = tensor(2, {64, 64, 3, 3}, elements);
        void* y = tensor(3, {64, 64, 56, 56}, elements);
        void* convolution = created(1);
        const std::int64_t dimensions = 2;
        const std::array<std::int64_t, 2> ones{1, 1};
        const int type = 0;
        const int mode = 1;
        set(convolution, 106, kInt64, 1, &dimensions);
        set(convolution, 100, kDataType, 1, &type);
        set(convolution, 101, kModeType, 1, &mode);
        for (const int name : {102, 103, 104, 105})
            set(convolution, name, kInt64, 2, ones.data());
        EXPECT_EQ(finalise(convolution), 0);
        void* operation = created(10);
        const float alpha = 1;
        const float beta = 0;
        set(operation, 704, kDescriptorType, 1, &x);
        set(operation, 703, kDescriptorType, 1, &w);
        set(operation, 705, kDescriptorType, 1, &y);
        set(operation, 702, kDescriptorType, 1, &convolution);
        set(operation, 700, kFloatType, 1, &alpha);
        set(operation, 701, kFloatType, 1, &beta);
        EXPECT_EQ(finalise(operation), 0);
        void* graph = created(15);
        EXPECT_EQ(set(graph, 800, kHandleType, 1, &m_handle), 0);
        EXPECT_EQ(set(graph, 801, kDescriptorType, 1, &operation), 0);
        EXPECT_EQ(finalise(graph), 0);
        for (void* part : {x, w, y, convolution, operation})
            call<int(void*)>("cudnnBackendDestroyDescriptor", part);
        return graph;
    }

    void* m_handle = nullptr;
};

TEST_F(Cudnn, attributesAreReadBackByTheirType)
{
    void* made = tensor(5, {1, 2, 3, 4});
    std::array<std::int64_t, 4> extents{};
    std::int64_t count = 0;
    EXPECT_EQ(get(made, 902, kInt64, 0, &count, nullptr), 0);
    EXPECT_EQ(count, 4);
    EXPECT_EQ(get(made, 902, kInt64, 4, &count, extents.data()), 0);
    EXPECT_EQ(extents, (std::array<std::int64_t, 4>{1, 2, 3, 4}));
    EXPECT_EQ(get(made, 902, kDataType, 4, &count, extents.data()), kBadParameter);
    EXPECT_EQ(get(made, 777, kInt64, 1, &count, extents.data()), kBadParameter);
    EXPECT_EQ(set(made, 902, kInt64, 4, extents.data()), kBadParameter); // it is final
}

TEST_F(Cudnn, unfinishedDescriptorsAnswerNothing)
{
    void* made = created(17);
    std::int64_t value = 0;
    EXPECT_EQ(get(made, 906, kInt64, 1, nullptr, &value), kNotFinal);
    EXPECT_EQ(call<int(void*)>("cudnnBackendDestroyDescriptor", made), 0);
}

TEST_F(Cudnn, convolutionsInSinglePrecisionCountNoWorkspace)
{
    void* graph = convolutionGraph(kFloat);
    void* heuristics = created(4);
    const int mode = 0;
    EXPECT_EQ(set(heuristics, 201, kDescriptorType, 1, &graph), 0);
    EXPECT_EQ(set(heuristics, 200, kHeuristicsModeType, 1, &mode), 0);
    ASSERT_EQ(finalise(heuristics), 0);
    void* configuration = created(3);
    std::int64_t count = 0;
    ASSERT_EQ(get(heuristics, 202, kDescriptorType, 1, &count, &configuration), 0);
    std::int64_t workspace = -1;
    EXPECT_EQ(get(configuration, 303, kInt64, 1, &count, &workspace), 0);
    EXPECT_EQ(workspace, 0);
    for (void* each : {graph, heuristics, configuration})
        EXPECT_EQ(call<int(void*)>("cudnnBackendDestroyDescriptor", each), 0);
}

TEST_F(Cudnn, heuristicsGiveConfigurationsThatBecomePlans)
{
    void* graph = convolutionGraph();
    void* heuristics = created(4);
    const int mode = 0;
    EXPECT_EQ(set(heuristics, 201, kDescriptorType, 1, &graph), 0);
    EXPECT_EQ(set(heuristics, 200, kHeuristicsModeType, 1, &mode), 0);
    ASSERT_EQ(finalise(heuristics), 0);
    std::int64_t count = 0;
    ASSERT_EQ(get(heuristics, 202, kDescriptorType, 0, &count, nullptr), 0);
    ASSERT_GE(count, 1);
    void* configuration = created(3);
    ASSERT_EQ(get(heuristics, 202, kDescriptorType, 1, &count, &configuration), 0);
    EXPECT_EQ(count, 1);
    void* engine = created(2);
    ASSERT_EQ(get(configuration, 300, kDescriptorType, 1, &count, &engine), 0);
    std::int64_t index = -1;
    EXPECT_EQ(get(engine, 1301, kInt64, 1, &count, &index), 0);
    EXPECT_GE(index, 0);

    void* plan = created(5);
    EXPECT_EQ(set(plan, 400, kHandleType, 1, &m_handle), 0);
    EXPECT_EQ(set(plan, 401, kDescriptorType, 1, &configuration), 0);
    ASSERT_EQ(finalise(plan), 0);
    std::int64_t workspace = -1;
    EXPECT_EQ(get(plan, 402, kInt64, 1, &count, &workspace), 0);
    // The three tensors in channels last: what cuDNN 9.19 says of an H100.
    EXPECT_EQ(workspace, 51'454'099);

    void* variants = created(16);
    EXPECT_EQ(finalise(variants), 0);
    EXPECT_EQ((call<int(void*, void*, void*)>("cudnnBackendExecute", m_handle, plan, variants)), 0);
    for (void* each : {graph, heuristics, configuration, engine, plan, variants})
        EXPECT_EQ(call<int(void*)>("cudnnBackendDestroyDescriptor", each), 0);
}

TEST_F(Cudnn, weightsOfALongShortTermMemoryFillTheirSpace)
{
    constexpr int kLstm = 2;
    void* rnn = nullptr;
    ASSERT_EQ(call<int(void**)>("cudnnCreateRNNDescriptor", &rnn), 0);
    constexpr int kInput = 5;
    constexpr int kHidden = 7;
    ASSERT_EQ((call<int(void*, int, int, int, int, int, int, int, int, int, int, int, int, void*, unsigned)>(
                  "cudnnSetRNNDescriptor_v8", rnn, 0, kLstm, 2, 1, 0, kFloat, kFloat, 0, kInput, kHidden, kHidden, 2,
                  nullptr, 0U)),
        0);
    std::size_t bytes = 0;
    ASSERT_EQ((call<int(void*, void*, std::size_t*)>("cudnnGetRNNWeightSpaceSize", m_handle, rnn, &bytes)), 0);
    // Two layers of two directions with four gates: the first reads the input, the second both directions.
    const std::size_t matrices = 2 * 4 * kHidden * (kInput + kHidden) + 2 * 4 * kHidden * (2 * kHidden + kHidden);
    EXPECT_EQ(bytes, (matrices + 2 * 2 * 2 * 4 * kHidden) * sizeof(float));
    std::vector<char> weights(bytes);
    std::size_t covered = 0;
    void* matrixShape = nullptr;
    void* biasShape = nullptr;
    call<int(void**)>("cudnnCreateTensorDescriptor", &matrixShape);
    call<int(void**)>("cudnnCreateTensorDescriptor", &biasShape);
    for (int layer = 0; layer < 4; ++layer)
        for (int gate = 0; gate < 8; ++gate) {
            void* matrix = nullptr;
            void* bias = nullptr;
            ASSERT_EQ((call<int(void*, void*, int, std::size_t, const void*, int, void*, void**, void*, void**)>(
                          "cudnnGetRNNWeightParams", m_handle, rnn, layer, bytes, weights.data(), gate, matrixShape,
                          &matrix, biasShape, &bias)),
                0);
            int type = -1;
            int dimensions = 0;
            std::array<int, 3> extents{};
            std::array<int, 3> strides{};
            call<int(void*, int, int*, int*, int*, int*)>(
                "cudnnGetTensorNdDescriptor", matrixShape, 3, &type, &dimensions, extents.data(), strides.data());
            EXPECT_EQ(type, kFloat);
            EXPECT_EQ(dimensions, 3);
            EXPECT_EQ(extents[1], kHidden);
            for (void* part : {matrix, bias}) {
                EXPECT_GE(part, weights.data());
                EXPECT_LT(part, weights.data() + bytes);
            }
            covered += static_cast<std::size_t>(extents[1] * extents[2] + kHidden) * sizeof(float);
        }
    EXPECT_EQ(covered, bytes);
    for (const char* name : {"cudnnDestroyTensorDescriptor"})
        for (void* shape : {matrixShape, biasShape})
            call<int(void*)>(name, shape);
    call<int(void*)>("cudnnDestroyRNNDescriptor", rnn);
}

TEST_F(Cudnn, tensorsHaveTheSizeOfTheirStrides)
{
    void* made = nullptr;
    call<int(void**)>("cudnnCreateTensorDescriptor", &made);
    EXPECT_EQ(
        (call<int(void*, int, int, int, int, int, int)>("cudnnSetTensor4dDescriptor", made, 1, kHalf, 2, 3, 4, 5)), 0);
    int type = 0;
    std::array<int, 4> extents{};
    std::array<int, 4> strides{};
    EXPECT_EQ((call<int(void*, int*, int*, int*, int*, int*, int*, int*, int*, int*)>("cudnnGetTensor4dDescriptor",
                  made, &type, &extents[0], &extents[1], &extents[2], &extents[3], &strides[0], &strides[1],
                  &strides[2], &strides[3])),
        0);
    EXPECT_EQ(strides, (std::array<int, 4>{60, 1, 15, 3}));
    std::size_t bytes = 0;
    EXPECT_EQ((call<int(void*, std::size_t*)>("cudnnGetTensorSizeInBytes", made, &bytes)), 0);
    EXPECT_EQ(bytes, 240U);
    call<int(void*)>("cudnnDestroyTensorDescriptor", made);
}

} // namespace
} // namespace headroom::rehearsal::tests::cudnn_test
