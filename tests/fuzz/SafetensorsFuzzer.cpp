// SPDX-License-Identifier: Apache-2.0
//
// Whatever stands in a file that says to be one of safetensors: reading it ends with a FileError or with tensors whose
// bytes lie in it. scripts/fuzz builds and runs this with clang's libFuzzer; a unit test goes through the corpus.
#include "core/base/Error.h"
#include "core/weights/SafetensorsFile.h"
#include "tests/fuzz/MemoryFile.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace headroom;

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
    static const MemoryFile file("safetensors");
    file.replace(data, size);
    static volatile unsigned seen = 0; // or the look would be optimised away
    try {
        seen = seen + sumOf(tensor::SafetensorsFile(file.path()));
    } catch (const FileError&) {
        return 0;
    }
    return 0;
}
