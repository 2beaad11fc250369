// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/tensor/Torch.h"
#include "profiling/collectors/CpuInstruments.h"
#include "profiling/collectors/cuda/CudaInstruments.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "profiling/measurement/TrialMeasurement.h"
#include "tests/support/Checkout.h"
#include "tests/support/Configurations.h"

#include <memory>

namespace headroom::collectors {

/// Takes no notice and never cancels.
class SilentListener final : public MeasurementListener {
public:
    void phaseBegan(const std::string&, std::int64_t) override { }
    void stepTimed(std::int64_t, double) override { }
    bool isCancelled() override { return false; }
};

/// LibTorch's CPU ops with one thread while this lives: what threads take side by side inside of an op, as the backward
/// pass of attention does, depends on whether they overlap.
class OneThread {
public:
    OneThread() { at::set_num_threads(1); }
    ~OneThread() { at::set_num_threads(m_before); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    int m_before = at::get_num_threads();
};

/// The shipped device and runtime profiles.
inline const simulator::ProfileCatalogue& profiles()
{
    static const simulator::ProfileCatalogue catalogue(shippedResources());
    return catalogue;
}

/// A trial without techniques: one warm-up step without a test for steadiness, one timed step.
inline config::Trial trialOfModel(const std::string& name, const std::string& device, const config::ValueMap& fields,
    const config::ValueMap& workload)
{
    config::Trial trial;
    trial.configuration = configurationOf(name, {}, fields, workload);
    trial.device = config::parseDevice(device, "device.name");
    trial.protocol.warmupSteps = 1;
    trial.protocol.steps = 1;
    trial.protocol.maxWarmupSteps = 0; // as many steps as said, however the machine is doing
    return trial;
}

/// The same of the feed-forward stack.
inline config::Trial trialOf(
    const std::string& device, const config::ValueMap& fields, const config::ValueMap& workload)
{
    return trialOfModel("ffn-stack", device, fields, workload);
}

inline void split(config::Trial& trial, const std::string& notation, const std::string& accumulate = "in_place")
{
    choose(trial.configuration, "split_ffn", notation, {{"accumulate", accumulate}});
}

inline void checkpoint(config::Trial& trial, const std::string& notation)
{
    choose(trial.configuration, "checkpointing", notation);
}

inline void cast(config::Trial& trial, const std::string& notation, const config::ValueMap& options = {})
{
    choose(trial.configuration, "casting", notation, options);
}

inline std::unique_ptr<Instruments> instrumentsOf(const config::Trial& trial)
{
    if (trial.device.kind == config::DeviceKind::Cpu)
        return std::make_unique<CpuInstruments>(trial.memoryLimitBytes);
    if (trial.device.kind == config::DeviceKind::Cuda)
        return std::make_unique<CudaInstruments>(trial.device.index, trial.memoryLimitBytes);
    return std::make_unique<SimulatedInstruments>(profiles().simulatedDevice(trial), trial.memoryLimitBytes);
}

inline protocol::RepeatResult measured(const config::Trial& trial)
{
    const OneThread oneThread;
    SilentListener listener;
    const auto instruments = instrumentsOf(trial);
    return TrialMeasurement(trial, *instruments, listener).run();
}

/// Peak of allocated bytes after warm-up; -1 when the trial did not complete.
inline Bytes peakOf(const config::Trial& trial)
{
    return measured(trial).memory.peak.allocated.value_or(-1);
}

} // namespace headroom::collectors
