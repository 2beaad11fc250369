// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/dnn/CudnnDescriptors.h"

#include <algorithm>

// Dropout, batch normalisation and the loss of connectionist temporal classification.
namespace headroom::rehearsal::dnn {
namespace {

// A state of XORWOW is 48 bytes, and each thread that can run at a time has one.
std::size_t dropoutStateBytes()
{
    constexpr std::size_t kStateBytes = 48;
    return kStateBytes * static_cast<std::size_t>(card().multiprocessors)
        * static_cast<std::size_t>(card().threadsPerMultiprocessor);
}

// Sums of two kinds for each channel and multiprocessor, in single precision.
std::size_t partialSums(const void* tensor)
{
    const auto& of = *static_cast<const TensorDescriptor*>(tensor);
    return 2 * sizeof(float) * static_cast<std::size_t>(std::max(of.extents[1], 0))
        * static_cast<std::size_t>(card().multiprocessors);
}

// No formula is published. Nothing is counted.
int answerNormalisation(const char* function, std::size_t most, std::size_t* bytes)
{
    if (bytes == nullptr)
        return badParameter();
    *bytes = 0;
    if (most > 0)
        noteNotCounted("cuDNN", function, 0, most);
    return kSuccess;
}

int setDropout(void* dropout, void* handle, float rate, void* states, unsigned long long seed)
{
    if (dropout == nullptr || handleOf(handle) == nullptr)
        return badParameter();
    *static_cast<DropoutDescriptor*>(dropout) = {rate, states, seed};
    return kSuccess;
}

// Forward variables of each step and state: 2 L + 1 states for L labels, and as many backward.
std::size_t lossBytes(const void* probabilities, int labels)
{
    const auto& of = *static_cast<const TensorDescriptor*>(probabilities);
    const std::size_t steps = static_cast<std::size_t>(std::max(of.extents[0], 0));
    const std::size_t batch = static_cast<std::size_t>(std::max(of.extents[1], 0));
    return 2 * sizeof(float) * steps * batch * (2 * static_cast<std::size_t>(std::max(labels, 0)) + 1);
}

int answerLoss(void* handle, const void* probabilities, int labels, std::size_t* bytes)
{
    if (handleOf(handle) == nullptr || probabilities == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = lossBytes(probabilities, labels);
    noteNotCounted("cuDNN", "cudnnCTCLoss", 0, *bytes);
    return kSuccess;
}

int setLoss(void* loss, const LossDescriptor& values)
{
    if (loss == nullptr)
        return badParameter();
    *static_cast<LossDescriptor*>(loss) = values;
    return kSuccess;
}

} // namespace
} // namespace headroom::rehearsal::dnn

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::dnn;

HEADROOM_DESCRIPTOR(cudnnCreateDropoutDescriptor, cudnnDestroyDropoutDescriptor, DropoutDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateCTCLossDescriptor, cudnnDestroyCTCLossDescriptor, LossDescriptor)

// Dropout.
HEADROOM_CARD_API int cudnnDropoutGetStatesSize(void* handle, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = dropoutStateBytes();
    return dnn::kSuccess;
}

// One bit for each element.
HEADROOM_CARD_API int cudnnDropoutGetReserveSpaceSize(const void* tensor, std::size_t* bytes)
{
    if (tensor == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = (static_cast<const TensorDescriptor*>(tensor)->elements() + 7) / 8;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnSetDropoutDescriptor(
    void* dropout, void* handle, float rate, void* states, std::size_t bytes, unsigned long long seed)
{
    if (states != nullptr && bytes < dropoutStateBytes())
        return dnn::status(Problem::BadParameter);
    if (states != nullptr)
        dnn::launchOn(handle, "cudnnSetDropoutDescriptor"); // makes the states
    return setDropout(dropout, handle, rate, states, seed);
}

HEADROOM_CARD_API int cudnnRestoreDropoutDescriptor(
    void* dropout, void* handle, float rate, void* states, std::size_t, unsigned long long seed)
{
    return setDropout(dropout, handle, rate, states, seed);
}

HEADROOM_CARD_API int cudnnGetDropoutDescriptor(
    const void* dropout, void*, float* rate, void** states, unsigned long long* seed)
{
    if (dropout == nullptr)
        return badParameter();
    const auto& own = *static_cast<const DropoutDescriptor*>(dropout);
    tell(rate, own.dropout);
    tell(states, own.states);
    tell(seed, own.seed);
    return dnn::kSuccess;
}

// Connectionist temporal classification.
HEADROOM_CARD_API int cudnnSetCTCLossDescriptor(void* loss, int computeType)
{
    return setLoss(loss, {computeType, 0, 0, 0});
}

HEADROOM_CARD_API int cudnnSetCTCLossDescriptorEx(void* loss, int computeType, int normalisation, int gradientMode)
{
    return setLoss(loss, {computeType, normalisation, gradientMode, 0});
}

HEADROOM_CARD_API int cudnnSetCTCLossDescriptor_v8(
    void* loss, int computeType, int normalisation, int gradientMode, int mostLabels)
{
    return setLoss(loss, {computeType, normalisation, gradientMode, mostLabels});
}

HEADROOM_CARD_API int cudnnSetCTCLossDescriptor_v9(
    void* loss, int computeType, int normalisation, int gradientMode, int mostLabels)
{
    return setLoss(loss, {computeType, normalisation, gradientMode, mostLabels});
}

HEADROOM_CARD_API int cudnnGetCTCLossDescriptor_v9(
    const void* loss, int* computeType, int* normalisation, int* gradientMode, int* mostLabels)
{
    if (loss == nullptr)
        return badParameter();
    const auto& own = *static_cast<const LossDescriptor*>(loss);
    tell(computeType, own.computeType);
    tell(normalisation, own.normalisation);
    tell(gradientMode, own.gradientMode);
    tell(mostLabels, own.mostLabels);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetCTCLossDescriptor_v8(
    const void* loss, int* computeType, int* normalisation, int* gradientMode, int* mostLabels)
{
    return cudnnGetCTCLossDescriptor_v9(loss, computeType, normalisation, gradientMode, mostLabels);
}

HEADROOM_CARD_API int cudnnGetCTCLossDescriptorEx(
    const void* loss, int* computeType, int* normalisation, int* gradientMode)
{
    return cudnnGetCTCLossDescriptor_v9(loss, computeType, normalisation, gradientMode, nullptr);
}

HEADROOM_CARD_API int cudnnGetCTCLossDescriptor(const void* loss, int* computeType)
{
    return cudnnGetCTCLossDescriptor_v9(loss, computeType, nullptr, nullptr, nullptr);
}

// The lengths of the labels are on the host in the older call, and bounded by the descriptor in the newer.
HEADROOM_CARD_API int cudnnGetCTCLossWorkspaceSize(void* handle, const void* probabilities, const void*, const int*,
    const int* labelLengths, const int*, int, void*, std::size_t* bytes)
{
    if (probabilities == nullptr || labelLengths == nullptr)
        return badParameter();
    const int batch = static_cast<const TensorDescriptor*>(probabilities)->extents[1];
    const int longest = batch < 1 ? 0 : *std::max_element(labelLengths, labelLengths + batch);
    return answerLoss(handle, probabilities, longest, bytes);
}

HEADROOM_CARD_API int cudnnGetCTCLossWorkspaceSize_v8(
    void* handle, int, void* loss, const void* probabilities, const void*, std::size_t* bytes)
{
    if (loss == nullptr)
        return badParameter();
    return answerLoss(handle, probabilities, static_cast<const LossDescriptor*>(loss)->mostLabels, bytes);
}

// Batch normalisation.
HEADROOM_CARD_API int cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    void* handle, int, int, const void* input, const void*, const void*, const void*, const void*, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || input == nullptr)
        return badParameter();
    return answerNormalisation("cudnnBatchNormalizationForwardTrainingEx", partialSums(input), bytes);
}

HEADROOM_CARD_API int cudnnGetBatchNormalizationBackwardExWorkspaceSize(void* handle, int, int, const void* input,
    const void*, const void*, const void*, const void*, const void*, const void*, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || input == nullptr)
        return badParameter();
    return answerNormalisation("cudnnBatchNormalizationBackwardEx", partialSums(input), bytes);
}

// With an activation, one bit for each element says where it was cut off; without one nothing is kept.
HEADROOM_CARD_API int cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    void* handle, int, int operations, const void*, const void* input, std::size_t* bytes)
{
    constexpr int kNormalisationAlone = 0;
    if (dnn::handleOf(handle) == nullptr || input == nullptr || bytes == nullptr)
        return badParameter();
    const std::size_t elements = static_cast<const TensorDescriptor*>(input)->elements();
    *bytes = operations == kNormalisationAlone ? 0 : (elements + 7) / 8;
    return dnn::kSuccess;
}
