// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/ResultSet.h"

#include <QTemporaryDir>

#include <cstdint>
#include <string>

namespace headroom::ui {

/// Whether the trace says whose the memory was.
enum class Owners { Nobody, Named };

/// A workspace with traced trials of very many events each: steps of 10,000 allocations and frees, forward and
/// backward, written block by block through the store.
class LongTrace {
public:
    /// `events` of each trial.
    explicit LongTrace(std::int64_t events, Owners owners = Owners::Nobody, int trials = 1);

    const Results& results() const { return m_results; }
    std::int64_t events() const { return m_events; }
    std::int64_t fileBytes() const;

private:
    std::string path() const;
    std::string writeSpool(int trial, std::int64_t steps, Owners owners);

    QTemporaryDir m_folder;
    std::int64_t m_events = 0;
    Results m_results;
};

} // namespace headroom::ui
