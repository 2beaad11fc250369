// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Launches.h"
#include "profiling/rehearsal/Product.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/dnn/Cudnn.h"
#include "profiling/rehearsal/api/dnn/CudnnEngines.h"
#include "profiling/rehearsal/api/dnn/CudnnGraph.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace headroom::rehearsal::dnn {
namespace {

/// What a caller holds: its content is replaced where an attribute is read into it.
struct Descriptor {
    unsigned magic = kMagic;
    std::shared_ptr<Content> content;

    static constexpr unsigned kMagic = 0x64657363;
};

Descriptor* descriptorOf(void* descriptor)
{
    auto* own = static_cast<Descriptor*>(descriptor);
    return own != nullptr && own->magic == Descriptor::kMagic ? own : nullptr;
}

int bad()
{
    return status(Problem::BadParameter);
}

// Reads descriptors into those that the caller has made; with no room only their number is told.
int giveDescriptors(
    const std::vector<std::shared_ptr<Content>>& from, std::int64_t wanted, std::int64_t* count, void* const* places)
{
    const auto there = static_cast<std::int64_t>(from.size());
    if (places == nullptr || wanted == 0) {
        if (count != nullptr)
            *count = there;
        return kSuccess;
    }
    const std::int64_t given = std::min(wanted, there);
    for (std::int64_t index = 0; index < given; ++index) {
        Descriptor* place = descriptorOf(places[index]);
        if (place == nullptr)
            return bad();
        place->content = from[static_cast<std::size_t>(index)];
    }
    if (count != nullptr)
        *count = given;
    return kSuccess;
}

int giveInteger(std::int64_t value, std::int64_t wanted, std::int64_t* count, void* place)
{
    if (count != nullptr)
        *count = 1;
    if (place != nullptr && wanted > 0)
        std::memcpy(place, &value, sizeof(value));
    return kSuccess;
}

int giveNothing(std::int64_t* count)
{
    if (count != nullptr)
        *count = 0;
    return kSuccess;
}

int giveStored(const AttributeValue& value, int type, std::int64_t wanted, std::int64_t* count, void* place)
{
    if (type != value.type)
        return bad();
    if (!value.descriptors.empty())
        return giveDescriptors(value.descriptors, wanted, count, static_cast<void* const*>(place));
    if (count != nullptr)
        *count = place == nullptr ? value.count : std::min(wanted, value.count);
    if (place != nullptr)
        std::memcpy(place, value.bytes.data(),
            static_cast<std::size_t>(std::clamp<std::int64_t>(wanted, 0, value.count)) * valueBytes(value.type));
    return kSuccess;
}

std::int64_t workspaceOf(Content& content)
{
    if (!content.workspace) {
        const auto graph = graphOf(content);
        content.workspace = graph == nullptr ? 0 : estimatedWorkspace(*graph).counted;
    }
    return *content.workspace;
}

// What is not set by the caller but follows.
std::optional<int> giveComputed(Content& content, int name, std::int64_t wanted, std::int64_t* count, void* place)
{
    switch (name) {
    case attribute::HeuristicsResults:
        return giveDescriptors(content.results, wanted, count, static_cast<void* const*>(place));
    case attribute::PlanWorkspace:
    case attribute::ConfigurationWorkspace:
        return giveInteger(workspaceOf(content), wanted, count, place);
    case attribute::ConfigurationSharedMemory:
        return giveInteger(0, wanted, count, place);
    case attribute::GraphEngineCount:
        return giveInteger(engineCount(content), wanted, count, place);
    default:
        return std::nullopt;
    }
}

// Attributes that a descriptor has without a value: an engine without notes and knobs, a plan without intermediates.
bool mayBeEmpty(const Content& content)
{
    return content.kind == kind::Engine || content.kind == kind::EngineConfiguration
        || content.kind == kind::ExecutionPlan;
}

const char* operationName(int kind)
{
    switch (kind) {
    case kind::ConvolutionForward:
        return "convolution_forward";
    case kind::ConvolutionBackwardData:
        return "convolution_backward_data";
    case kind::ConvolutionBackwardFilter:
        return "convolution_backward_filter";
    case kind::Pointwise:
        return "pointwise";
    case kind::GenerateStatistics:
        return "statistics";
    case kind::Matmul:
        return "matmul";
    case kind::Reduction:
        return "reduction";
    case kind::ResampleForward:
        return "resample_forward";
    case kind::ResampleBackward:
        return "resample_backward";
    case kind::NormForward:
        return "norm_forward";
    case kind::NormBackward:
        return "norm_backward";
    case kind::Reshape:
        return "reshape";
    case kind::Random:
        return "random";
    case kind::AttentionForward:
        return "attention";
    default:
        return "operation";
    }
}

int dataTypeOf(const Content& tensor)
{
    const AttributeValue* value = tensor.find(attribute::TensorDataType);
    int type = 0;
    if (value != nullptr && value->bytes.size() == sizeof(type))
        std::memcpy(&type, value->bytes.data(), sizeof(type));
    return cudaTypeOf(type);
}

// As a product of matrices: pixels by output channels, with a depth of input channels times the window, once a group.
Product productOf(int kind, const ConvolutionParts& parts)
{
    const auto x = parts.x->integers(attribute::TensorDimensions);
    const auto w = parts.w->integers(attribute::TensorDimensions);
    const auto y = parts.y->integers(attribute::TensorDimensions);
    Product product;
    if (x.size() < 3 || w.size() != x.size() || y.size() != x.size() || w[0] < 1 || w[1] < 1)
        return product;
    const std::int64_t groups = std::max<std::int64_t>(x[1] / w[1], 1);
    const std::int64_t pixels = tensorElements(*parts.y) / std::max<std::int64_t>(y[1], 1);
    const std::int64_t depth = tensorElements(*parts.w) / w[0];
    const std::int64_t channels = w[0] / groups;
    product.batch = groups;
    product.m = kind == kind::ConvolutionBackwardFilter ? channels : pixels;
    product.n = kind == kind::ConvolutionForward ? channels : depth;
    product.k = kind == kind::ConvolutionForward ? depth : kind == kind::ConvolutionBackwardData ? channels : pixels;
    product.typeA = dataTypeOf(*parts.x);
    product.typeB = dataTypeOf(*parts.w);
    product.typeC = dataTypeOf(*parts.y);
    return product;
}

std::string graphName(const std::vector<std::shared_ptr<Content>>& operations)
{
    std::vector<std::string> names;
    for (const auto& operation : operations)
        if (const std::string name = operationName(operation->kind);
            std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    return std::accumulate(names.begin(), names.end(), std::string("cudnn"),
        [](const std::string& all, const std::string& name) { return all + " " + name; });
}

int launchGraph(const Content& graph, CUstream_st* stream)
{
    const auto operations = operationsOf(graph);
    for (const auto& operation : operations)
        if (const auto parts = convolutionParts(*operation))
            return launchProduct(operationName(operation->kind), productOf(operation->kind, *parts), stream);
    return launchNamed(internedName(graphName(operations).c_str()), stream);
}

// The description of a device may be asked of the library; it is the card's in any case.
int finalise(Content& content)
{
    if (content.kind == kind::EngineHeuristics)
        findEngines(content);
    if (content.kind == kind::ExecutionPlan)
        if (const int made = makePlan(content); made != kSuccess)
            return made;
    content.isFinal = true;
    return kSuccess;
}

} // namespace
} // namespace headroom::rehearsal::dnn

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::dnn;

