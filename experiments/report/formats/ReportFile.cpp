// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/ReportFile.h"

#include "core/base/ReplacedFile.h"
#include "profiling/store/OpenFiles.h"

#include <utility>

namespace headroom::report {

void writeReportFile(const std::filesystem::path& file, const std::string& text, std::stop_token stop)
{
    store::requireNotOpenHere(file);
    replaceFile(file, text, std::move(stop));
}

} // namespace headroom::report
