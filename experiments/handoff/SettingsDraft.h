// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/handoff/Handoff.h"

#include <set>
#include <string>
#include <vector>

namespace headroom::experiments {

/// One setting that a trial asks for: its path in a spec and its value as text.
struct AskedSetting {
    std::string path;
    std::string notation;
};

/// The settings that whoever runs the trial elsewhere has to know: the model and its changed fields, the step with its
/// number format and shapes, the techniques that are on with their changed options, and whatever else differs from its
/// default. In `train` the optimizer is among them in any case.
std::vector<AskedSetting> askedSettings(const config::Trial& trial);

using TextLines = std::vector<std::string>;

/// A trial on its way to one trainer: keeps account of which of its settings are in the text and which are lacking.
/// What a writer does not mention at all counts as lacking, so that nothing is lost in silence.
class SettingsDraft {
public:
    SettingsDraft(const config::Trial& trial, std::string targetTitle);

    const config::Trial& trial() const { return m_trial; }
    const config::Configuration& configuration() const { return m_trial.configuration; }
    const config::Workload& workload() const { return m_trial.configuration.workload; }
    const config::TechniqueSetting& technique(const std::string& key) const;
    bool trains() const { return workload().step != config::StepKind::Inference; }

    /// Whether the trial asks for the setting.
    bool asks(const std::string& path) const;
    /// The setting is in the text. One that the trial does not ask for is ignored.
    void take(const std::string& path);
    /// The same for a setting and everything below it: "techniques.optimizer" with all of its options.
    void takeAll(const std::string& path);
    bool isTaken(const std::string& path) const { return m_taken.contains(path); }
    /// "text  # checkpointing = all": a line that carries a setting over; without the comment if the trial does not ask
    /// for it.
    std::string line(const std::string& text, const std::string& path);
    /// The setting has no counterpart, or one that differs as the sentence says. Ignored if the trial does not ask for
    /// it.
    void lack(const std::string& path, const std::string& why, const std::string& instead = {});
    /// The same for a setting and all below it; the sentence is said once.
    void lackAll(const std::string& path, const std::string& why);

    /// In the order of the settings; those that were neither taken nor found lacking come with a general reason.
    std::vector<LackingSetting> lacking() const;

private:
    const AskedSetting* find(const std::string& path) const;

    const config::Trial& m_trial;
    std::string m_targetTitle;
    std::vector<AskedSetting> m_asked;
    std::set<std::string> m_taken;
    std::vector<LackingSetting> m_lacking;
};

/// "checkpointing" for "techniques.checkpointing", "batch" for "workload.batch"; others unchanged.
std::string shortSettingPath(const std::string& path);

} // namespace headroom::experiments
