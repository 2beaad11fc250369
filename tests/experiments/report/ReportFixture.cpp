// SPDX-License-Identifier: Apache-2.0
#include "tests/experiments/report/ReportFixture.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace headroom::report {

void ReportFixture::change(const std::string& sql)
{
    SQLite::Database(workspace().string(), SQLite::OPEN_READWRITE).exec(sql);
}

} // namespace headroom::report
