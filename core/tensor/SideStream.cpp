// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/SideStream.h"

#include "core/tensor/Torch.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

namespace headroom::tensor {
namespace {

/// A thread that runs work in the order of submission, with gradients off. It has its own copy of LibTorch's
/// thread-local state: the submitter's interception, autocast or recording only applies to ops that run on the
/// submitter's thread.
class WorkerThread {
public:
    WorkerThread();
    /// Returns when all submitted work is done.
    ~WorkerThread();
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    void submit(std::function<void()> work);
    /// Returns when all submitted work is done; throws, once, what the first failed work threw.
    void drain();

private:
    using Work = std::function<void()>;

    void serve();
    static std::exception_ptr attempt(const Work& work);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Work> m_items; ///< the first one is running
    std::exception_ptr m_failure;
    bool m_isEnding = false;
    std::thread m_thread; ///< last: it uses the others
};

WorkerThread::WorkerThread()
    : m_thread([this] { serve(); })
{
}

WorkerThread::~WorkerThread()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void WorkerThread::submit(std::function<void()> work)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_items.push_back(std::move(work));
    }
    m_changed.notify_all();
}

void WorkerThread::drain()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_items.empty(); });
    if (m_failure)
        std::rethrow_exception(std::exchange(m_failure, nullptr));
}

void WorkerThread::serve()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isEnding || !m_items.empty(); });
        if (m_items.empty())
            return;
        Work& work = m_items.front(); // a deque's elements stay in place while others are appended
        lock.unlock();
        std::exception_ptr failure = attempt(work);
        work = nullptr; // captured objects are released before anyone learns that the work is done
        lock.lock();
        m_items.pop_front();
        if (failure && !m_failure)
            m_failure = std::move(failure);
        m_changed.notify_all();
    }
}

std::exception_ptr WorkerThread::attempt(const Work& work)
{
    try {
        const torch::NoGradGuard noGradients;
        work();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

} // namespace

class SideStream::Implementation {
public:
    virtual ~Implementation() = default;
    virtual void run(std::function<void()> work) = 0;
    virtual void waitForCompute() = 0;
    virtual void letComputeWait() = 0;
    virtual void synchronise() = 0;
};

namespace {

// For work that runs at once: its exception is kept until somebody waits for the work, as for work that runs later.
class Failure {
public:
    template <typename Work> void guard(const Work& work)
    {
        try {
            work();
        } catch (...) {
            if (!m_first)
                m_first = std::current_exception();
        }
    }
    void rethrow()
    {
        if (m_first)
            std::rethrow_exception(std::exchange(m_first, nullptr));
    }

private:
    std::exception_ptr m_first;
};

// The host is the compute stream, so a wait of the compute stream is a wait of the host.
class CpuSideStream final : public SideStream::Implementation {
public:
    void run(std::function<void()> work) override { m_thread.submit(std::move(work)); }
    void waitForCompute() override { }
    void letComputeWait() override { m_thread.drain(); }
    void synchronise() override { m_thread.drain(); }

private:
    WorkerThread m_thread;
};

class SimulatedSideStream final : public SideStream::Implementation {
public:
    void run(std::function<void()> work) override
    {
        const torch::NoGradGuard noGradients;
        tell([](DeviceTimeline& timeline, auto track) { timeline.enterSideStream(track); });
        m_failure.guard(work);
        tell([](DeviceTimeline& timeline, auto) { timeline.leaveSideStream(); });
    }

    void waitForCompute() override
    {
        tell([](DeviceTimeline& timeline, auto track) { timeline.sideWaitsForCompute(track); });
    }

    void letComputeWait() override
    {
        tell([](DeviceTimeline& timeline, auto track) { timeline.computeWaitsForSide(track); });
        m_failure.rethrow();
    }

    void synchronise() override
    {
        tell([](DeviceTimeline& timeline, auto track) { timeline.hostWaitsForSide(track); });
        m_failure.rethrow();
    }

private:
    template <typename What> void tell(const What& what)
    {
        DeviceTimeline* active = DeviceTimeline::active();
        if (active == nullptr)
            return;
        if (std::exchange(m_timeline, active) != active)
            m_track = active->addSideStream();
        what(*active, m_track);
    }

    DeviceTimeline* m_timeline = nullptr;
    DeviceTimeline::SideTrack m_track = 0;
    Failure m_failure;
};

// The compute stream is looked up outside of `run`: inside it, the current stream is this one.
class CudaSideStream final : public SideStream::Implementation {
public:
    explicit CudaSideStream(c10::Device device)
        : m_cuda(device.type())
        , m_stream(m_cuda.getStreamFromGlobalPool(device.has_index() ? device : m_cuda.getDevice()))
    {
    }

    ~CudaSideStream() override
    {
        try {
            m_cuda.synchronizeStream(m_stream);
        } catch (const std::exception&) { // the device is lost; the next computation will report it
        }
    }

    void run(std::function<void()> work) override
    {
        const torch::NoGradGuard noGradients;
        const c10::StreamGuard guard(m_stream);
        m_failure.guard(work);
    }

    void waitForCompute() override { order(computeStream(), m_stream); }

    void letComputeWait() override
    {
        order(m_stream, computeStream());
        m_failure.rethrow();
    }

    void synchronise() override
    {
        m_cuda.synchronizeStream(m_stream);
        m_failure.rethrow();
    }

private:
    c10::Stream computeStream() const { return m_cuda.getStream(m_stream.device()); }

    static void order(const c10::Stream& earlier, const c10::Stream& later)
    {
        c10::Event event(earlier.device_type());
        event.record(earlier);
        event.block(later);
    }

    c10::impl::VirtualGuardImpl m_cuda;
    c10::Stream m_stream;
    Failure m_failure;
};

std::unique_ptr<SideStream::Implementation> implementationFor(c10::Device device)
{
    if (device.is_cuda())
        return std::make_unique<CudaSideStream>(device);
    if (device.is_meta())
        return std::make_unique<SimulatedSideStream>();
    return std::make_unique<CpuSideStream>();
}

} // namespace

SideStream::SideStream(c10::Device device)
    : m_implementation(implementationFor(device))
{
}

SideStream::~SideStream() = default;

void SideStream::run(std::function<void()> work)
{
    m_implementation->run(std::move(work));
}

void SideStream::waitForCompute()
{
    m_implementation->waitForCompute();
}

void SideStream::letComputeWait()
{
    m_implementation->letComputeWait();
}

void SideStream::synchronise()
{
    m_implementation->synchronise();
}

void transfer(const at::Tensor& from, const at::Tensor& to, TransferDirection direction, TransferWait wait)
{
    const torch::NoGradGuard noGradients;
    DeviceTimeline* timeline = from.is_meta() ? DeviceTimeline::active() : nullptr;
    if (timeline != nullptr)
        timeline->transferBegins(direction, static_cast<Bytes>(from.nbytes()), wait);
    at::Tensor target = to;
    target.copy_(from, wait == TransferWait::NonBlocking);
    if (timeline != nullptr)
        timeline->transferEnds();
}

double readScalar(const at::Tensor& scalar)
{
    if (!scalar.is_meta())
        return scalar.item<double>();
    if (DeviceTimeline* timeline = DeviceTimeline::active())
        timeline->hostWaits();
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace headroom::tensor
