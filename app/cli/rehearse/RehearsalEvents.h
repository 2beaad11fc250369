// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/EventFile.h"
#include "experiments/rehearsal/Rehearsal.h"
#include "experiments/rehearsal/RehearsalAnswer.h"

#include <mutex>
#include <optional>
#include <string>

namespace headroom::cli {

/// What happens during rehearsals, as JSON lines for a program that watches them (`--events`). Rows may go on side by
/// side.
class RehearsalEvents {
public:
    /// Without a file nothing is written. Throws FileError when it cannot be.
    RehearsalEvents(const std::string& file, std::stop_token stop);

    /// Whether anybody watches.
    bool isOn() const { return m_file.has_value(); }
    void started(const std::string& label);
    void moment(const std::string& label, const experiments::RehearsalMoment& moment);
    void finished(const experiments::RehearsedRow& row);
    /// Throws FileError where something was not written.
    void close();

private:
    void write(const char* event, experiments::OrderedJson fields);

    std::mutex m_mutex;
    std::optional<EventFile> m_file;
};

} // namespace headroom::cli
