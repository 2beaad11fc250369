// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/DescribedCard.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <vector>

namespace headroom::rehearsal::tests {
namespace {

class Capture : public testing::Test {
protected:
    void SetUp() override
    {
        for (cudaStream_t* stream : {&m_stream, &m_side})
            ASSERT_EQ(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaEventCreateWithFlags(&m_event, cudaEventDisableTiming), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&m_memory, 100), cudaSuccess);
    }
    void TearDown() override
    {
        EXPECT_EQ(cudaFree(m_memory), cudaSuccess);
        EXPECT_EQ(cudaEventDestroy(m_event), cudaSuccess);
        for (cudaStream_t stream : {m_stream, m_side})
            EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
        cudaGetLastError();
    }

    void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal)
    {
        ASSERT_EQ(cudaStreamBeginCapture(m_stream, mode), cudaSuccess);
    }
    cudaStreamCaptureStatus state(cudaStream_t stream)
    {
        cudaStreamCaptureStatus status{};
        EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
        return status;
    }
    void fill(cudaStream_t stream) { ASSERT_EQ(cudaMemsetAsync(m_memory, 1, 4, stream), cudaSuccess); }
    int value()
    {
        int read = -1;
        EXPECT_EQ(cudaMemcpy(&read, m_memory, sizeof read, cudaMemcpyDeviceToHost), cudaSuccess);
        return read;
    }
    static std::size_t nodes(cudaGraph_t graph)
    {
        std::size_t count = 0;
        EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
        return count;
    }

    cudaStream_t m_stream = nullptr;
    cudaStream_t m_side = nullptr;
    cudaEvent_t m_event = nullptr;
    cudaGraph_t m_graph = nullptr;
    void* m_memory = nullptr;
};

TEST_F(Capture, doesNothingUntilItsGraphIsLaunched)
{
    begin();
    EXPECT_EQ(state(m_stream), cudaStreamCaptureStatusActive);
    fill(m_stream);
    ASSERT_EQ(cudaStreamEndCapture(m_stream, &m_graph), cudaSuccess);
    EXPECT_EQ(nodes(m_graph), 1U);
    EXPECT_EQ(value(), 0);
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaGraphInstantiateWithFlags(&executable, m_graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphDestroy(m_graph), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, m_stream), cudaSuccess);
    EXPECT_EQ(value(), 0x01010101);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(executable, m_stream), cudaErrorInvalidValue);
}

TEST_F(Capture, takesAlongStreamsThatWaitForIt)
{
    begin();
    fill(m_stream);
    ASSERT_EQ(cudaEventRecord(m_event, m_stream), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(m_side, m_event, 0), cudaSuccess);
    EXPECT_EQ(state(m_side), cudaStreamCaptureStatusActive);
    fill(m_side);
    ASSERT_EQ(cudaEventRecord(m_event, m_side), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(m_stream, m_event, 0), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(m_stream, &m_graph), cudaSuccess);
    EXPECT_EQ(state(m_side), cudaStreamCaptureStatusNone);
    EXPECT_EQ(nodes(m_graph), 2U);
    std::size_t roots = 0;
    ASSERT_EQ(cudaGraphGetRootNodes(m_graph, nullptr, &roots), cudaSuccess);
    EXPECT_EQ(roots, 1U);
    EXPECT_EQ(cudaGraphDestroy(m_graph), cudaSuccess);
}

TEST_F(Capture, isLostWithWorkThatNobodyWaitedFor)
{
    begin();
    ASSERT_EQ(cudaEventRecord(m_event, m_stream), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(m_side, m_event, 0), cudaSuccess);
    fill(m_side);
    EXPECT_EQ(cudaStreamEndCapture(m_stream, &m_graph), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(m_graph, nullptr);
    EXPECT_EQ(state(m_stream), cudaStreamCaptureStatusNone);
}

TEST_F(Capture, isLostByCallsThatWouldWait)
{
    begin();
    EXPECT_EQ(cudaStreamSynchronize(m_stream), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(state(m_stream), cudaStreamCaptureStatusInvalidated);
    EXPECT_EQ(cudaStreamEndCapture(m_stream, &m_graph), cudaErrorStreamCaptureInvalidated);
    begin();
    void* address = nullptr;
    EXPECT_EQ(cudaMalloc(&address, 1), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamEndCapture(m_stream, &m_graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Capture, allowsAllocationsToAThreadThatSaysSo)
{
    begin();
    auto mode = cudaStreamCaptureModeRelaxed;
    ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
    void* address = nullptr;
    EXPECT_EQ(cudaMalloc(&address, 1), cudaSuccess);
    ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(m_stream, &m_graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(m_graph), cudaSuccess);
    EXPECT_EQ(cudaFree(address), cudaSuccess);
}

TEST_F(Capture, keepsWhatItsGraphRetains)
{
    int ended = 0;
    cudaUserObject_t object = nullptr;
    ASSERT_EQ(
        cudaUserObjectCreate(
            &object, &ended, [](void* counter) { ++*static_cast<int*>(counter); }, 1, cudaUserObjectNoDestructorSync),
        cudaSuccess);
    ASSERT_EQ(cudaGraphCreate(&m_graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphRetainUserObject(m_graph, object, 1, cudaGraphUserObjectMove), cudaSuccess);
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&executable, m_graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphDestroy(m_graph), cudaSuccess);
    EXPECT_EQ(ended, 0) << "what was made of it keeps it";
    ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    EXPECT_EQ(ended, 1);
}

} // namespace
} // namespace headroom::rehearsal::tests
