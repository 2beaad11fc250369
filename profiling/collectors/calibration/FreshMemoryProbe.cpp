// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/FreshMemoryProbe.h"

#include "core/base/Bytes.h"
#include "core/tensor/Torch.h"
#include "profiling/collectors/calibration/DeviceTimer.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <unistd.h>

namespace headroom::collectors {
namespace {

using protocol::CalibratedConstant;

constexpr Bytes kSmallBlock = 4 * kMiB;
constexpr Bytes kMostKept = 512 * kMiB;
constexpr Bytes kMostBlock = 128 * kMiB;

at::Tensor bytesOf(Bytes bytes)
{
    return at::empty({bytes}, c10::kByte);
}

std::vector<at::Tensor> blocksOf(Bytes total, Bytes block)
{
    std::vector<at::Tensor> blocks;
    for (Bytes bytes = 0; bytes < total; bytes += block)
        blocks.push_back(bytesOf(block).zero_());
    return blocks;
}

std::int64_t pageFaults()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

void takeAndReturn(Bytes total, Bytes block)
{
    for (auto blocks = blocksOf(total, block); !blocks.empty();)
        blocks.pop_back(); // the last one first, as a backward pass does
}

// Whether the blocks come from the system again when they are taken once more. glibc adapts to what it is asked for, so
// the first passes do not count.
bool isKept(Bytes total, Bytes block)
{
    takeAndReturn(total, block);
    takeAndReturn(total, block);
    const std::int64_t before = pageFaults();
    takeAndReturn(total, block);
    const auto pages = static_cast<std::int64_t>(total / sysconf(_SC_PAGESIZE));
    return pageFaults() - before < pages / 4;
}

double secondsToFill(const at::Tensor& tensor)
{
    const auto begin = std::chrono::steady_clock::now();
    tensor.zero_();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Filled twice, the first time with faults.
Timing faultTiming(Bytes bytes, int samples)
{
    std::vector<double> seconds;
    for (int sample = 0; sample < samples; ++sample) {
        const at::Tensor tensor = bytesOf(bytes);
        const double first = secondsToFill(tensor);
        seconds.push_back(std::max(first - secondsToFill(tensor), 1e-9));
    }
    return timingOf(std::move(seconds));
}

// What is kept need not grow with what is asked for, as glibc's limits rise on the way: the most counts.
Bytes keptBytes(Bytes most)
{
    Bytes kept = kSmallBlock;
    for (Bytes total = kSmallBlock; total <= most; total *= 2)
        if (isKept(total, kSmallBlock))
            kept = total;
    return kept;
}

Bytes largestKeptBlock(Bytes most)
{
    Bytes kept = kMiB;
    for (Bytes block = kMiB; block <= most; block *= 2)
        for (const Bytes size : {block, block / 2 * 3})
            if (isKept(size, size))
                kept = size;
    return kept;
}

CalibratedConstant bytesConstant(const char* key, Bytes bytes, const char* how)
{
    return {key, static_cast<double>(bytes), CalibratedConstant::Kind::Count, std::nullopt, how};
}

} // namespace

std::vector<CalibratedConstant> measureFreshMemory(protocol::CalibrationEffort effort)
{
    const bool isFull = effort == protocol::CalibrationEffort::Full;
    const Bytes most = isFull ? kMostKept : 64 * kMiB;
    const Bytes touched = 64 * kMiB;
    const Timing fault = faultTiming(touched, isFull ? 7 : 3);
    return {
        {"speed.fresh_memory.bytes_per_second", static_cast<double>(touched) / fault.seconds,
            CalibratedConstant::Kind::Real, fault.spread, "zero_ of 64 MiB for the first time, less the second time"},
        bytesConstant("speed.fresh_memory.kept_bytes", keptBytes(most),
            "most blocks of 4 MiB that come back without page faults, in powers of two"),
        bytesConstant("speed.fresh_memory.largest_kept_block_bytes", largestKeptBlock(std::min(most, kMostBlock)),
            "largest block that comes back without page faults")};
}

} // namespace headroom::collectors
