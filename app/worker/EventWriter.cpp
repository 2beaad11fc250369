// SPDX-License-Identifier: Apache-2.0
#include "app/worker/EventWriter.h"

#include "core/base/Error.h"

#include <unistd.h>

namespace headroom::worker {

EventWriter::EventWriter()
{
    const int protocolStream = dup(STDOUT_FILENO);
    m_stream = protocolStream < 0 ? nullptr : fdopen(protocolStream, "w");
    if (m_stream == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw FileError(
            "standard output cannot be used", "headroom-worker", "an open standard output and standard error");
}

EventWriter::~EventWriter()
{
    std::fclose(m_stream);
}

void EventWriter::write(const protocol::WorkerEvent& event)
{
    const std::string line = protocol::toLine(event) + "\n";
    std::fwrite(line.data(), 1, line.size(), m_stream);
    std::fflush(m_stream);
}

} // namespace headroom::worker
