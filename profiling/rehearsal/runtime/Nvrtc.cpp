// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Launches.h"
#include "profiling/rehearsal/kernels/FatBinary.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <iterator>
#include <string>
#include <vector>

using namespace headroom::rehearsal; // NOLINT: what follows is C

// NVRTC compiles source at run time. Here nothing is compiled: a program's code is a container that says its
// architecture and holds no instructions, so that every kernel that is asked of it is there. The interface as NVRTC's
// documentation describes it.

namespace {

enum Status { kSuccess = 0, kInvalidInput = 3, kInvalidProgram = 4, kNoNameExpressions = 8, kNameNotValid = 10 };

struct Program {
    std::vector<std::string> names; ///< expressions whose lowered names may be asked for
    std::string code;
    std::string ptx;
    bool isCompiled = false;
};

constexpr char kArchitectureOption[] = "--gpu-architecture=";
constexpr char kShortArchitectureOption[] = "-arch=";

/// "sm_90a", "compute_90" as 90.
int architectureIn(const char* value)
{
    return std::atoi(value + std::strcspn(value, "0123456789"));
}

int architectureOf(int count, const char* const* options)
{
    int architecture = card().capabilityMajor * 10 + card().capabilityMinor;
    for (int i = 0; i < count; ++i) {
        for (const char* prefix : {kArchitectureOption, kShortArchitectureOption}) {
            if (std::strncmp(options[i], prefix, std::strlen(prefix)) == 0)
                architecture = architectureIn(options[i] + std::strlen(prefix));
        }
    }
    return architecture;
}

int give(const std::string& text, std::size_t* size)
{
    if (size == nullptr)
        return kInvalidInput;
    *size = text.size();
    return kSuccess;
}

int give(const std::string& text, char* destination)
{
    if (destination == nullptr)
        return kInvalidInput;
    std::memcpy(destination, text.data(), text.size());
    return kSuccess;
}

constexpr int kArchitectures[] = {70, 75, 80, 86, 87, 89, 90, 100, 103, 120};

/// Those that this version of NVRTC compiles for: 13 left 7.0 behind, and 12 up to 12.8 does not know 10.3.
std::vector<int> supportedArchitectures()
{
    std::vector<int> supported;
    for (const int one : kArchitectures) {
        if (CUDA_VERSION >= 13000 ? one >= 75 : one != 103)
            supported.push_back(one);
    }
    return supported;
}

} // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor)
{
    if (major == nullptr || minor == nullptr)
        return kInvalidInput;
    *major = CUDA_VERSION / 1000;
    *minor = CUDA_VERSION % 1000 / 10;
    return kSuccess;
}

const char* nvrtcGetErrorString(int status)
{
    static constexpr const char* kNames[] = {"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE", "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION", "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR"};
    return status >= 0 && status < static_cast<int>(std::size(kNames)) ? kNames[status] : "NVRTC_ERROR unknown";
}

int nvrtcGetNumSupportedArchs(int* count)
{
    if (count == nullptr)
        return kInvalidInput;
    *count = static_cast<int>(supportedArchitectures().size());
    return kSuccess;
}

int nvrtcGetSupportedArchs(int* architectures)
{
    if (architectures == nullptr)
        return kInvalidInput;
    const auto supported = supportedArchitectures();
    std::memcpy(architectures, supported.data(), supported.size() * sizeof(int));
    return kSuccess;
}

int nvrtcCreateProgram(Program** program, const char* source, const char* /*name*/, int /*headers*/,
    const char* const* /*contents*/, const char* const* /*includeNames*/)
{
    if (program == nullptr || source == nullptr)
        return kInvalidInput;
    *program = new Program;
    return kSuccess;
}

int nvrtcDestroyProgram(Program** program)
{
    if (program == nullptr || *program == nullptr)
        return kInvalidProgram;
    delete *program;
    *program = nullptr;
    return kSuccess;
}

int nvrtcAddNameExpression(Program* program, const char* expression)
{
    if (program == nullptr || expression == nullptr)
        return kInvalidProgram;
    if (program->isCompiled)
        return kNoNameExpressions;
    program->names.emplace_back(expression);
    return kSuccess;
}

int nvrtcCompileProgram(Program* program, int count, const char* const* options)
{
    if (program == nullptr)
        return kInvalidProgram;
    program->code = emptyContainer(architectureOf(count, options));
    program->ptx = program->code;
    program->isCompiled = true;
    return kSuccess;
}

/// The lowered name of an expression is the expression: whoever asks the module for it gets its kernel.
int nvrtcGetLoweredName(Program* program, const char* expression, const char** lowered)
{
    if (program == nullptr || lowered == nullptr)
        return kInvalidProgram;
    for (const std::string& name : program->names) {
        if (name == expression) {
            *lowered = name.c_str();
            return kSuccess;
        }
    }
    return kNameNotValid;
}

int nvrtcGetCUBINSize(Program* program, std::size_t* size)
{
    return program == nullptr ? static_cast<int>(kInvalidProgram) : give(program->code, size);
}

int nvrtcGetCUBIN(Program* program, char* cubin)
{
    return program == nullptr ? static_cast<int>(kInvalidProgram) : give(program->code, cubin);
}

int nvrtcGetPTXSize(Program* program, std::size_t* size)
{
    return program == nullptr ? static_cast<int>(kInvalidProgram) : give(program->ptx, size);
}

int nvrtcGetPTX(Program* program, char* ptx)
{
    return program == nullptr ? static_cast<int>(kInvalidProgram) : give(program->ptx, ptx);
}

int nvrtcGetProgramLogSize(Program* program, std::size_t* size)
{
    if (program == nullptr || size == nullptr)
        return kInvalidProgram;
    *size = 1;
    return kSuccess;
}

int nvrtcGetProgramLog(Program* program, char* log)
{
    if (program == nullptr || log == nullptr)
        return kInvalidProgram;
    *log = '\0';
    return kSuccess;
}

} // extern "C"
