// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/TraceFolder.h"

#include "core/base/Error.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace headroom::experiments {

TraceFolder::TraceFolder()
{
    std::string name = (std::filesystem::temp_directory_path() / "headroom-trace-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw FileError(
            "cannot be made: " + std::generic_category().message(errno), name, "a TMPDIR that can be written");
    m_path = name;
}

TraceFolder::~TraceFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace headroom::experiments
