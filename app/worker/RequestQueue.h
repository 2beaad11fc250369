// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"

#include <condition_variable>
#include <deque>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace headroom::worker {

/// The lines of standard input, read by a dedicated thread so that `cancel` reaches a running trial.
class RequestQueue {
public:
    explicit RequestQueue(std::istream& input);
    ~RequestQueue();
    RequestQueue(const RequestQueue&) = delete;
    RequestQueue& operator=(const RequestQueue&) = delete;

    /// Waits for the next line that is not a cancel; nullopt at the end of input.
    std::optional<std::string> next();

    /// True once a cancel for this request has arrived.
    bool isCancelled(std::int64_t id);

private:
    void read();
    void accept(std::string line);

    std::istream& m_input;
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<std::string> m_lines;
    std::int64_t m_cancelledId = -1;
    bool m_ended = false;
    std::thread m_reader;
};

} // namespace headroom::worker
