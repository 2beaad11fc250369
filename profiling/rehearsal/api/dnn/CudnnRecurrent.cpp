// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/dnn/CudnnDescriptors.h"

#include <algorithm>

namespace headroom::rehearsal::dnn {
namespace {

enum CellMode : int { Relu = 0, Tanh = 1, Lstm = 2, Gru = 3 };
enum BiasMode : int { NoBias = 0, InputBias = 1, DoubleBias = 2, RecurrentBias = 3 };

struct RecurrentDescriptor {
    int algorithm = 0;
    int cellMode = Lstm;
    int biasMode = DoubleBias;
    int directionMode = 0;
    int inputMode = 0;
    int dataType = Float;
    int mathPrecision = Float;
    int mathType = 0;
    int inputSize = 0;
    int hiddenSize = 0;
    int projectedSize = 0;
    int layers = 1;
    void* dropout = nullptr;
    unsigned flags = 0;
    int clipMode = 0;
    int clipNan = 0;
    double clipLeft = 0;
    double clipRight = 0;

    int directions() const { return directionMode == 0 ? 1 : 2; }
    int gates() const { return cellMode == Lstm ? 4 : cellMode == Gru ? 3 : 1; }
    bool isProjected() const { return cellMode == Lstm && projectedSize > 0 && projectedSize != hiddenSize; }
    int outputSize() const { return isProjected() ? projectedSize : hiddenSize; }
    int biases() const { return biasMode == NoBias ? 0 : biasMode == DoubleBias ? 2 : 1; }
    int pseudoLayers() const { return layers * directions(); }
};

struct SequenceDescriptor {
    int dataType = Float;
    int layout = 0;
    int longest = 0;
    int batch = 0;
    int vectorSize = 0;
    std::vector<int> lengths;
};

/// A matrix or bias of one gate, in elements from the begin of the weights.
struct Part {
    std::size_t begin = 0;
    int rows = 0;
    int columns = 0;
};

/// The weights lie as matrices of all layers, those of the input before the recurrent ones, then as the biases of all
/// layers.
class WeightLayout {
public:
    explicit WeightLayout(const RecurrentDescriptor& of)
        : m_of(of)
    {
    }

    std::size_t elements() const
    {
        return matricesBefore(m_of.pseudoLayers()) + static_cast<std::size_t>(m_of.pseudoLayers()) * biasesOfLayer();
    }

    /// `gate` counts the input's matrices, the recurrent ones, and last the projection. No rows where there is none.
    Part matrix(int layer, int gate) const
    {
        const int gates = m_of.gates();
        const std::size_t begin = matricesBefore(layer);
        const std::size_t inputs = static_cast<std::size_t>(m_of.hiddenSize) * inputOf(layer);
        const std::size_t recurrents =
            static_cast<std::size_t>(m_of.hiddenSize) * static_cast<std::size_t>(m_of.outputSize());
        const auto number = static_cast<std::size_t>(gate);
        const auto all = static_cast<std::size_t>(gates);
        if (gate < gates)
            return {begin + number * inputs, m_of.hiddenSize, static_cast<int>(inputOf(layer))};
        if (gate < 2 * gates)
            return {begin + all * inputs + (number - all) * recurrents, m_of.hiddenSize, m_of.outputSize()};
        if (gate == 2 * gates && m_of.isProjected())
            return {begin + all * (inputs + recurrents), m_of.projectedSize, m_of.hiddenSize};
        return {};
    }

    Part bias(int layer, int gate) const
    {
        const int gates = m_of.gates();
        if (gate >= 2 * gates || !hasBias(gate))
            return {};
        const int place = m_of.biasMode == RecurrentBias ? gate - gates : gate;
        return {matricesBefore(m_of.pseudoLayers()) + static_cast<std::size_t>(layer) * biasesOfLayer()
                + static_cast<std::size_t>(place) * static_cast<std::size_t>(m_of.hiddenSize),
            m_of.hiddenSize, 1};
    }

private:
    bool hasBias(int gate) const
    {
        const bool isInput = gate < m_of.gates();
        return m_of.biasMode == DoubleBias || (m_of.biasMode == InputBias && isInput)
            || (m_of.biasMode == RecurrentBias && !isInput);
    }

    // The first layer's is the input; the others read both directions of the layer below.
    std::size_t inputOf(int layer) const
    {
        const bool isFirst = layer < m_of.directions();
        constexpr int kSkipInput = 1;
        if (isFirst)
            return m_of.inputMode == kSkipInput ? 0 : static_cast<std::size_t>(m_of.inputSize);
        return static_cast<std::size_t>(m_of.outputSize()) * static_cast<std::size_t>(m_of.directions());
    }

