// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/DescribedCard.h"

#include <csignal>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace headroom::rehearsal::tests {
namespace {

constexpr std::size_t kSegment = 2 * kMebibyte;

std::size_t inSegments(std::size_t bytes)
{
    return (bytes + kSegment - 1) / kSegment * kSegment;
}

/// What is allocated, as a list of who has what says it.
class AllocationModel {
public:
    explicit AllocationModel(std::size_t room)
        : m_room(room)
    {
    }

    void allocate(std::size_t bytes)
    {
        void* address = nullptr;
        const cudaError_t status = cudaMalloc(&address, bytes);
        if (m_used + inSegments(bytes) > m_room) {
            ASSERT_EQ(status, cudaErrorMemoryAllocation);
            ASSERT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
            ASSERT_EQ(address, nullptr);
            return;
        }
        ASSERT_EQ(status, cudaSuccess);
        const auto begin = reinterpret_cast<std::uintptr_t>(address);
        ASSERT_EQ(begin % kSegment, 0U);
        const auto next = m_living.lower_bound(begin);
        ASSERT_TRUE(next == m_living.end() || begin + inSegments(bytes) <= next->first) << "overlaps the one above";
        ASSERT_TRUE(next == m_living.begin() || std::prev(next)->first + inSegments(std::prev(next)->second) <= begin)
            << "overlaps the one below";
        m_living.emplace(begin, bytes);
        m_used += inSegments(bytes);
    }

    void freeSome(std::size_t which)
    {
        if (m_living.empty())
            return;
        const auto victim = std::next(m_living.begin(), static_cast<std::ptrdiff_t>(which % m_living.size()));
        ASSERT_EQ(cudaFree(reinterpret_cast<void*>(victim->first)), cudaSuccess);
        m_used -= inSegments(victim->second);
        m_living.erase(victim);
    }

    void freeAll()
    {
        while (!m_living.empty())
            freeSome(0);
    }

    std::size_t used() const { return m_used; }

private:
    std::size_t m_room;
    std::size_t m_used = 0;
    std::map<std::uintptr_t, std::size_t> m_living;
};

TEST(DeviceMemory, keepsTheAccountsOfAMillionAllocations)
{
    const std::size_t room = freeBytes();
    AllocationModel model(room);
    std::mt19937 random(1);
    for (int i = 0; i < 1'000'000 && !testing::Test::HasFailure(); ++i) {
        const bool frees = random() % 2 == 0;
        if (frees)
            model.freeSome(random());
        else
            model.allocate(1 + random() % (random() % 8 == 0 ? 512 * kMebibyte : 40 * kMebibyte));
        if (i % 10'000 == 0) {
            ASSERT_EQ(freeBytes(), room - model.used());
        }
    }
    model.freeAll();
    EXPECT_EQ(freeBytes(), room);
}

TEST(DeviceMemory, endsAndBeginsAgainAndAgain)
{
    const std::size_t room = freeBytes();
    void* all = nullptr;
    for (int i = 0; i < 1000; ++i) {
        void* tooMuch = nullptr;
        ASSERT_EQ(cudaMalloc(&all, room), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&tooMuch, 1), cudaErrorMemoryAllocation);
        ASSERT_EQ(freeBytes(), 0U);
        ASSERT_STREQ(cudaGetErrorString(cudaPeekAtLastError()), "out of memory");
        ASSERT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
        ASSERT_EQ(cudaGetLastError(), cudaSuccess) << "reading clears it";
        ASSERT_EQ(cudaFree(all), cudaSuccess);
    }
}

TEST(DeviceMemory, refusesWhatNobodyAllocated)
{
    void* address = nullptr;
    ASSERT_EQ(cudaMalloc(&address, 10), cudaSuccess);
    EXPECT_EQ(cudaFree(static_cast<char*>(address) + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(address), cudaSuccess);
    EXPECT_EQ(cudaFree(address), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    cudaGetLastError();
}

TEST(DeviceMemory, tellsKindsOfMemoryApart)
{
    int onStack = 0;
    void* device = nullptr;
    void* pinned = nullptr;
    void* managed = nullptr;
    ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&managed, 100, cudaMemAttachGlobal), cudaSuccess);
    std::vector<char> pageable(1000);
    ASSERT_EQ(cudaHostRegister(pageable.data(), pageable.size(), 0), cudaSuccess);
    const std::map<const void*, cudaMemoryType> expected{{&onStack, cudaMemoryTypeUnregistered},
        {static_cast<char*>(device) + 99, cudaMemoryTypeDevice}, {pinned, cudaMemoryTypeHost},
        {managed, cudaMemoryTypeManaged}, {pageable.data() + 10, cudaMemoryTypeHost}};
    for (const auto& [address, type] : expected) {
        cudaPointerAttributes attributes{};
        ASSERT_EQ(cudaPointerGetAttributes(&attributes, address), cudaSuccess);
        EXPECT_EQ(attributes.type, type);
    }
    EXPECT_EQ(cudaHostUnregister(pageable.data()), cudaSuccess);
    EXPECT_EQ(cudaHostUnregister(pageable.data()), cudaErrorHostMemoryNotRegistered);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
    EXPECT_EQ(cudaFree(managed), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    cudaGetLastError();
}

TEST(DeviceMemory, limitsPinnedMemory)
{
    void* most = nullptr;
    void* more = nullptr;
    ASSERT_EQ(cudaMallocHost(&most, kHostBytes), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(&more, 1), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaFreeHost(most), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(&more, 1), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(more), cudaSuccess);
    cudaGetLastError();
}

TEST(DeviceMemory, countsAContextForEachDevice)
{
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(freeBytes(), kCardBytes - kContextBytes);
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
    cudaGetLastError();
}

constexpr std::size_t kOfTheChild = 512 * kMebibyte;

/// Run by the next test in a process of its own, never by itself.
TEST(DeviceMemory, DISABLED_childHoldsMemory)
{
    void* held = nullptr;
    ASSERT_EQ(cudaMalloc(&held, kOfTheChild), cudaSuccess);
    ASSERT_EQ(::write(STDOUT_FILENO, "held", 4), 4);
    ::pause();
}

/// Starts it and waits until it holds its memory.
pid_t startChild()
{
    int ends[2] = {};
    if (::pipe(ends) != 0)
        return -1;
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::execl("/proc/self/exe", "child", "--gtest_filter=DeviceMemory.DISABLED_childHoldsMemory",
            "--gtest_also_run_disabled_tests", nullptr);
        ::_exit(1);
    }
    ::close(ends[1]);
    std::string said;
    char buffer[256];
    for (ssize_t length = 0;
        said.find("held") == std::string::npos && (length = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        said.append(buffer, static_cast<std::size_t>(length));
    ::close(ends[0]);
    return child;
}

TEST(DeviceMemory, isSharedByProcessesAndComesBackFromThoseThatDie)
{
    const std::size_t before = freeBytes();
    const pid_t child = startChild();
    ASSERT_GT(child, 0);
    EXPECT_EQ(freeBytes(), before - kOfTheChild - kContextBytes);
    // Not waited for: a zombie holds nothing either.
    ::kill(child, SIGKILL);
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
    EXPECT_EQ(freeBytes(), before);
    ::waitpid(child, nullptr, 0);
}

TEST(DeviceMemory, isLostInAForkedChildOfAProcessThatUsedTheCard)
{
    static_cast<void>(freeBytes());
    const pid_t child = ::fork();
    if (child == 0) {
        void* address = nullptr;
        ::_exit(cudaMalloc(&address, 1) == cudaErrorInitializationError ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

} // namespace
} // namespace headroom::rehearsal::tests
