// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/dnn/CudnnEngines.h"

#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/api/dnn/Cudnn.h"
#include "profiling/rehearsal/api/dnn/CudnnOriginal.h"

#include <algorithm>

namespace headroom::rehearsal::dnn {
namespace {

std::shared_ptr<Content> ownConfiguration(const std::shared_ptr<Content>& graph)
{
    auto engine = std::make_shared<Content>(kind::Engine);
    engine->setDescriptor(attribute::EngineGraph, graph);
    engine->setInteger(attribute::EngineIndex, 0);
    engine->isFinal = true;
    auto configuration = std::make_shared<Content>(kind::EngineConfiguration);
    configuration->setDescriptor(attribute::ConfigurationEngine, engine);
    configuration->isFinal = true;
    configuration->isOurs = true;
    return configuration;
}

// Single precision is measured to take nothing: a V100 with cuDNN 7.6 (pytorch 50990), the patches of a ViT on an H100
// with the cuDNN of torch 2.6 (mem-run-estimator).
bool isForTensorCores(const Content& tensor)
{
    constexpr int kSmallFloat = 2;
    const std::int64_t elements = tensorElements(tensor);
    return card().capabilityMajor >= 7 && elements > 0 && tensorBytes(tensor) / elements <= kSmallFloat;
}

bool isAllLast(const ConvolutionParts& parts)
{
    return isChannelsLast(*parts.x) && isChannelsLast(*parts.y);
}

// One group for each channel, or nearly: kernels of their own that work on the tensors as they are.
bool isDepthwise(const ConvolutionParts& parts)
{
    const auto input = parts.x->integers(attribute::TensorDimensions);
    const auto filter = parts.w->integers(attribute::TensorDimensions);
    return input.size() > 1 && filter.size() > 1 && filter[1] > 0 && input[1] / filter[1] > 1 && filter[1] < 4;
}

// Tensor cores take channels last: other layouts are copied there and back. cuDNN 9.19 says 51,454,099 bytes for a 3 x
// 3 convolution of 64 channels in float16 whose three tensors have 51,453,952.
WorkspaceRange convolutionWorkspace(const ConvolutionParts& parts)
{
    const std::int64_t copies = tensorBytes(*parts.x) + tensorBytes(*parts.w) + tensorBytes(*parts.y);
    if (!isForTensorCores(*parts.x) || isAllLast(parts) || isDepthwise(parts))
        return {0, copies};
    constexpr std::int64_t kRest = 147;
    return {copies + kRest, copies};
}

// Other graphs keep what they reduce in single precision, once for each tensor at most.
std::int64_t singlePrecisionBytes(const Content& operation)
{
    std::int64_t bytes = 0;
    for (const auto& tensor : tensorsOf(operation))
        bytes = std::max(bytes, tensorElements(*tensor) * static_cast<std::int64_t>(elementBytes(Float)));
    return bytes;
}

void noteRange(const WorkspaceRange& range)
{
    if (range.more > 0)
        noteNotCounted("cuDNN", "cudnnBackendExecute", 0, static_cast<std::size_t>(range.more));
}

} // namespace

WorkspaceRange estimatedWorkspace(const Content& graph)
{
    WorkspaceRange range;
    for (const auto& operation : operationsOf(graph)) {
        const auto parts = convolutionParts(*operation);
        const WorkspaceRange own =
            parts ? convolutionWorkspace(*parts) : WorkspaceRange{0, singlePrecisionBytes(*operation)};
        range.counted = std::max(range.counted, own.counted);
        range.more = std::max(range.more, own.more);
    }
    return range;
}

void findEngines(Content& heuristics)
{
    heuristics.results.clear();
    const auto graph = heuristics.descriptor(attribute::HeuristicsGraph);
    if (graph == nullptr)
        return;
    if (!original::findEngines(heuristics))
        heuristics.results.push_back(ownConfiguration(graph));
}

int makePlan(Content& plan)
{
    const auto configuration = plan.descriptor(attribute::PlanConfiguration);
    const auto graph = configuration == nullptr ? nullptr : graphOf(*configuration);
    if (graph == nullptr)
        return status(Problem::NotFinal);
    const original::Answer answer = configuration->isOurs
        ? original::Answer{.status = 0, .needsDevice = true, .workspace = {}}
        : original::makePlan(*configuration);
    if (answer.status != kSuccess && !answer.needsDevice)
        return answer.status;
    if (answer.workspace) {
        plan.workspace = answer.workspace;
        return kSuccess;
    }
    const WorkspaceRange range = estimatedWorkspace(*graph);
    plan.workspace = range.counted;
    noteRange(range);
    return kSuccess;
}

std::int64_t engineCount(Content& graph)
{
    return original::engineCount(graph).value_or(1);
}

} // namespace headroom::rehearsal::dnn
