// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/api/SubstituteLibrary.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace headroom::rehearsal::tests {
namespace {

constexpr const char* kCard = R"(name NVIDIA H100 80GB HBM3
count 2
capabilityMajor 9
capabilityMinor 0
totalBytes 85029158912
contextBytes 524288000
hostBytes 0
multiprocessors 132
threadsPerMultiprocessor 2048
blocksPerMultiprocessor 32
warpSize 32
sharedBytesPerBlock 49152
sharedBytesPerBlockOptIn 232448
sharedBytesPerMultiprocessor 233472
registersPerBlock 65536
registersPerMultiprocessor 65536
l2Bytes 52428800
memoryBusBits 5120
clockKilohertz 1980000
memoryClockKilohertz 2619000
ascendingSegments 0
kernelSeconds 0.00001
bytesPerSecond 3350000000000
hostLinkBytesPerSecond 55000000000
)";

std::string writtenCard(const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "card") << kCard;
    return folder / "card";
}

} // namespace

const SubstituteLibrary& SubstituteLibrary::instance()
{
    static const SubstituteLibrary s_library;
    return s_library;
}

SubstituteLibrary::SubstituteLibrary()
{
    const auto folder = std::filesystem::temp_directory_path() / ("headroom-substitute-" + std::to_string(::getpid()));
    ::setenv("HEADROOM_CARD", writtenCard(folder).c_str(), 1);
    m_ledger = folder / "ledger";
    ::setenv("HEADROOM_CARD_LEDGER", m_ledger.c_str(), 1);
    m_library = ::dlopen(HEADROOM_CARD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (m_library == nullptr)
        ADD_FAILURE() << ::dlerror();
}

void* SubstituteLibrary::address(const char* name) const
{
    void* found = m_library == nullptr ? nullptr : ::dlsym(m_library, name);
    if (found == nullptr)
        throw std::runtime_error(std::string("the substitute has no ") + name);
    return found;
}

std::string SubstituteLibrary::ledger() const
{
    std::ifstream file(m_ledger);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

DeviceBytes::DeviceBytes(std::size_t bytes)
{
    EXPECT_EQ((call<int(void**, std::size_t)>("cudaMalloc", &m_address, bytes)), 0);
}

DeviceBytes::~DeviceBytes()
{
    call<int(void*)>("cudaFree", m_address);
}

namespace {
constexpr int kToDevice = 1;
constexpr int kToHost = 2;
} // namespace

void copyIn(void* device, const void* host, std::size_t bytes)
{
    EXPECT_EQ((call<int(void*, const void*, std::size_t, int)>("cudaMemcpy", device, host, bytes, kToDevice)), 0);
}

void copyOut(void* host, const void* device, std::size_t bytes)
{
    EXPECT_EQ((call<int(void*, const void*, std::size_t, int)>("cudaMemcpy", host, device, bytes, kToHost)), 0);
}

} // namespace headroom::rehearsal::tests
