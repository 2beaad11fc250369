// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/TraceFolder.h"

namespace headroom::experiments {

TraceFolder::TraceFolder()
    : m_folder(PrivateFolder::Purpose::Trace, std::filesystem::temp_directory_path())
{
}

} // namespace headroom::experiments
