// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/dnn/CudnnGraph.h"

#include "profiling/rehearsal/api/dnn/Cudnn.h"

#include <numeric>

namespace headroom::rehearsal::dnn {
namespace {

constexpr std::size_t kEnumBytes = 4;

// By the number of cudnnBackendAttributeType_t: handle, data type, boolean, 64-bit integer, float, double, pointer,
// seven enums, pointwise mode, descriptor, seven enums, 32-bit integer, character, enum, fraction of two 64-bit
// integers, three enums.
constexpr std::size_t kValueBytes[] = {
    8, 4, 1, 8, 4, 8, 8, 4, 4, 4, 4, 4, 4, 4, 4, 8, 4, 4, 4, 4, 4, 4, 4, 4, 1, 4, 16, 4, 4, 4};

std::shared_ptr<Content> tensorAt(const Content& operation, int name)
{
    return operation.descriptor(name);
}

} // namespace

std::size_t valueBytes(int valueType)
{
    constexpr auto kKnown = static_cast<int>(std::size(kValueBytes));
    if (valueType < 0)
        return 0;
    return valueType < kKnown ? kValueBytes[valueType] : kEnumBytes; // newer versions have added enums alone
}

const AttributeValue* Content::find(int name) const
{
    const auto found = attributes.find(name);
    return found == attributes.end() ? nullptr : &found->second;
}

std::shared_ptr<Content> Content::descriptor(int name) const
{
    const AttributeValue* value = find(name);
    return value == nullptr || value->descriptors.empty() ? nullptr : value->descriptors.front();
}

std::vector<std::int64_t> Content::integers(int name) const
{
    const AttributeValue* value = find(name);
    std::vector<std::int64_t> numbers;
    if (value == nullptr || value->type != value_type::Int64)
        return numbers;
    numbers.resize(static_cast<std::size_t>(value->count));
    std::memcpy(numbers.data(), value->bytes.data(), value->bytes.size());
    return numbers;
}

void Content::setInteger(int name, std::int64_t value)
{
    AttributeValue stored{value_type::Int64, 1, std::vector<char>(sizeof(value)), {}};
    std::memcpy(stored.bytes.data(), &value, sizeof(value));
    attributes[name] = std::move(stored);
}

void Content::setDescriptor(int name, const std::shared_ptr<Content>& value)
{
    attributes[name] = {value_type::Descriptor, 1, {}, {value}};
}

std::vector<std::shared_ptr<Content>> tensorsOf(const Content& operation)
{
    std::vector<std::shared_ptr<Content>> tensors;
    for (const auto& [name, value] : operation.attributes)
        for (const auto& descriptor : value.descriptors)
            if (descriptor->kind == kind::Tensor && !isVirtual(*descriptor))
                tensors.push_back(descriptor);
    return tensors;
}

std::int64_t tensorElements(const Content& tensor)
{
    const auto extents = tensor.integers(attribute::TensorDimensions);
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t tensorBytes(const Content& tensor)
{
    const AttributeValue* type = tensor.find(attribute::TensorDataType);
    int number = 0;
    if (type != nullptr && type->bytes.size() == sizeof(number))
        std::memcpy(&number, type->bytes.data(), sizeof(number));
    return tensorElements(tensor) * static_cast<std::int64_t>(elementBytes(number));
}

bool isVirtual(const Content& tensor)
{
    const AttributeValue* value = tensor.find(attribute::TensorIsVirtual);
    return value != nullptr && !value->bytes.empty() && value->bytes.front() != 0;
}

bool isChannelsLast(const Content& tensor)
{
    const auto strides = tensor.integers(attribute::TensorStrides);
    return strides.size() > 2 && strides[1] == 1;
}

std::vector<std::shared_ptr<Content>> operationsOf(const Content& graph)
{
    const AttributeValue* operations = graph.find(attribute::GraphOperations);
    return operations == nullptr ? std::vector<std::shared_ptr<Content>>() : operations->descriptors;
}

std::shared_ptr<Content> graphOf(const Content& configuration)
{
    const auto engine = configuration.descriptor(attribute::ConfigurationEngine);
    return engine == nullptr ? nullptr : engine->descriptor(attribute::EngineGraph);
}

bool isConvolution(int kind)
{
    return kind >= kind::ConvolutionForward && kind <= kind::ConvolutionBackwardData;
}

std::optional<ConvolutionParts> convolutionParts(const Content& operation)
{
    ConvolutionParts parts;
    if (operation.kind == kind::ConvolutionForward)
        parts = {tensorAt(operation, attribute::ForwardX), tensorAt(operation, attribute::ForwardW),
            tensorAt(operation, attribute::ForwardY), operation.descriptor(attribute::ForwardConvolution)};
    else if (operation.kind == kind::ConvolutionBackwardData)
        parts = {tensorAt(operation, attribute::BackwardDataDx), tensorAt(operation, attribute::BackwardDataW),
            tensorAt(operation, attribute::BackwardDataDy), operation.descriptor(attribute::BackwardDataConvolution)};
    else if (operation.kind == kind::ConvolutionBackwardFilter)
        parts = {tensorAt(operation, attribute::BackwardFilterX), tensorAt(operation, attribute::BackwardFilterDw),
            tensorAt(operation, attribute::BackwardFilterDy),
            operation.descriptor(attribute::BackwardFilterConvolution)};
    if (!parts.x || !parts.w || !parts.y || !parts.description)
        return std::nullopt;
    return parts;
}

} // namespace headroom::rehearsal::dnn