    std::size_t matricesBefore(int layer) const
    {
        std::size_t elements = 0;
        for (int below = 0; below < layer; ++below) {
            const std::size_t columns = inputOf(below) + static_cast<std::size_t>(m_of.outputSize());
            elements += static_cast<std::size_t>(m_of.gates()) * static_cast<std::size_t>(m_of.hiddenSize) * columns;
            if (m_of.isProjected())
                elements += static_cast<std::size_t>(m_of.projectedSize) * static_cast<std::size_t>(m_of.hiddenSize);
        }
        return elements;
    }

    std::size_t biasesOfLayer() const
    {
        return static_cast<std::size_t>(m_of.biases()) * static_cast<std::size_t>(m_of.gates())
            * static_cast<std::size_t>(m_of.hiddenSize);
    }

    const RecurrentDescriptor& m_of;
};

void describe(void* tensor, const Part& part, int dataType)
{
    if (tensor == nullptr)
        return;
    auto& own = *static_cast<TensorDescriptor*>(tensor);
    own = {};
    own.dataType = dataType;
    own.dimensions = 3;
    own.extents = {1, part.rows, part.columns};
    own.packStrides();
}

void locate(const Part& part, int dataType, const void* weights, void* tensor, void** address)
{
    const bool isThere = part.rows > 0 && part.columns > 0;
    if (isThere)
        describe(tensor, part, dataType);
    if (address != nullptr)
        *address = isThere ? const_cast<char*>(static_cast<const char*>(weights)) + part.begin * elementBytes(dataType)
                           : nullptr;
}

const RecurrentDescriptor* recurrentOf(const void* rnn)
{
    return static_cast<const RecurrentDescriptor*>(rnn);
}

} // namespace
} // namespace headroom::rehearsal::dnn

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::dnn;

HEADROOM_DESCRIPTOR(cudnnCreateRNNDescriptor, cudnnDestroyRNNDescriptor, RecurrentDescriptor)
HEADROOM_DESCRIPTOR(cudnnCreateRNNDataDescriptor, cudnnDestroyRNNDataDescriptor, SequenceDescriptor)

