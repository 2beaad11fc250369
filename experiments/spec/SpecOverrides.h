// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/SpecSettings.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// Settings given beside the spec (command line flags, panels): they win over the spec's, in every part of it.
///
/// Values are text in TOML syntax; what is no TOML is a bare word and stands for that text. Commas outside brackets
/// and quotes separate the values of a sweep axis. Of two settings of one path the later wins.
class SpecOverrides {
public:
    /// `models` is "M" or "M,M2". Errors name `--model`.
    void setModels(const std::string& models);
    /// `devices` is "D" or "D,D2". Errors name `--device`.
    void setDevices(const std::string& devices);
    /// Each is one value of the axis, commas included. Errors name `--allocator`.
    void setAllocators(const std::vector<std::string>& settings);
    /// `notations` is e.g. "off,4" for the technique with this key. Errors name the flag ("--split-ffn").
    void setTechnique(const std::string& key, const std::string& notations);
    /// "PATH=VALUE" as after `--set`. `model.dim`, `workload.batch`, `techniques.ema`, `techniques.ema.decay` or short
    /// `ema`, `ema.decay`, `device.name`, `device.memory_limit_bytes`, `protocol.steps`. Throws UsageError where there
    /// is no "=" or no value. Errors name "--set PATH".
    void assign(const std::string& assignment);
    /// Any dotted path; errors name `where`.
    void set(const std::string& path, const std::string& values, const std::string& where);
    /// A setting that was made by other overrides.
    void add(const SpecSetting& setting) { m_settings.push_back(setting); }
    /// One warm-up step, two timed steps, one repeat: a quick look. What is set explicitly wins over it.
    void useQuickProtocol();
    /// The experiment's name; wins over the spec's.
    void setName(const std::string& name) { m_name = name; }

    const std::string& name() const { return m_name; }
    /// In the order in which they are to be laid over the spec.
    const std::vector<SpecSetting>& settings() const { return m_settings; }

private:
    std::string m_name;
    std::vector<SpecSetting> m_settings;
};

} // namespace headroom::experiments
