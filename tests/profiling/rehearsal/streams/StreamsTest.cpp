// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Launches.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>

namespace headroom::rehearsal::tests {
namespace {

/// What this test may take itself, small against the kernels that it launches.
constexpr double kHostSeconds = 60;

class Streams : public testing::Test {
protected:
    void SetUp() override
    {
        for (cudaStream_t* stream : {&m_one, &m_other})
            ASSERT_EQ(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), cudaSuccess);
        for (cudaEvent_t* event : {&m_start, &m_end})
            ASSERT_EQ(cudaEventCreate(event), cudaSuccess);
    }
    void TearDown() override
    {
        for (cudaStream_t stream : {m_one, m_other})
            EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
        for (cudaEvent_t event : {m_start, m_end})
            EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
    }

    static void run(cudaStream_t stream, double seconds)
    {
        Launch kernel;
        kernel.name = "long";
        kernel.stream = stream;
        kernel.seconds = seconds;
        ASSERT_EQ(launch(kernel), cudaSuccess);
    }
    double elapsedSeconds()
    {
        float milliseconds = 0;
        EXPECT_EQ(cudaEventElapsedTime(&milliseconds, m_start, m_end), cudaSuccess);
        return static_cast<double>(milliseconds) / 1000;
    }

    cudaStream_t m_one = nullptr;
    cudaStream_t m_other = nullptr;
    cudaEvent_t m_start = nullptr;
    cudaEvent_t m_end = nullptr;
};

TEST_F(Streams, countTheKernelsThatRan)
{
    const std::uint64_t before = launchCount();
    run(m_one, 1);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(m_one, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    run(m_one, 1);
    run(m_one, 1);
    ASSERT_EQ(cudaStreamEndCapture(m_one, &graph), cudaSuccess);
    EXPECT_EQ(launchCount(), before + 1) << "what was captured has not run";
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, m_one), cudaSuccess);
    EXPECT_EQ(launchCount(), before + 3);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Streams, takeTheTimeOfTheirKernels)
{
    ASSERT_EQ(cudaEventRecord(m_start, m_one), cudaSuccess);
    run(m_one, 1000);
    run(m_one, 500);
    ASSERT_EQ(cudaEventRecord(m_end, m_one), cudaSuccess);
    EXPECT_NEAR(elapsedSeconds(), 1500, kHostSeconds);
}

TEST_F(Streams, waitForEventsOfOthers)
{
    ASSERT_EQ(cudaEventRecord(m_start, m_one), cudaSuccess);
    run(m_one, 1000);
    ASSERT_EQ(cudaEventRecord(m_end, m_one), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(m_other, m_end, 0), cudaSuccess);
    run(m_other, 500);
    ASSERT_EQ(cudaEventRecord(m_end, m_other), cudaSuccess);
    EXPECT_NEAR(elapsedSeconds(), 1500, kHostSeconds);
}

TEST_F(Streams, runBesideEachOther)
{
    ASSERT_EQ(cudaEventRecord(m_start, m_one), cudaSuccess);
    run(m_one, 1000);
    run(m_other, 500);
    ASSERT_EQ(cudaEventRecord(m_end, m_other), cudaSuccess);
    EXPECT_NEAR(elapsedSeconds(), 500, kHostSeconds);
}

TEST_F(Streams, letTheHostGoOnAfterWhatItWaitedFor)
{
    ASSERT_EQ(cudaEventRecord(m_start, m_one), cudaSuccess);
    run(m_one, 1000);
    ASSERT_EQ(cudaStreamSynchronize(m_one), cudaSuccess);
    run(m_other, 500);
    ASSERT_EQ(cudaEventRecord(m_end, m_other), cudaSuccess);
    EXPECT_NEAR(elapsedSeconds(), 1500, kHostSeconds) << "the other stream got its kernel after the wait";
}

TEST_F(Streams, areNeverInstant)
{
    ASSERT_EQ(cudaEventRecord(m_start, m_one), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(m_end, m_one), cudaSuccess);
    EXPECT_GE(elapsedSeconds(), 0.0009);
    cudaEvent_t never = nullptr;
    ASSERT_EQ(cudaEventCreate(&never), cudaSuccess);
    float milliseconds = 0;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, m_start, never), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventDestroy(never), cudaSuccess);
    cudaGetLastError();
}

TEST_F(Streams, callHostFunctionsInOrderEvenWhereTheCallerHoldsALock)
{
    struct Shared {
        std::mutex lock;
        std::vector<int> order;
    } shared;
    struct Entry {
        Shared* shared;
        int number;
    };
    std::vector<Entry> entries;
    for (int i = 0; i < 100; ++i)
        entries.push_back({&shared, i});
    {
        const std::lock_guard held(shared.lock);
        for (Entry& entry : entries) {
            const auto append = [](void* data) {
                auto* mine = static_cast<Entry*>(data);
                const std::lock_guard inside(mine->shared->lock);
                mine->shared->order.push_back(mine->number);
            };
            ASSERT_EQ(cudaLaunchHostFunc(m_one, append, &entry), cudaSuccess);
        }
        EXPECT_EQ(cudaStreamQuery(m_one), cudaErrorNotReady);
    }
    ASSERT_EQ(cudaStreamSynchronize(m_one), cudaSuccess);
    ASSERT_EQ(shared.order.size(), 100U);
    EXPECT_TRUE(std::is_sorted(shared.order.begin(), shared.order.end()));
    EXPECT_EQ(cudaStreamQuery(m_one), cudaSuccess);
    cudaGetLastError();
}

TEST_F(Streams, areUsedByManyThreadsAtOnce)
{
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread) {
        threads.emplace_back([this, thread] {
            for (int i = 0; i < 500; ++i) {
                cudaStream_t mine = nullptr;
                cudaEvent_t event = nullptr;
                void* memory = nullptr;
                EXPECT_EQ(cudaStreamCreateWithPriority(&mine, cudaStreamNonBlocking, -thread), cudaSuccess);
                EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
                EXPECT_EQ(cudaMallocAsync(&memory, 1000, mine), cudaSuccess);
                EXPECT_EQ(cudaMemcpyAsync(memory, &i, sizeof i, cudaMemcpyHostToDevice, mine), cudaSuccess);
                run(mine, 1e-6);
                EXPECT_EQ(cudaEventRecord(event, mine), cudaSuccess);
                EXPECT_EQ(cudaStreamWaitEvent(m_one, event, 0), cudaSuccess);
                int read = -1;
                EXPECT_EQ(cudaMemcpyAsync(&read, memory, sizeof read, cudaMemcpyDeviceToHost, mine), cudaSuccess);
                EXPECT_EQ(read, i);
                EXPECT_EQ(cudaFreeAsync(memory, mine), cudaSuccess);
                EXPECT_EQ(cudaStreamSynchronize(mine), cudaSuccess);
                EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
                EXPECT_EQ(cudaStreamDestroy(mine), cudaSuccess);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace
} // namespace headroom::rehearsal::tests
