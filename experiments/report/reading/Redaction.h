// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/StoredExperiment.h"
#include "experiments/report/ComparedRuns.h"

#include <string>
#include <vector>

namespace headroom::report {

/// Takes out of an experiment what tells who ran it and where: the machine's name, user names, paths, e-mail and
/// network addresses, ids of GPUs, the build of the kernel. What the results depend on stays: processor, memory,
/// versions.
class Redaction {
public:
    /// Learns the names from the environments, the command line and the paths in both.
    explicit Redaction(const experiments::StoredExperiment& experiment);

    /// Learns the machine's name in another environment, of a run that the experiment is compared with.
    void learn(const experiments::OrderedJson& environment);

    std::string text(const std::string& text) const;
    experiments::OrderedJson environment(experiments::OrderedJson environment) const;
    experiments::StoredExperiment applied(experiments::StoredExperiment experiment) const;
    void apply(experiments::MeasuredModel& model) const;
    void apply(ComparedRuns& runs) const;

private:
    void learnName(const std::string& name);
    void learnUsers(const std::string& text);
    void sortNames();
    void everyText(experiments::OrderedJson& json) const;
    void apply(protocol::RepeatResult& result) const;
    void apply(config::Configuration& configuration) const;
    std::string spec(const std::string& json) const;
    std::string commandLine(const std::string& commandLine) const;

    std::vector<std::string> m_names; ///< of machines and users, longest first
};

} // namespace headroom::report
