// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"

#include <cstdio>

namespace headroom::worker {

/// Writes events as JSON lines to the stream that was standard output when the program began.
///
/// Libraries sometimes print, so standard output itself is redirected to standard error to keep the protocol clean.
class EventWriter {
public:
    /// Throws FileError when the stream cannot be set up.
    EventWriter();
    ~EventWriter();
    EventWriter(const EventWriter&) = delete;
    EventWriter& operator=(const EventWriter&) = delete;

    void write(const protocol::WorkerEvent& event);

private:
    std::FILE* m_stream;
};

} // namespace headroom::worker