HEADROOM_CARD_API int cudnnBackendCreateDescriptor(int kind, void** descriptor)
{
    if (descriptor == nullptr || kind < 0)
        return bad();
    auto* made = new Descriptor;
    made->content = std::make_shared<Content>(kind);
    *descriptor = made;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnBackendInitialize(void* descriptor)
{
    return descriptorOf(descriptor) == nullptr ? bad() : dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnBackendDestroyDescriptor(void* descriptor)
{
    Descriptor* own = descriptorOf(descriptor);
    if (own == nullptr)
        return bad();
    own->magic = 0;
    delete own;
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnBackendSetAttribute(
    void* descriptor, int name, int type, std::int64_t count, const void* values)
{
    Descriptor* own = descriptorOf(descriptor);
    const std::size_t size = valueBytes(type);
    if (own == nullptr || own->content->isFinal || size == 0 || count < 0 || (count > 0 && values == nullptr))
        return bad();
    AttributeValue value{type, count, {}, {}};
    if (type == value_type::Descriptor) {
        for (std::int64_t index = 0; index < count; ++index) {
            const Descriptor* member = descriptorOf(static_cast<void* const*>(values)[index]);
            if (member == nullptr)
                return bad();
            value.descriptors.push_back(member->content);
        }
    } else {
        const auto* bytes = static_cast<const char*>(values);
        value.bytes.assign(bytes, bytes + static_cast<std::size_t>(count) * size);
    }
    own->content->attributes[name] = std::move(value);
    return dnn::kSuccess;
}

HEADROOM_CARD_API int cudnnBackendFinalize(void* descriptor)
{
    Descriptor* own = descriptorOf(descriptor);
    if (own == nullptr || own->content->isFinal)
        return bad();
    return finalise(*own->content);
}

HEADROOM_CARD_API int cudnnBackendGetAttribute(
    void* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count, void* values)
{
    Descriptor* own = descriptorOf(descriptor);
    if (own == nullptr || wanted < 0)
        return bad();
    Content& content = *own->content;
    if (!content.isFinal)
        return dnn::status(Problem::NotFinal);
    if (const auto computed = giveComputed(content, name, wanted, count, values))
        return *computed;
    if (const AttributeValue* stored = content.find(name))
        return giveStored(*stored, type, wanted, count, values);
    return mayBeEmpty(content) ? giveNothing(count) : bad();
}

HEADROOM_CARD_API int cudnnBackendExecute(void* handle, void* plan, void* variants)
{
    const dnn::Handle* own = dnn::handleOf(handle);
    const Descriptor* planned = descriptorOf(plan);
    if (own == nullptr || planned == nullptr || descriptorOf(variants) == nullptr)
        return bad();
    const auto configuration = planned->content->descriptor(attribute::PlanConfiguration);
    const auto graph = configuration == nullptr ? nullptr : graphOf(*configuration);
    if (!planned->content->isFinal || graph == nullptr)
        return dnn::status(Problem::NotFinal);
    return dnn::status(launchGraph(*graph, own->stream) == 0 ? Problem::None : Problem::ExecutionFailed);
}
