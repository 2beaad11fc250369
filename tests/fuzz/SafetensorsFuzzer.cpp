// SPDX-License-Identifier: Apache-2.0
//
// Whatever stands in a file that says to be one of safetensors: reading it ends with a FileError or with tensors whose
// bytes lie in it. scripts/fuzz builds and runs this with clang's libFuzzer; a unit test goes through the corpus.
#include "core/base/Error.h"
#include "core/weights/SafetensorsFile.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace headroom;

/// A file in memory that is opened by its path like any other.
class MemoryFile {
public:
    MemoryFile()
        : m_descriptor(::memfd_create("safetensors", MFD_CLOEXEC))
    {
        if (m_descriptor < 0)
            std::abort();
    }

    void replace(const std::uint8_t* data, std::size_t size) const
    {
        if (::ftruncate(m_descriptor, 0) != 0 || ::pwrite(m_descriptor, data, size, 0) != static_cast<ssize_t>(size))
            std::abort();
    }

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

// Every byte that belongs to a tensor can be looked at, and no tensor has other bytes than its shape needs.
unsigned sumOf(const tensor::SafetensorsFile& file)
{
    unsigned sum = 0;
    for (const auto& [name, entry] : file.header().tensors) {
        const auto bytes = file.data(file.entry(name));
        Bytes elements = 1;
        for (const std::int64_t extent : entry.shape)
            elements *= extent;
        if (static_cast<Bytes>(bytes->data().size()) != elements * tensor::safetensorsElementBytes(entry.dtype))
            std::abort();
        for (const char byte : bytes->data())
            sum += static_cast<unsigned char>(byte);
    }
    return sum;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const MemoryFile file;
    file.replace(data, size);
    static volatile unsigned seen = 0; // or the look would be optimised away
    try {
        seen = seen + sumOf(tensor::SafetensorsFile(file.path()));
    } catch (const FileError&) {
        return 0;
    }
    return 0;
}
