// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// Reads a trial record ("headroom.trial/1") by the dotted keys of the contract.
class RecordView {
public:
    /// `record` must outlive the view.
    explicit RecordView(const OrderedJson& record)
        : m_record(record)
    {
    }

    /// Null where there is no such key.
    const OrderedJson& value(const std::string& key) const;
    std::optional<double> number(const std::string& key) const;
    /// Empty where it is null.
    std::string text(const std::string& key) const;

    bool isPredicted() const { return value("predicted") == true; }
    /// "predicted" or "measured"
    const char* kind() const { return isPredicted() ? "predicted" : "measured"; }
    bool hasOutcome(const char* outcome) const { return text("outcome") == outcome; }
    bool hasCompleted() const { return hasOutcome("completed"); }
    bool hasFlag(const char* flag) const;
    /// The outcome in words, with its reason: "timed out: no answer within 10 s"; out of memory, with what it needs.
    std::string ending() const;

private:
    const OrderedJson& m_record;
};

} // namespace headroom::experiments
