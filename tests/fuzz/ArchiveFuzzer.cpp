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
#include "tests/fuzz/MemoryFile.h"
#include "tests/support/SketchedArchive.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace headroom;

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
    static const MemoryFile file("archive");
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::string content = bytes.starts_with("PK") ? bytes : archiveWith(bytes);
    file.replace(content.data(), content.size());
    try {
        lookAt(*archive::loadExportedModel(file.path()));
    } catch (const Error&) {
        return 0;
    }
    return 0;
}