HEADROOM_CARD_API int cudnnSetRNNDescriptor_v8(void* rnn, int algorithm, int cellMode, int biasMode, int directionMode,
    int inputMode, int dataType, int mathPrecision, int mathType, int inputSize, int hiddenSize, int projectedSize,
    int layers, void* dropout, unsigned flags)
{
    if (rnn == nullptr || cellMode < Relu || cellMode > Gru || hiddenSize < 1 || inputSize < 0 || layers < 1)
        return badParameter();
    auto& own = *static_cast<RecurrentDescriptor*>(rnn);
    own = {algorithm, cellMode, biasMode, directionMode, inputMode, dataType, mathPrecision, mathType, inputSize,
        hiddenSize, projectedSize, layers, dropout, flags};
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetRNNDescriptor_v8(const void* rnn, int* algorithm, int* cellMode, int* biasMode,
    int* directionMode, int* inputMode, int* dataType, int* mathPrecision, int* mathType, int* inputSize,
    int* hiddenSize, int* projectedSize, int* layers, void** dropout, unsigned* flags)
{
    if (rnn == nullptr)
        return badParameter();
    const RecurrentDescriptor& own = *recurrentOf(rnn);
    tell(algorithm, own.algorithm);
    tell(cellMode, own.cellMode);
    tell(biasMode, own.biasMode);
    tell(directionMode, own.directionMode);
    tell(inputMode, own.inputMode);
    tell(dataType, own.dataType);
    tell(mathPrecision, own.mathPrecision);
    tell(mathType, own.mathType);
    tell(inputSize, own.inputSize);
    tell(hiddenSize, own.hiddenSize);
    tell(projectedSize, own.projectedSize);
    tell(layers, own.layers);
    tell(dropout, own.dropout);
    tell(flags, own.flags);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnRNNSetClip_v8(void* rnn, int mode, int nanPropagation, double left, double right)
{
    if (rnn == nullptr)
        return badParameter();
    auto& own = *static_cast<RecurrentDescriptor*>(rnn);
    own.clipMode = mode;
    own.clipNan = nanPropagation;
    own.clipLeft = left;
    own.clipRight = right;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnRNNSetClip_v9(void* rnn, int mode, double left, double right)
{
    return cudnnRNNSetClip_v8(rnn, mode, 0, left, right);
}

HEADROOM_CARD_API int cudnnRNNGetClip_v8(const void* rnn, int* mode, int* nanPropagation, double* left, double* right)
{
    if (rnn == nullptr)
        return badParameter();
    const RecurrentDescriptor& own = *recurrentOf(rnn);
    tell(mode, own.clipMode);
    tell(nanPropagation, own.clipNan);
    tell(left, own.clipLeft);
    tell(right, own.clipRight);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnRNNGetClip_v9(const void* rnn, int* mode, double* left, double* right)
{
    return cudnnRNNGetClip_v8(rnn, mode, nullptr, left, right);
}

HEADROOM_CARD_API int cudnnBuildRNNDynamic(void* handle, void* rnn, int)
{
    return dnn::handleOf(handle) == nullptr || rnn == nullptr ? badParameter() : dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnSetRNNDataDescriptor(
    void* sequence, int dataType, int layout, int longest, int batch, int vectorSize, const int* lengths, void*)
{
    if (sequence == nullptr || longest < 1 || batch < 1 || vectorSize < 1)
        return badParameter();
    auto& own = *static_cast<SequenceDescriptor*>(sequence);
    own.dataType = dataType;
    own.layout = layout;
    own.longest = longest;
    own.batch = batch;
    own.vectorSize = vectorSize;
    own.lengths.assign(static_cast<std::size_t>(batch), longest);
    if (lengths != nullptr)
        std::copy_n(lengths, batch, own.lengths.begin());
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetRNNDataDescriptor(const void* sequence, int* dataType, int* layout, int* longest,
    int* batch, int* vectorSize, int wanted, int* lengths, void*)
{
    if (sequence == nullptr || wanted < 0)
        return badParameter();
    const auto& own = *static_cast<const SequenceDescriptor*>(sequence);
    tell(dataType, own.dataType);
    tell(layout, own.layout);
    tell(longest, own.longest);
    tell(batch, own.batch);
    tell(vectorSize, own.vectorSize);
    if (lengths != nullptr)
        std::copy_n(own.lengths.begin(), std::min(static_cast<std::size_t>(wanted), own.lengths.size()), lengths);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetRNNWeightSpaceSize(void* handle, const void* rnn, std::size_t* bytes)
{
    if (dnn::handleOf(handle) == nullptr || rnn == nullptr || bytes == nullptr)
        return badParameter();
    *bytes = WeightLayout(*recurrentOf(rnn)).elements() * elementBytes(recurrentOf(rnn)->dataType);
    return dnn::kSuccess;
}

// Training keeps for each step and layer the gates, the cell and the output; a step's gates of all directions are
// worked on at a time for the whole sequence. No formula is published: the range is as much again.
HEADROOM_CARD_API int cudnnGetRNNTempSpaceSizes(
    void* handle, const void* rnn, int forwardMode, const void* sequence, std::size_t* workspace, std::size_t* reserve)
{
    constexpr int kTraining = 1;
    if (dnn::handleOf(handle) == nullptr || rnn == nullptr || sequence == nullptr)
        return badParameter();
    const RecurrentDescriptor& own = *recurrentOf(rnn);
    const auto& data = *static_cast<const SequenceDescriptor*>(sequence);
    const std::size_t states = static_cast<std::size_t>(data.longest) * static_cast<std::size_t>(data.batch)
        * static_cast<std::size_t>(own.hiddenSize) * static_cast<std::size_t>(own.directions())
        * elementBytes(own.dataType);
    const std::size_t work = states * static_cast<std::size_t>(own.gates());
    const std::size_t kept = forwardMode == kTraining
        ? states * static_cast<std::size_t>(own.layers) * static_cast<std::size_t>(own.gates() + 2)
        : 0;
    tell(workspace, work);
    tell(reserve, kept);
    noteNotCounted("cuDNN", "cudnnGetRNNTempSpaceSizes", 0, work + kept);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnGetRNNWeightParams(void* handle, const void* rnn, int layer, std::size_t bytes,
    const void* weights, int gate, void* matrix, void** matrixAddress, void* bias, void** biasAddress)
{
    if (dnn::handleOf(handle) == nullptr || rnn == nullptr)
        return badParameter();
    const RecurrentDescriptor& own = *recurrentOf(rnn);
    const WeightLayout layout(own);
    if (layer < 0 || layer >= own.pseudoLayers() || gate < 0 || gate > 2 * own.gates()
        || bytes < layout.elements() * elementBytes(own.dataType))
        return badParameter();
    locate(layout.matrix(layer, gate), own.dataType, weights, matrix, matrixAddress);
    locate(layout.bias(layer, gate), own.dataType, weights, bias, biasAddress);
    return dnn::kSuccess;
}
