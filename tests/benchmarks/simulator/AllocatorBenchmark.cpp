// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/ExactAllocator.h"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace {

using namespace headroom;
using namespace headroom::simulator;

/// The sizes of a training step: activations and small temporaries, most of them repeated.
std::vector<Bytes> stepSizes(std::size_t count)
{
    const Bytes usual[] = {512, 4096, 17 * kKiB, 33 * kMiB, 66 * kMiB, 2 * kMiB + 512, 132 * kMiB, 100 * kKiB};
    std::mt19937 random(7);
    std::vector<Bytes> sizes(count);
    for (Bytes& size : sizes)
        size = usual[random() % std::size(usual)];
    return sizes;
}

/// Forward keeps every fourth tensor, backward frees them in reverse order: thousands of live blocks.
void runStep(SimulatedAllocator& allocator, const std::vector<Bytes>& sizes, std::vector<Address>& kept)
{
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Address address = allocator.allocate(sizes[i]);
        if (i % 4 == 0)
            kept.push_back(address);
        else
            allocator.free(address);
    }
    for (; !kept.empty(); kept.pop_back())
        allocator.free(kept.back());
}

void trainingSteps(benchmark::State& state, SimulatedAllocator& allocator)
{
    const std::vector<Bytes> sizes = stepSizes(static_cast<std::size_t>(state.range(0)));
    std::vector<Address> kept;
    for (auto _ : state)
        runStep(allocator, sizes, kept);
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void cachingStep(benchmark::State& state)
{
    CachingAllocator allocator;
    trainingSteps(state, allocator);
}
BENCHMARK(cachingStep)->Arg(1000)->Arg(10000);

void expandableStep(benchmark::State& state)
{
    CachingAllocator allocator({}, parseAllocatorSettings("expandable_segments:True"));
    trainingSteps(state, allocator);
}
BENCHMARK(expandableStep)->Arg(1000)->Arg(10000);

void observedStep(benchmark::State& state)
{
    CachingAllocator allocator;
    std::int64_t events = 0;
    allocator.setObserver([&events](const trace::AllocatorEvent&) { ++events; });
    trainingSteps(state, allocator);
    benchmark::DoNotOptimize(events);
}
BENCHMARK(observedStep)->Arg(10000);

void exactStep(benchmark::State& state)
{
    ExactAllocator allocator;
    trainingSteps(state, allocator);
}
BENCHMARK(exactStep)->Arg(10000);

} // namespace
