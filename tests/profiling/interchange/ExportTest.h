// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/interchange/ExportFormat.h"
#include "tests/profiling/interchange/AllocatorProgram.h"
#include "tests/profiling/store/StoreTest.h"

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::interchange {

/// What a program printed and how it ended.
struct Printed {
    int exitCode = -1;
    std::string out;
    std::vector<std::string> lines() const;
};

/// Runs a Python script of this folder. Its standard error comes along with its output.
Printed python(const std::string& script, const std::vector<std::string>& arguments);

/// Says where the first difference is, not all there are.
void expectEqualLines(const std::vector<std::string>& found, const std::vector<std::string>& expected);

/// Puts traces into a workspace of its own and exports them.
class ExportTest : public store::StoreTest {
protected:
    /// What the next repeats are of.
    void setDevice(const std::string& device) { m_device = device; }
    void setLabel(const std::string& label) { m_label = label; }

    /// A repeat with one track, "device".
    RecordedTrace recorded(const ProgramTrace& program, const trace::MemoryCounters& before = {});
    RecordedTrace recorded(store::RepeatImport source);
    static store::RepeatImport importOf(const ProgramTrace& program, const trace::MemoryCounters& before = {});

    ExportSummary exportAs(ExportFormat format, const RecordedTrace& trace, const std::string& name) const
    {
        return exportTrace(trace, format, file(name));
    }

private:
    std::optional<store::Workspace> m_workspace;
    std::string m_device = "sim:t4";
    std::string m_label = "baseline";
    int m_trials = 0;
};

} // namespace headroom::interchange
