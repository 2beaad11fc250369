// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationRun.h"

#include "experiments/run/RepeatExecutor.h"

#include <algorithm>
#include <mutex>
#include <thread>

namespace headroom::experiments {
namespace {

// Hands out pairs to the threads and takes in their rows.
class RowCollector {
public:
    RowCollector(const std::vector<ValidationPair>& pairs, const ValidationOptions& options, const RowSink& sink)
        : m_pairs(pairs)
        , m_options(options)
        , m_sink(sink)
        , m_rows(pairs.size())
    {
    }

    // For one thread: carries out pairs until there are no more. A worker ends with the thread that started it.
    void work()
    {
        try {
            RepeatExecutor executor(m_options.worker, [](const std::string&) { });
            while (const auto index = next())
                carryOut(executor, *index);
            executor.finish();
        } catch (...) {
            fail(std::current_exception());
        }
    }

    ValidationRows take()
    {
        ValidationRows result;
        result.failure = m_failure;
        result.worker = m_worker;
        result.wasStopped = m_options.stop.stop_requested();
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (m_rows[i]) {
                result.rows.push_back(std::move(*m_rows[i]));
                result.pairs.push_back(i);
            }
        if (m_failure && result.rows.empty())
            std::rethrow_exception(m_failure);
        return result;
    }

private:
    std::optional<std::size_t> next()
    {
        const std::scoped_lock lock(m_mutex);
        if (m_failure || m_options.stop.stop_requested() || m_next == m_pairs.size())
            return std::nullopt;
        return m_next++;
    }

    void carryOut(RepeatExecutor& executor, std::size_t index)
    {
        const ValidationPair& pair = m_pairs[index];
        const Patience patience{.timeout = m_options.timeout, .stop = m_options.stop};
        const protocol::RepeatResult measured = executor.carryOut(pair.measured, 0, {}, patience, {});
        const auto worker = executor.worker();
        const protocol::RepeatResult predicted = executor.carryOut(pair.predicted, 0, {}, patience, {});
        if (m_options.stop.stop_requested())
            return; // what was interrupted says nothing
        add(index, rowOf(pair, measured, predicted, m_options.times), worker);
    }

    void add(std::size_t index, ValidationRow row, const std::optional<protocol::WorkerDescription>& worker)
    {
        const std::scoped_lock lock(m_mutex);
        if (worker)
            m_worker = worker;
        m_rows[index] = std::move(row);
        if (m_sink)
            m_sink(*m_rows[index]);
    }

    void fail(std::exception_ptr failure)
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_failure)
            m_failure = std::move(failure);
    }

    const std::vector<ValidationPair>& m_pairs;
    const ValidationOptions& m_options;
    const RowSink& m_sink;
    std::mutex m_mutex;
    std::size_t m_next = 0;
    std::vector<std::optional<ValidationRow>> m_rows;
    std::optional<protocol::WorkerDescription> m_worker;
    std::exception_ptr m_failure;
};

} // namespace

ValidationRows validate(const std::vector<ValidationPair>& pairs, const ValidationOptions& options, const RowSink& sink)
{
    RowCollector collector(pairs, options, sink);
    {
        std::vector<std::jthread> threads;
        const std::size_t count = std::min(pairs.size(), static_cast<std::size_t>(std::max(1, options.jobs)));
        for (std::size_t i = 0; i < count; ++i)
            threads.emplace_back([&collector] { collector.work(); });
    }
    return collector.take();
}

} // namespace headroom::experiments
