// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Launches.h"

#include "profiling/rehearsal/Lock.h"

#include <atomic>
#include <string>
#include <unordered_set>

namespace headroom::rehearsal {

namespace {
std::atomic<std::uint64_t> launchCount_{0};
} // namespace

void countLaunch()
{
    launchCount_.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t launchCount()
{
    return launchCount_.load(std::memory_order_relaxed);
}

const char* internedName(const char* text)
{
    static Lock lock;
    static auto& names = *new std::unordered_set<std::string>;
    const LockScope scope(lock);
    return names.insert(text).first->c_str();
}

} // namespace headroom::rehearsal
