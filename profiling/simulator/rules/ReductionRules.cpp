// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/ReductionRules.h"

#include "profiling/simulator/rules/CeilDivide.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace headroom::simulator {
namespace {

struct ReducedDimension {
    std::int64_t size = 1;
    std::int64_t inputStride = 0; ///< in bytes, as those of the output
    std::int64_t outputStride = 0; ///< 0 where it is reduced

    bool isReduced() const { return outputStride == 0; }
};

using Dimensions = std::vector<ReducedDimension>;

std::int64_t lastPowerOfTwo(std::int64_t value)
{
    std::int64_t power = 1;
    while (power * 2 <= value)
        power *= 2;
    return power;
}

// From the last dimension to the first, in TensorIterator's initial order. Dimensions of size 1 merge into any
// neighbour.
Dimensions dimensionsOf(const ReducedTensor& tensor, const ReductionTypes& types)
{
    Dimensions dimensions;
    std::int64_t outputStride = types.output;
    for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
        if (tensor.sizes[i] == 1)
            continue;
        dimensions.push_back(
            {tensor.sizes[i], tensor.strides[i] * types.input, tensor.isReduced[i] ? 0 : outputStride});
        if (!tensor.isReduced[i])
            outputStride *= tensor.sizes[i];
    }
    return dimensions;
}

// Whether `later` must come before `earlier` (positive), after it (negative), or either (0):
// TensorIteratorBase::reorder_dimensions, should_swap.
int compareByStride(std::int64_t earlier, std::int64_t later, std::int64_t earlierSize, std::int64_t laterSize)
{
    if (earlier == 0 || later == 0)
        return 0;
    if (earlier != later)
        return earlier < later ? -1 : 1;
    return earlierSize > laterSize ? 1 : 0;
}

int compareDimensions(const ReducedDimension& earlier, const ReducedDimension& later)
{
    if (earlier.isReduced() != later.isReduced())
        return later.isReduced() ? 1 : -1;
    if (const int order = compareByStride(earlier.outputStride, later.outputStride, earlier.size, later.size))
        return order;
    return compareByStride(earlier.inputStride, later.inputStride, earlier.size, later.size);
}

// An insertion sort, as in LibTorch: a dimension that compares equal to its neighbour is skipped.
void sortDimensions(Dimensions& dimensions)
{
    for (std::size_t i = 1; i < dimensions.size(); ++i) {
        std::size_t place = i;
        for (std::size_t other = i; other-- > 0;) {
            const int order = compareDimensions(dimensions[other], dimensions[place]);
            if (order < 0)
                break;
            if (order > 0) {
                std::swap(dimensions[other], dimensions[place]);
                place = other;
            }
        }
    }
}

void mergeDimensions(Dimensions& dimensions)
{
    Dimensions merged;
    for (const ReducedDimension& next : dimensions) {
        if (!merged.empty() && merged.back().size * merged.back().inputStride == next.inputStride
            && merged.back().size * merged.back().outputStride == next.outputStride)
            merged.back().size *= next.size;
        else
            merged.push_back(next);
    }
    dimensions = std::move(merged);
}

std::int64_t product(const Dimensions& dimensions, bool (*isCounted)(const ReducedDimension&))
{
    return std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1},
        [&](std::int64_t sofar, const ReducedDimension& d) { return isCounted(d) ? sofar * d.size : sofar; });
}

std::int64_t outputsOf(const Dimensions& dimensions)
{
    return product(dimensions, [](const ReducedDimension& d) { return !d.isReduced(); });
}

std::int64_t elementsOf(const Dimensions& dimensions)
{
    return product(dimensions, [](const ReducedDimension&) { return true; });
}

std::size_t reducedCount(const Dimensions& dimensions)
{
    return static_cast<std::size_t>(std::ranges::count_if(dimensions, &ReducedDimension::isReduced));
}

// TensorIteratorBase::can_use_32bit_indexing
bool fitsOffsets(const Dimensions& dimensions)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    std::int64_t input = 1, output = 1;
    for (const ReducedDimension& dimension : dimensions) {
        input += (dimension.size - 1) * dimension.inputStride;
        output += (dimension.size - 1) * dimension.outputStride;
    }
    return elementsOf(dimensions) <= kMost && input <= kMost && output <= kMost;
}

// TensorIteratorBase::get_dim_to_split
ReducedDimension& widestDimension(Dimensions& dimensions)
{
    return *std::ranges::max_element(dimensions, {}, [](const ReducedDimension& dimension) {
        return (dimension.size - 1) * std::max(dimension.inputStride, dimension.outputStride);
    });
}

// Outputs that a thread computes at once: as many as its loads stay aligned for (get_output_vec_size).
std::int64_t outputVector(
    const Dimensions& dimensions, std::size_t firstOutput, std::int64_t offset, Bytes elementBytes)
{
    std::int64_t vector = 4;
    const auto shorten = [&vector](std::int64_t count) {
        while (count % vector != 0)
            vector /= 2;
    };
    shorten(offset);
    shorten(dimensions[firstOutput].size);
    for (std::size_t i = 0; i < dimensions.size(); ++i)
        if (i != firstOutput)
            shorten(dimensions[i].inputStride / elementBytes);
    return vector;
}

/// What all launches of one reduction share.
struct Reducer {
    const ReductionTypes& types;
    const ReductionDevice& device;
    std::int64_t offset;
};

