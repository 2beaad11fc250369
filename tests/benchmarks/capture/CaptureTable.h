// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Json.h"
#include "tests/benchmarks/capture/CapturedProcess.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace headroom::capture_cost {

/// Of ratios that were taken round by round.
struct Ratios {
    double median = 0;
    double least = 0;
    double most = 0;
};

/// What one kind of capture costs one model, over the rounds.
struct CostRow {
    std::string model;
    Capture capture = Capture::None;
    int processes = 0;
    double stepSeconds = 0; ///< median of the processes
    Ratios step; ///< timed steps against those without a spool in the same round
    std::optional<double> tracedStepSeconds;
    std::optional<Ratios> tracedStep; ///< traced steps against the timed ones without a spool in the same round
    std::optional<Bytes> deviceExtraBytes; ///< more of the device in use at the peak than without a spool; median
    Bytes spoolBytes = 0; ///< median
    std::int64_t events = 0; ///< median
};

/// The processes of all rounds. A round has each kind of capture once, and they are compared within it: what the
/// machine does besides changes from round to round.
class CaptureTable {
public:
    void add(const std::string& model, Capture capture, int round, ProcessCost cost);

    /// In the order in which they were added first.
    std::vector<CostRow> rows() const;

    /// By the number of the round: one may lack a process that failed.
    using Rounds = std::map<int, ProcessCost>;

private:
    struct Line {
        std::string model;
        Capture capture = Capture::None;
        Rounds rounds;
    };

    Rounds without(const std::string& model) const;

    std::vector<Line> m_lines;
};

/// The form of one process and of a row in JSON; Markdown with a heading line.
protocol::Json toJson(const std::string& model, Capture capture, int round, const ProcessCost& cost);
protocol::Json toJson(const CostRow& row);
std::string toMarkdown(std::span<const CostRow> rows);

} // namespace headroom::capture_cost
