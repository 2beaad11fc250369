// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/Ending.h"

#include "core/memory/CpuMemory.h"
#include "core/tensor/Torch.h"
#include "profiling/measurement/RefusedRequest.h"
#include "profiling/simulator/OutOfMemory.h"

namespace headroom::collectors {
namespace {

// CUDA libraries report running out of memory as general errors.
bool isOutOfMemory(const c10::Error& error)
{
    const std::string text = error.what_without_backtrace();
    return text.find("out of memory") != std::string::npos || text.find("ALLOC_FAILED") != std::string::npos;
}

// An allocator that does not reserve says 0.
protocol::OutOfMemoryFacts requestOf(const simulator::OutOfMemoryFacts& failed)
{
    protocol::OutOfMemoryFacts facts;
    facts.requestedBytes = failed.requestedBytes;
    facts.missingBytes = failed.missingBytes;
    facts.freeBytes = failed.freeDeviceBytes;
    facts.allocatedBytes = failed.allocatedBytes;
    if (failed.reservedBytes > 0)
        facts.reservedBytes = failed.reservedBytes;
    return facts;
}

protocol::OutOfMemoryFacts requestOf(Bytes requestedBytes)
{
    protocol::OutOfMemoryFacts facts;
    facts.requestedBytes = requestedBytes;
    return facts;
}

} // namespace

std::optional<Ending> catchTrialStop(const std::function<void()>& action)
{
    try {
        action();
        return std::nullopt;
    } catch (const Cancelled&) {
        return Ending{Outcome::Cancelled, "cancelled on request"};
    } catch (const simulator::OutOfMemory& error) {
        return Ending{.reason = error.what(), .request = requestOf(error.facts())};
    } catch (const tensor::HostMemoryExhausted& error) {
        return Ending{.reason = "the system refused " + std::to_string(error.requestedBytes()) + " bytes",
            .request = requestOf(error.requestedBytes())};
    } catch (const std::bad_alloc&) {
        return Ending{.reason = "the system refused memory for something other than a tensor"};
    } catch (const c10::Error& error) {
        if (!isOutOfMemory(error))
            throw;
        const std::string text = error.what_without_backtrace();
        return Ending{.reason = text, .request = factsIn(text)};
    }
}

} // namespace headroom::collectors
