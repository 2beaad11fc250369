// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/dnn/CudnnOriginal.h"

#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace headroom::rehearsal::dnn::original {
namespace {

constexpr int kFirstMajor = 9;
constexpr int kFirstMinor = 8;
constexpr int kSuccess = 0;

/// The functions that are asked.
struct Functions {
    int (*create)(int, void**) = nullptr;
    int (*destroy)(void*) = nullptr;
    int (*finalise)(void*) = nullptr;
    int (*set)(void*, int, int, std::int64_t, const void*) = nullptr;
    int (*get)(void*, int, int, std::int64_t, std::int64_t*, void*) = nullptr;
    void* device = nullptr; ///< the card
    bool isThere = false;
};

constinit Lock originalLock;

// What cuDNN asks of a device, as it writes it itself for one that is there. The limits of grids and blocks are the
// same for all cards that it supports.
std::string description()
{
    const Card& is = card();
    int driver = CUDART_VERSION;
    cudaDriverGetVersion(&driver);
    const int reserved = is.capabilityMajor >= 8 ? 1024 : 0;
    std::array<char, 2048> text{};
    std::snprintf(text.data(), text.size(),
        "{\"cudaDeviceId\":0,\"deviceVer\":%d,\"driverVer\":%d,\"totalGlobalMem\":%zu,"
        "\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64],\"regsPerBlock\":%d,"
        "\"multiProcessorCount\":%d,\"warpSize\":%d,\"maxSharedMemoryPerBlock\":%zu,"
        "\"maxSharedMemoryPerBlockOptin\":%zu,\"reservedSharedMemoryPerBlock\":%d,\"maxRegistersPerSM\":%d,"
        "\"maxCtasPerSM\":%d,\"maxThreadsPerBlock\":1024,\"maxThreadsPerSM\":%d,\"pciDeviceId\":0,"
        "\"isTccDriver\":0,\"supportCoopLaunch\":1,\"smClockRateKHz\":%d,\"memClockRateKHz\":%d,"
        "\"l2CacheSize\":%zu,\"deviceName\":\"%s\"}",
        is.capabilityMajor * 100 + is.capabilityMinor * 10, driver, is.totalBytes, is.registersPerBlock,
        is.multiprocessors, is.warpSize, is.sharedBytesPerBlock, is.sharedBytesPerBlockOptIn, reserved,
        is.registersPerMultiprocessor, is.blocksPerMultiprocessor, is.threadsPerMultiprocessor, is.clockKilohertz,
        is.memoryClockKilohertz, is.l2Bytes, is.name.c_str());
    return text.data();
}

template <typename Function> bool find(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

bool describeCard(Functions& functions)
{
    const std::string text = description();
    return functions.create(kind::DeviceProperties, &functions.device) == kSuccess
        && functions.set(functions.device, attribute::DeviceDescription, value_type::Character,
               static_cast<std::int64_t>(text.size()), text.data())
        == kSuccess
        && functions.finalise(functions.device) == kSuccess;
}

Functions openOriginal()
{
    Functions functions;
    const char* wish = std::getenv("HEADROOM_CARD_CUDNN");
    const LibraryVersion version = versionOf(Library::Cudnn);
    void* loaded = realFunction("libcudnn.so.", "cudnnBackendCreateDescriptor");
    Dl_info place{};
    if ((wish != nullptr && std::strcmp(wish, "0") == 0) || version.major != kFirstMajor || version.minor < kFirstMinor
        || loaded == nullptr || ::dladdr(loaded, &place) == 0)
        return functions;
    // The namespace ends with the process.
    void* library = ::dlmopen(LM_ID_NEWLM, place.dli_fname, RTLD_NOW | RTLD_LOCAL);
    functions.isThere = library != nullptr && find(library, "cudnnBackendCreateDescriptor", functions.create)
        && find(library, "cudnnBackendDestroyDescriptor", functions.destroy)
        && find(library, "cudnnBackendFinalize", functions.finalise)
        && find(library, "cudnnBackendSetAttribute", functions.set)
        && find(library, "cudnnBackendGetAttribute", functions.get) && describeCard(functions);
    return functions;
}

const Functions& functions()
{
    static const Functions s_functions = openOriginal();
    return s_functions;
}

std::shared_ptr<void> created(int kind)
{
    void* descriptor = nullptr;
    if (functions().create(kind, &descriptor) != kSuccess)
        return nullptr;
    return {descriptor, [](void* own) { functions().destroy(own); }};
}

int setDescriptor(void* descriptor, int name, void* value)
{
    return functions().set(descriptor, name, value_type::Descriptor, 1, &value);
}

// A handle is replaced by the card where there is an attribute for it, and left out in graphs, which need neither.
bool isHandle(int name)
{
    return name == attribute::GraphHandle || name == attribute::PlanHandle || name == attribute::DeviceHandle;
}

int deviceAttribute(int kind)
{
    switch (kind) {
    case kind::Engine:
        return attribute::EngineDevice;
    case kind::EngineHeuristics:
        return attribute::HeuristicsDevice;
    case kind::ExecutionPlan:
        return attribute::PlanDevice;
    default:
        return 0;
    }
}

void* originalOf(Content& content, int* status);

bool setAll(void* descriptor, const AttributeValue& value, int name, int* status)
{
    if (value.descriptors.empty()) {
        *status = functions().set(descriptor, name, value.type, value.count, value.bytes.data());
        return *status == kSuccess;
    }
    std::vector<void*> originals;
    for (const auto& member : value.descriptors) {
        originals.push_back(originalOf(*member, status));
        if (originals.back() == nullptr)
            return false;
    }
    *status =
        functions().set(descriptor, name, value.type, static_cast<std::int64_t>(originals.size()), originals.data());
    return *status == kSuccess;
}

// The same descriptor in the real library, made of the same attributes when it is first asked for.
void* originalOf(Content& content, int* status)
{
    if (content.original != nullptr || content.isOriginalBroken)
        return content.original.get();
    const auto descriptor = created(content.kind);
    content.isOriginalBroken = descriptor == nullptr;
    for (const auto& [name, value] : content.attributes)
        if (!content.isOriginalBroken && !isHandle(name) && name != deviceAttribute(content.kind))
            content.isOriginalBroken = !setAll(descriptor.get(), value, name, status);
    if (const int name = deviceAttribute(content.kind); name != 0 && !content.isOriginalBroken)
        setDescriptor(descriptor.get(), name, functions().device);
    if (!content.isOriginalBroken) {
        *status = functions().finalise(descriptor.get());
        content.isOriginalBroken = *status != kSuccess;
    }
    if (!content.isOriginalBroken)
        content.original = descriptor;
    return content.original.get();
}

std::optional<std::int64_t> integerOf(void* descriptor, int name)
{
    std::int64_t value = 0;
    std::int64_t count = 0;
    if (functions().get(descriptor, name, value_type::Int64, 1, &count, &value) != kSuccess)
        return std::nullopt;
    return value;
}

/// A list of descriptors that an attribute is read into.
std::vector<std::shared_ptr<void>> listOf(void* descriptor, int name, int memberKind)
{
    std::int64_t count = 0;
    if (functions().get(descriptor, name, value_type::Descriptor, 0, &count, nullptr) != kSuccess || count <= 0)
        return {};
    std::vector<std::shared_ptr<void>> members;
    std::vector<void*> places;
    for (std::int64_t index = 0; index < count; ++index) {
        members.push_back(created(memberKind));
        places.push_back(members.back().get());
    }
    std::int64_t found = 0;
    if (functions().get(descriptor, name, value_type::Descriptor, count, &found, places.data()) != kSuccess)
        return {};
    members.resize(static_cast<std::size_t>(std::min(found, count)));
    return members;
}

std::shared_ptr<Content> knobOf(void* choice)
{
    auto knob = std::make_shared<Content>(kind::KnobChoice);
    int type = 0;
    std::int64_t count = 0;
    functions().get(choice, attribute::KnobType, value_type::KnobType, 1, &count, &type);
    AttributeValue value{value_type::KnobType, 1, std::vector<char>(sizeof(type)), {}};
    std::memcpy(value.bytes.data(), &type, sizeof(type));
    knob->attributes[attribute::KnobType] = value;
    knob->setInteger(attribute::KnobValue, integerOf(choice, attribute::KnobValue).value_or(0));
    knob->isFinal = true;
    return knob;
}

// The engine by its number and the choices that the heuristics made for it.
std::shared_ptr<Content> configurationOf(const std::shared_ptr<void>& found, const std::shared_ptr<Content>& graph)
{
    auto engine = std::make_shared<Content>(kind::Engine);
    engine->setDescriptor(attribute::EngineGraph, graph);
    const auto engines = listOf(found.get(), attribute::ConfigurationEngine, kind::Engine);
    const std::int64_t index =
        engines.empty() ? 0 : integerOf(engines.front().get(), attribute::EngineIndex).value_or(0);
    engine->setInteger(attribute::EngineIndex, index);
    engine->isFinal = true;
    auto configuration = std::make_shared<Content>(kind::EngineConfiguration);
    configuration->setDescriptor(attribute::ConfigurationEngine, engine);
    AttributeValue knobs{value_type::Descriptor, 0, {}, {}};
    for (const auto& choice : listOf(found.get(), attribute::ConfigurationKnobs, kind::KnobChoice))
        knobs.descriptors.push_back(knobOf(choice.get()));
    knobs.count = static_cast<std::int64_t>(knobs.descriptors.size());
    if (knobs.count > 0)
        configuration->attributes[attribute::ConfigurationKnobs] = std::move(knobs);
    configuration->workspace = integerOf(found.get(), attribute::ConfigurationWorkspace);
    configuration->original = found;
    configuration->isFinal = true;
    return configuration;
}

// From 9 on: not supported for want of a driver, failures of drivers and launches.
bool isForWantOfDevice(int status)
{
    constexpr int kDriver = 3005;
    constexpr int kRuntime = 3006;
    constexpr int kPrerequisite = 3008;
    constexpr int kNotInitialised = 1001;
    constexpr int kFirstInternal = 4000;
    return status == kDriver || status == kRuntime || status == kPrerequisite || status == kNotInitialised
        || status >= kFirstInternal;
}

} // namespace

bool isThere()
{
    const LockScope scope(originalLock);
    return functions().isThere;
}

bool findEngines(Content& heuristics)
{
    const LockScope scope(originalLock);
    const auto graph = heuristics.descriptor(attribute::HeuristicsGraph);
    if (!functions().isThere || graph == nullptr)
        return false;
    int status = kSuccess;
    void* own = originalOf(heuristics, &status);
    if (own == nullptr)
        return false;
    for (const auto& found : listOf(own, attribute::HeuristicsResults, kind::EngineConfiguration))
        heuristics.results.push_back(configurationOf(found, graph));
    return !heuristics.results.empty();
}

Answer makePlan(Content& configuration)
{
    const LockScope scope(originalLock);
    Answer answer;
    if (!functions().isThere) {
        answer.needsDevice = true;
        return answer;
    }
    void* own = originalOf(configuration, &answer.status);
    if (own == nullptr) {
        answer.needsDevice = isForWantOfDevice(answer.status);
        return answer;
    }
    const auto plan = created(kind::ExecutionPlan);
    setDescriptor(plan.get(), attribute::PlanConfiguration, own);
    setDescriptor(plan.get(), attribute::PlanDevice, functions().device);
    answer.status = functions().finalise(plan.get());
    answer.needsDevice = isForWantOfDevice(answer.status);
    answer.workspace =
        answer.status == kSuccess ? integerOf(plan.get(), attribute::PlanWorkspace) : configuration.workspace;
    return answer;
}

std::optional<std::int64_t> engineCount(Content& graph)
{
    const LockScope scope(originalLock);
    int status = kSuccess;
    if (!functions().isThere)
        return std::nullopt;
    void* own = originalOf(graph, &status);
    return own == nullptr ? std::nullopt : integerOf(own, attribute::GraphEngineCount);
}

} // namespace headroom::rehearsal::dnn::original
