// SPDX-License-Identifier: Apache-2.0
//
// Whatever stands in a device or runtime profile, and with it in any TOML: reading it ends with an Error or with a
// profile whose numbers can be asked for. scripts/fuzz builds and runs this with clang's libFuzzer; a unit test goes
// through the corpus.
#include "core/base/Error.h"
#include "profiling/simulator/profiles/DeviceProfile.h"
#include "profiling/simulator/profiles/RuntimeProfile.h"
#include "tests/fuzz/MemoryFile.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace headroom;

// Constants of a card are positive, whichever way they are written.
void lookAt(const simulator::DeviceProfile& profile)
{
    if (profile.memory && profile.memory->totalBytes.value <= 0)
        std::abort();
    if (profile.compute && profile.compute->multiprocessors.value <= 0)
        std::abort();
}

template <typename Read> void readOne(const Read& read)
{
    try {
        read();
    } catch (const Error&) {
        return;
    }
}

// The name of a profile is that of its file.
void readRuntime(const std::string& text)
{
    static const MemoryFile file("profile");
    const std::string named = "name = \"" + std::filesystem::path(file.path()).stem().string() + "\"\n" + text;
    file.replace(named.data(), named.size());
    simulator::RuntimeProfile::load(file.path());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    readOne([&] { lookAt(simulator::DeviceProfile::parse(text, "profile.toml")); });
    readOne([&] { readRuntime(text); });
    return 0;
}
