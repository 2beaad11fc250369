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
#include "core/config/imported/ImportedRefusals.h"
#include "tests/fuzz/EvaluatedSizes.h"
#include "tests/fuzz/MemoryFile.h"
#include "tests/support/SketchedArchive.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace headroom;

volatile double seen = 0; // or the look would be optimised away

// What is asked with each choice of the free sizes.
void lookAt(const archive::ExportedModel& model, const archive::SymbolValues& values)
{
    seen = seen + archive::forwardFlops(model, values) + static_cast<double>(violatedGuards(model, values).size())
        + static_cast<double>(evaluatedSizes(model.graph, values));
}

// What a program asks of a model before it is run.
void lookAt(const archive::ExportedModel& model)
{
    lookAt(model, model.symbols({}));
    for (const std::int64_t chosen : {std::int64_t{1}, std::int64_t{1} << 24}) {
        archive::SymbolValues values;
        for (const archive::FreeDimension& dimension : model.dimensions)
            values.emplace(dimension.symbol, chosen);
        lookAt(model, values);
    }
    seen = seen + static_cast<double>(config::refusalsToRun(model).size() + config::refusalsToTrain(model).size());
    seen = seen + static_cast<double>(config::refusalsToSimulate(model).size());
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
    static const SketchedModel sound; // with what the parameters of its graph are
    const std::string content = bytes.starts_with("PK") ? bytes : sound.bytesWith(bytes);
    file.replace(content.data(), content.size());
    try {
        lookAt(*archive::loadExportedModel(file.path()));
    } catch (const Error&) {
        return 0;
    }
    return 0;
}