/// How the threads of a block, and then the blocks, divide the work.
struct LaunchShape {
    std::int64_t outputs = 1;
    std::int64_t inputs = 1; ///< for each output
    std::int64_t vector = 1; ///< outputs of a thread
    std::int64_t width = 1;
    std::int64_t height = 1;
    std::int64_t inputsAtOnce = 1; ///< by the block, for one output
    std::int64_t outputsAtOnce = 1; ///< by the block, in vectors
    bool reducesAcrossWidth = false;

    std::int64_t valuesPerThread() const { return ceilDivide(inputs, inputsAtOnce); }
    std::int64_t grid() const { return ceilDivide(outputs / vector, outputsAtOnce); }

    // ReduceConfig::set_block_dimension
    void setBlock(std::int64_t fast, std::int64_t slow)
    {
        constexpr std::int64_t kThreads = 512, kWarp = 32;
        const std::int64_t most = kThreads / vector;
        const std::int64_t fastThreads = fast < most ? lastPowerOfTwo(fast) : most;
        const std::int64_t slowThreads = slow < most ? lastPowerOfTwo(slow) : most;
        width = std::min(fastThreads, kWarp);
        height = std::min(slowThreads, most / width);
        width = std::min(fastThreads, most / height);
    }
};

// setReduceConfig, up to and including the block.
LaunchShape blockOf(const Dimensions& dimensions, const Reducer& reducer)
{
    constexpr std::int64_t kLeastForVectors = 128;
    const std::size_t reduced = reducedCount(dimensions);
    LaunchShape shape;
    shape.outputs = outputsOf(dimensions);
    shape.inputs = elementsOf(dimensions) / shape.outputs;
    shape.reducesAcrossWidth =
        reduced == dimensions.size() || dimensions[0].inputStride < dimensions[reduced].inputStride;
    std::int64_t fast = shape.reducesAcrossWidth ? shape.inputs : shape.outputs;
    const std::int64_t slow = shape.reducesAcrossWidth ? shape.outputs : shape.inputs;
    const std::int64_t stride = dimensions[shape.reducesAcrossWidth ? 0 : reduced].inputStride;
    const bool liesDense = stride == reducer.types.input;
    if (liesDense && shape.reducesAcrossWidth && fast >= kLeastForVectors && reduced == 1) {
        fast /= reducer.types.inputVector;
    } else if (liesDense && !shape.reducesAcrossWidth) {
        shape.vector = outputVector(dimensions, reduced, reducer.offset, reducer.types.input);
        fast /= shape.vector;
    }
    shape.setBlock(fast, slow);
    (shape.reducesAcrossWidth ? shape.inputsAtOnce : shape.outputsAtOnce) *= shape.width;
    return shape;
}

constexpr std::int64_t kLeastValuesPerThread = 16, kMostValuesPerThread = 256;

// How many blocks share the inputs of one output; 1 if they are not split.
std::int64_t blocksPerOutput(LaunchShape& shape, const ReductionDevice& device)
{
    const bool splitsAcrossWarps =
        shape.valuesPerThread() >= std::min(shape.height * kLeastValuesPerThread, kMostValuesPerThread);
    (splitsAcrossWarps ? shape.inputsAtOnce : shape.outputsAtOnce) *= shape.height;
    const std::int64_t wanted =
        device.multiprocessors * (device.threadsPerMultiprocessor / (shape.width * shape.height));
    if (!splitsAcrossWarps || shape.valuesPerThread() < kMostValuesPerThread || shape.grid() > wanted)
        return 1;
    return std::max(
        std::min(ceilDivide(wanted, shape.grid()), ceilDivide(shape.valuesPerThread(), kLeastValuesPerThread)),
        ceilDivide(shape.valuesPerThread(), kMostValuesPerThread));
}

void addLaunch(ReductionScratch& scratch, const Dimensions& dimensions, const Reducer& reducer)
{
    if (dimensions.empty())
        return;
    LaunchShape shape = blockOf(dimensions, reducer);
    const std::int64_t blocks = blocksPerOutput(shape, reducer.device);
    if (blocks == 1)
        return;
    constexpr Bytes kCounter = 4;
    const std::int64_t inBlock = shape.reducesAcrossWidth ? 1 : shape.width * shape.vector;
    scratch.launches.push_back({reducer.types.accumulator * shape.outputs * blocks * inBlock, kCounter * shape.grid()});
}

// TensorIteratorBase::with_32bit_indexing: splits in halves until offsets fit, the first half first.
void addLaunches(ReductionScratch& scratch, Dimensions dimensions, const Reducer& reducer)
{
    if (fitsOffsets(dimensions))
        return addLaunch(scratch, dimensions, reducer);
    ReducedDimension& widest = widestDimension(dimensions);
    const std::int64_t whole = widest.size;
    for (const std::int64_t part : {whole / 2, whole - whole / 2}) {
        widest.size = part;
        addLaunches(scratch, dimensions, reducer);
    }
}

} // namespace

ReductionScratch reductionScratch(
    const ReducedTensor& tensor, const ReductionTypes& types, const ReductionDevice& device)
{
    ReductionScratch scratch;
    if (std::ranges::find(tensor.sizes, 0) != tensor.sizes.end())
        return scratch;
    Dimensions dimensions = dimensionsOf(tensor, types);
    sortDimensions(dimensions);
    mergeDimensions(dimensions);
    if (!fitsOffsets(dimensions) && types.output < types.accumulator)
        scratch.accumulators = outputsOf(dimensions) * types.accumulator;
    addLaunches(scratch, dimensions, {types, device, tensor.offset});
    return scratch;
}

} // namespace headroom::simulator
