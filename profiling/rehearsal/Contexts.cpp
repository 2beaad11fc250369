// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Contexts.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Lock.h"

#include <driver_types.h>
#include <unordered_set>

namespace headroom::rehearsal {

struct Context {
    int device = 0;
    unsigned flags = 0;
};

namespace {

constexpr int kDeepestStack = 32;

/// Contexts of a thread: the last is the current one. Plain memory, as threads of others end without asking.
struct ContextStack {
    Context* entries[kDeepestStack] = {};
    int depth = 0;
};

constinit thread_local ContextStack threadStack = {};
constinit Context primary[kMostDevices] = {};
constinit Lock contextsLock;

std::unordered_set<const Context*>& madeContexts()
{
    static auto& all = *new std::unordered_set<const Context*>;
    return all;
}

bool isPrimary(const Context* context)
{
    return context >= primary && context < primary + kMostDevices;
}

} // namespace

Context* primaryContext(int device)
{
    primary[device].device = device;
    return &primary[device];
}

int usePrimaryContext(int device)
{
    if (const int status = openDevice(device); status != cudaSuccess)
        return status;
    return setCurrentContext(primaryContext(device));
}

int makeContext(int device, unsigned flags, Context** context)
{
    if (const int status = openDevice(device); status != cudaSuccess)
        return status;
    *context = new Context{device, flags};
    {
        const LockScope scope(contextsLock);
        madeContexts().insert(*context);
    }
    return pushContext(*context);
}

int destroyContext(Context* context)
{
    {
        const LockScope scope(contextsLock);
        if (madeContexts().erase(context) == 0)
            return cudaErrorDeviceUninitialized;
    }
    if (currentContext() == context)
        threadStack.depth -= 1;
    delete context;
    return cudaSuccess;
}

bool isContext(const Context* context)
{
    const LockScope scope(contextsLock);
    return isPrimary(context) || madeContexts().contains(context);
}

int deviceOfContext(const Context* context)
{
    return context->device;
}

unsigned flagsOfContext(const Context* context)
{
    return context->flags;
}

Context* currentContext()
{
    if (threadStack.depth > 0)
        return threadStack.entries[threadStack.depth - 1];
    return hasThreadOpened() ? primaryContext(currentDevice()) : nullptr;
}

int setCurrentContext(Context* context)
{
    if (context != nullptr && !isContext(context))
        return cudaErrorDeviceUninitialized;
    if (threadStack.depth > 0)
        threadStack.depth -= 1;
    if (context != nullptr)
        return pushContext(context);
    hasThreadOpened() = false;
    return cudaSuccess;
}

int pushContext(Context* context)
{
    if (!isContext(context) || threadStack.depth == kDeepestStack)
        return cudaErrorDeviceUninitialized;
    threadStack.entries[threadStack.depth++] = context;
    return setCurrentDevice(context->device);
}

int popContext(Context** context)
{
    if (threadStack.depth == 0)
        return cudaErrorDeviceUninitialized;
    Context* popped = threadStack.entries[--threadStack.depth];
    if (context != nullptr)
        *context = popped;
    if (const Context* below = currentContext())
        return setCurrentDevice(below->device);
    return cudaSuccess;
}

} // namespace headroom::rehearsal
