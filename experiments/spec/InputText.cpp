// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/InputText.h"

#include "profiling/store/OpenFiles.h"

namespace headroom::experiments {

std::string readInput(const std::filesystem::path& file, const std::string& what, const std::string& valid,
    std::chrono::milliseconds patience)
{
    store::requireNotOpenHere(file);
    return readInputText(file, what, valid, patience);
}

} // namespace headroom::experiments
