// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/JsonReport.h"

namespace headroom::report {

std::string jsonReport(const ReportContent& content)
{
    return toJson(content.results).dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

} // namespace headroom::report
