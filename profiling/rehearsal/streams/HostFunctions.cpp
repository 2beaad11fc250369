// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/HostFunctions.h"

#include "profiling/rehearsal/Ending.h"

#include <deque>
#include <pthread.h>

namespace headroom::rehearsal {

namespace {

struct Entry {
    HostFunction function;
    void* data;
};

// Not the standard library's condition variable: its symbols are newer than the C libraries that this one has to load
// with.
pthread_mutex_t queueLock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t queueChanged = PTHREAD_COND_INITIALIZER;
std::uint64_t lastPut = 0;
std::uint64_t lastDone = 0;
bool isRunning = false;
constinit thread_local bool isTheirThread = false;

std::deque<Entry>& queue()
{
    static auto& entries = *new std::deque<Entry>;
    return entries;
}

void* run(void* /*unused*/)
{
    isTheirThread = true;
    ::pthread_mutex_lock(&queueLock);
    while (true) {
        while (queue().empty())
            ::pthread_cond_wait(&queueChanged, &queueLock);
        const Entry entry = queue().front();
        queue().pop_front();
        ::pthread_mutex_unlock(&queueLock);
        entry.function(entry.data);
        ::pthread_mutex_lock(&queueLock);
        lastDone += 1;
        ::pthread_cond_broadcast(&queueChanged);
    }
    return nullptr;
}

void startThread()
{
    pthread_t thread{};
    if (::pthread_create(&thread, nullptr, run, nullptr) != 0)
        endProcess("no thread could be started for the host functions of streams");
    ::pthread_detach(thread);
    isRunning = true;
}

} // namespace

std::uint64_t putHostFunction(HostFunction function, void* data)
{
    ::pthread_mutex_lock(&queueLock);
    if (!isRunning)
        startThread();
    queue().push_back({function, data});
    const std::uint64_t ticket = ++lastPut;
    ::pthread_cond_broadcast(&queueChanged);
    ::pthread_mutex_unlock(&queueLock);
    return ticket;
}

bool isHostFunctionDone(std::uint64_t ticket)
{
    if (ticket == 0)
        return true;
    ::pthread_mutex_lock(&queueLock);
    const bool isDone = lastDone >= ticket;
    ::pthread_mutex_unlock(&queueLock);
    return isDone;
}

void waitForHostFunction(std::uint64_t ticket)
{
    if (ticket == 0 || isTheirThread)
        return;
    ::pthread_mutex_lock(&queueLock);
    while (lastDone < ticket)
        ::pthread_cond_wait(&queueChanged, &queueLock);
    ::pthread_mutex_unlock(&queueLock);
}

} // namespace headroom::rehearsal
