// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryHandle.h"
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cuda_runtime_api.h>

namespace headroom::rehearsal::rand {
namespace {

// curandStatus_t.
enum Status : int {
    Success = 0,
    NotInitialised = 101,
    TypeError = 103,
    OutOfRange = 104,
    LaunchFailure = 201,
    InitialisationFailed = 203,
};

struct Generator : LibraryHandle {
    explicit Generator(int ofType)
        : LibraryHandle(Library::Curand)
        , type(ofType)
    {
    }

    int type;
};

constexpr int kFirstQuasiRandom = 200;
constexpr int kLastType = 204;

Generator* generatorOf(void* generator)
{
    return isHandleOf(generator, Library::Curand) ? static_cast<Generator*>(generator) : nullptr;
}

// A state of XORWOW, the greatest of the default generators, is 48 bytes, and no more threads have one than run at a
// time.
std::size_t mostStateBytes()
{
    constexpr std::size_t kStateBytes = 48;
    return kStateBytes * static_cast<std::size_t>(card().multiprocessors)
        * static_cast<std::size_t>(card().threadsPerMultiprocessor);
}

int generate(void* generator, const void* output, const char* name)
{
    const Generator* own = generatorOf(generator);
    if (own == nullptr)
        return NotInitialised;
    if (output == nullptr)
        return OutOfRange;
    return launchNamed(name, own->stream) == 0 ? Success : LaunchFailure;
}

int isThere(void* generator)
{
    return generatorOf(generator) == nullptr ? NotInitialised : Success;
}

} // namespace
} // namespace headroom::rehearsal::rand

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::rand;

HEADROOM_CARD_API int curandGetVersion(int* version)
{
    if (version == nullptr)
        return OutOfRange;
    *version = versionOf(Library::Curand).number(1000);
    return rand::Success;
}

HEADROOM_CARD_API int curandGetProperty(int property, int* value)
{
    return readProperty(Library::Curand, property, value) ? rand::Success : OutOfRange;
}

HEADROOM_CARD_API int curandCreateGenerator(void** generator, int type)
{
    if (generator == nullptr || type < 100 || type > kLastType)
        return TypeError;
    if (cudaFree(nullptr) != cudaSuccess)
        return InitialisationFailed;
    *generator = static_cast<LibraryHandle*>(new Generator(type));
    noteNotCounted("cuRAND", "curandCreateGenerator", 0, mostStateBytes());
    return rand::Success;
}

HEADROOM_CARD_API int curandDestroyGenerator(void* generator)
{
    Generator* own = generatorOf(generator);
    if (own == nullptr)
        return rand::NotInitialised;
    delete own;
    return rand::Success;
}

HEADROOM_CARD_API int curandSetStream(void* generator, CUstream_st* stream)
{
    Generator* own = generatorOf(generator);
    if (own == nullptr)
        return rand::NotInitialised;
    own->stream = stream;
    return rand::Success;
}

// Nothing random is made, so that seed, offset and order are accepted and change nothing.
HEADROOM_CARD_API int curandSetPseudoRandomGeneratorSeed(void* generator, unsigned long long)
{
    const Generator* own = generatorOf(generator);
    if (own == nullptr)
        return rand::NotInitialised;
    return own->type >= kFirstQuasiRandom ? TypeError : rand::Success;
}

HEADROOM_CARD_API int curandSetGeneratorOffset(void* generator, unsigned long long)
{
    return rand::isThere(generator);
}

HEADROOM_CARD_API int curandSetGeneratorOrdering(void* generator, int)
{
    return rand::isThere(generator);
}

HEADROOM_CARD_API int curandSetQuasiRandomGeneratorDimensions(void* generator, unsigned dimensions)
{
    constexpr unsigned kMostDimensions = 20000;
    const Generator* own = generatorOf(generator);
    if (own == nullptr)
        return rand::NotInitialised;
    if (own->type < kFirstQuasiRandom)
        return TypeError;
    return dimensions < 1 || dimensions > kMostDimensions ? OutOfRange : rand::Success;
}

HEADROOM_CARD_API int curandGenerateSeeds(void* generator)
{
    return rand::isThere(generator);
}

#define HEADROOM_GENERATE(NAME, ...)                                                                                   \
    HEADROOM_CARD_API int NAME(void* generator, void* output, std::size_t __VA_OPT__(, ) __VA_ARGS__)                  \
    {                                                                                                                  \
        return generate(generator, output, #NAME);                                                                     \
    }
HEADROOM_GENERATE(curandGenerate)
HEADROOM_GENERATE(curandGenerateLongLong)
HEADROOM_GENERATE(curandGenerateUniform)
HEADROOM_GENERATE(curandGenerateUniformDouble)
HEADROOM_GENERATE(curandGenerateNormal, float, float)
HEADROOM_GENERATE(curandGenerateNormalDouble, double, double)
HEADROOM_GENERATE(curandGenerateLogNormal, float, float)
HEADROOM_GENERATE(curandGenerateLogNormalDouble, double, double)
HEADROOM_GENERATE(curandGeneratePoisson, double)
