// SPDX-License-Identifier: Apache-2.0
#include "app/worker/RequestQueue.h"

#include <istream>

namespace headroom::worker {
namespace {

// Extracts only a cancel's id: the main thread reports malformed lines.
std::optional<std::int64_t> cancelledId(const std::string& line)
{
    const protocol::Json json = protocol::Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("request") || json["request"] != "cancel" || !json.contains("id")
        || !json["id"].is_number_integer())
        return std::nullopt;
    return json["id"].get<std::int64_t>();
}

} // namespace

RequestQueue::RequestQueue(std::istream& input)
    : m_input(input)
    , m_reader([this] { read(); })
{
}

// The reader may be blocked in a read that nothing ends: it is left behind when the process exits.
RequestQueue::~RequestQueue()
{
    m_reader.detach();
}

void RequestQueue::read()
{
    std::string line;
    while (std::getline(m_input, line))
        accept(std::move(line));
    const std::scoped_lock lock(m_mutex);
    m_ended = true;
    m_arrived.notify_all();
}

void RequestQueue::accept(std::string line)
{
    const auto cancelled = cancelledId(line);
    const std::scoped_lock lock(m_mutex);
    if (cancelled)
        m_cancelledId = *cancelled;
    else
        m_lines.push_back(std::move(line));
    m_arrived.notify_all();
}

std::optional<std::string> RequestQueue::next()
{
    std::unique_lock lock(m_mutex);
    m_arrived.wait(lock, [&] { return !m_lines.empty() || m_ended; });
    if (m_lines.empty())
        return std::nullopt;
    std::string line = std::move(m_lines.front());
    m_lines.pop_front();
    return line;
}

bool RequestQueue::isCancelled(std::int64_t id)
{
    const std::scoped_lock lock(m_mutex);
    return m_cancelledId == id;
}

} // namespace headroom::worker
