// SPDX-License-Identifier: Apache-2.0
//
// Whatever stands in an archive of an exported model: reading it ends with an Error or with a model whose sizes, blocks
// and refusals can be asked for. An input that begins with "PK" is a whole archive; any other one is the model.json of
// an archive that is sound otherwise, as changes to a zip file rarely get past its checksums. scripts/fuzz builds and
// runs this with clang's libFuzzer; a unit test goes through the corpus.
#include "core/archive/Blocks.h"
#include "core/archive/ExportedModel.h"
#include "core/archive/Flops.h"
#include "core/archive/Guards.h"
#include "core/base/Error.h"
#include "tests/support/SketchedArchive.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace headroom;

/// An archive in memory that is opened by its path like any other.
class MemoryArchive {
public:
    MemoryArchive()
        : m_descriptor(::memfd_create("archive", MFD_CLOEXEC))
    {
        if (m_descriptor < 0)
            std::abort();
    }

    void replace(const std::string& bytes) const
    {
        if (::ftruncate(m_descriptor, 0) != 0
            || ::pwrite(m_descriptor, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
            std::abort();
    }

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

std::string archiveWith(const std::string& model)
{
    SketchedZip zip;
    zip.add("m/models/model.json", model);
    return zip.bytes();
}

// What a program asks of a model before it is run.
void lookAt(const archive::ExportedModel& model)
{
    const archive::SymbolValues values = model.symbols({});
    static volatile double seen = 0; // or the look would be optimised away
    seen = seen + archive::forwardFlops(model, values) + static_cast<double>(violatedGuards(model, values).size());
    for (const archive::StoredTensor& stored : model.tensors)
        seen = seen + static_cast<double>(stored.elements());
    seen = seen + static_cast<double>(findBlocks(model, {}, "model.blocks").ranges.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const MemoryArchive file;
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    file.replace(bytes.starts_with("PK") ? bytes : archiveWith(bytes));
    try {
        lookAt(*archive::loadExportedModel(file.path()));
    } catch (const Error&) {
        return 0;
    }
    return 0;
}
