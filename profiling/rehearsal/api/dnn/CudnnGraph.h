// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The objects of cuDNN's backend interface: descriptors with attributes that are set, made final and read back.
/// Numbers are those of its documentation.
namespace headroom::rehearsal::dnn {

/// cudnnBackendDescriptorType_t, as far as anything depends on it.
namespace kind {
enum : int {
    Convolution = 1,
    Engine = 2,
    EngineConfiguration = 3,
    EngineHeuristics = 4,
    ExecutionPlan = 5,
    KnobChoice = 7,
    ConvolutionForward = 10,
    ConvolutionBackwardFilter = 11,
    ConvolutionBackwardData = 12,
    Pointwise = 13,
    GenerateStatistics = 14,
    OperationGraph = 15,
    Tensor = 17,
    Matmul = 19,
    Reduction = 22,
    ResampleForward = 25,
    ResampleBackward = 26,
    NormForward = 29,
    NormBackward = 30,
    Reshape = 31,
    Random = 33,
    KernelCache = 34,
    DeviceProperties = 38,
    AttentionForward = 41,
};
}

/// cudnnBackendAttributeName_t, likewise.
namespace attribute {
enum : int {
    ConvolutionDilations = 102,
    ConvolutionStrides = 103,
    ConvolutionPostPaddings = 104,
    ConvolutionPrePaddings = 105,
    HeuristicsMode = 200,
    HeuristicsGraph = 201,
    HeuristicsResults = 202,
    HeuristicsDevice = 204,
    ConfigurationEngine = 300,
    ConfigurationKnobs = 302,
    ConfigurationWorkspace = 303,
    ConfigurationSharedMemory = 304,
    PlanHandle = 400,
    PlanConfiguration = 401,
    PlanWorkspace = 402,
    PlanComputedIntermediates = 403,
    PlanDevice = 407,
    KnobType = 600,
    KnobValue = 601,
    ForwardConvolution = 702,
    ForwardW = 703,
    ForwardX = 704,
    ForwardY = 705,
    BackwardDataConvolution = 708,
    BackwardDataW = 709,
    BackwardDataDx = 710,
    BackwardDataDy = 711,
    BackwardFilterConvolution = 714,
    BackwardFilterDw = 715,
    BackwardFilterX = 716,
    BackwardFilterDy = 717,
    GraphHandle = 800,
    GraphOperations = 801,
    GraphEngineCount = 802,
    TensorDataType = 901,
    TensorDimensions = 902,
    TensorStrides = 903,
    TensorIsVirtual = 907,
    EngineGraph = 1300,
    EngineIndex = 1301,
    EngineDevice = 1307,
    MatmulA = 1520,
    MatmulB = 1521,
    MatmulC = 1522,
    DeviceHandle = 2701,
    DeviceDescription = 2702,
};
}

/// cudnnBackendAttributeType_t.
namespace value_type {
enum : int {
    Handle = 0,
    DataType = 1,
    Boolean = 2,
    Int64 = 3,
    HeuristicsMode = 8,
    KnobType = 9,
    Descriptor = 15,
    Character = 24
};
}

/// Of one element of an attribute; 0 where the type is none.
std::size_t valueBytes(int valueType);

struct Content;

struct AttributeValue {
    int type = 0;
    std::int64_t count = 0;
    std::vector<char> bytes; ///< empty for descriptors
    std::vector<std::shared_ptr<Content>> descriptors;
};

/// What a descriptor holds. Descriptors that are given to others are shared by them, as they do not change once they
/// are final.
struct Content {
    explicit Content(int ofKind)
        : kind(ofKind)
    {
    }

    int kind;
    bool isFinal = false;
    std::map<int, AttributeValue> attributes;
    std::vector<std::shared_ptr<Content>> results; ///< of heuristics: configurations, the best first
    std::optional<std::int64_t> workspace; ///< of configurations and plans
    std::shared_ptr<void> original; ///< the same in the real library, where it was asked
    bool isOriginalBroken = false;
    bool isOurs = false; ///< a configuration that the real library was not asked for

    const AttributeValue* find(int name) const;
    /// The first of an attribute's descriptors; null where it has none.
    std::shared_ptr<Content> descriptor(int name) const;
    std::vector<std::int64_t> integers(int name) const;
    void setInteger(int name, std::int64_t value);
    void setDescriptor(int name, const std::shared_ptr<Content>& value);
};

/// The tensors of an operation that are in memory, by the attributes that name them.
std::vector<std::shared_ptr<Content>> tensorsOf(const Content& operation);
std::int64_t tensorElements(const Content& tensor);
std::int64_t tensorBytes(const Content& tensor);
bool isVirtual(const Content& tensor);
/// True where the second extent's elements lie side by side: NHWC.
bool isChannelsLast(const Content& tensor);

/// The operations of a graph.
std::vector<std::shared_ptr<Content>> operationsOf(const Content& graph);
/// The graph of an engine configuration; null where it has none.
std::shared_ptr<Content> graphOf(const Content& configuration);
bool isConvolution(int kind);

/// A convolution with its tensors by their part: x and y are input and output, or their gradients.
struct ConvolutionParts {
    std::shared_ptr<Content> x, w, y, description;
};
std::optional<ConvolutionParts> convolutionParts(const Content& operation);

} // namespace headroom::rehearsal::dnn
