// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/CudaTimer.h"

#include "core/base/Error.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headroom::collectors {
namespace {

constexpr std::int64_t kFillerSize = 2048;
constexpr int kMostQueuedCalls = 200; // the driver's queue holds about a thousand launches, then the host waits
constexpr int kFirstCalls = 10;

void requireCuda(cudaError_t error)
{
    if (error != cudaSuccess)
        throw TrialError(cudaGetErrorString(error), "calibration");
}

cudaEvent_t eventOf(void* event)
{
    return static_cast<cudaEvent_t>(event);
}

// LibTorch's default stream is the driver's.
constexpr cudaStream_t kStream = nullptr;

double hostSecondsOf(const DeviceTimer::Program& program, int calls)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call)
        program();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
}

} // namespace

CudaTimer::CudaTimer(c10::Device device)
    : m_factor(at::ones({kFillerSize, kFillerSize}, at::TensorOptions().device(device)))
    , m_product(at::empty_like(m_factor))
{
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    requireCuda(cudaEventCreate(&begin));
    m_begin = begin;
    requireCuda(cudaEventCreate(&end));
    m_end = end;
    warmUp(0.5);
    m_fillerSeconds = fillerSeconds();
}

CudaTimer::~CudaTimer()
{
    for (Event event : {m_begin, m_end})
        if (event != nullptr)
            cudaEventDestroy(eventOf(event)); // a device that is lost is reported by what follows
}

void CudaTimer::warmUp(double seconds)
{
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds) {
        for (int call = 0; call < kFirstCalls; ++call)
            at::mm_out(m_product, m_factor, m_factor);
        requireCuda(cudaDeviceSynchronize());
    }
}

double CudaTimer::secondsBetweenEvents() const
{
    float milliseconds = 0;
    requireCuda(cudaEventSynchronize(eventOf(m_end)));
    requireCuda(cudaEventElapsedTime(&milliseconds, eventOf(m_begin), eventOf(m_end)));
    return static_cast<double>(milliseconds) * 1e-3;
}

double CudaTimer::fillerSeconds()
{
    requireCuda(cudaEventRecord(eventOf(m_begin), kStream));
    for (int call = 0; call < kFirstCalls; ++call)
        at::mm_out(m_product, m_factor, m_factor);
    requireCuda(cudaEventRecord(eventOf(m_end), kStream));
    return secondsBetweenEvents() / kFirstCalls;
}

void CudaTimer::fill(double seconds)
{
    const int calls = static_cast<int>(std::ceil(seconds / m_fillerSeconds));
    for (int call = 0; call < std::clamp(calls, 1, kMostQueuedCalls); ++call)
        at::mm_out(m_product, m_factor, m_factor);
}

double CudaTimer::batchSeconds(const Program& program, int calls, double hostSeconds)
{
    constexpr double kMargin = 2.0; // the host may be slower this time
    fill(kMargin * hostSeconds * calls);
    requireCuda(cudaEventRecord(eventOf(m_begin), kStream));
    for (int call = 0; call < calls; ++call)
        program();
    requireCuda(cudaEventRecord(eventOf(m_end), kStream));
    return secondsBetweenEvents() / calls;
}

Timing CudaTimer::time(const Program& program, const TimingEffort& effort)
{
    program(); // chooses and loads kernels
    requireCuda(cudaDeviceSynchronize());
    const double host = hostSecondsOf(program, kFirstCalls);
    requireCuda(cudaDeviceSynchronize());
    const double first = batchSeconds(program, kFirstCalls, host);
    const int calls = callsOfBatch(first, effort, kMostQueuedCalls);
    const int batches = batchesOf(first * calls, effort);
    std::vector<double> seconds;
    while (std::ssize(seconds) < batches)
        seconds.push_back(std::max(batchSeconds(program, calls, host), 1e-9));
    return timingOf(std::move(seconds));
}

Timing CudaTimer::hostTime(const Program& program, int batches)
{
    program();
    std::vector<double> seconds;
    while (std::ssize(seconds) < batches) {
        requireCuda(cudaDeviceSynchronize());
        fill(5e-3);
        seconds.push_back(hostSecondsOf(program, kMostQueuedCalls));
    }
    requireCuda(cudaDeviceSynchronize());
    return timingOf(std::move(seconds));
}

} // namespace headroom::collectors
