// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/RandomState.h"

#include <mutex>

namespace headroom::tensor {
namespace {

at::CPUGeneratorImpl& cpuGenerator()
{
    return *at::check_generator<at::CPUGeneratorImpl>(at::detail::getDefaultCPUGenerator());
}

} // namespace

RandomState::RandomState(const std::vector<c10::Device>& devices)
{
    {
        at::CPUGeneratorImpl& generator = cpuGenerator();
        const std::scoped_lock lock(generator.mutex_);
        m_cpu = {generator.engine(), generator.next_float_normal_sample(), generator.next_double_normal_sample()};
    }
    for (const c10::Device& device : devices) {
        if (!device.is_cuda())
            continue;
        at::Generator generator = at::globalContext().defaultGenerator(device);
        const std::scoped_lock lock(generator.mutex());
        m_devices.push_back({device, generator.get_state()});
    }
}

void RandomState::restore() const
{
    {
        at::CPUGeneratorImpl& generator = cpuGenerator();
        const std::scoped_lock lock(generator.mutex_);
        generator.set_engine(m_cpu.engine);
        generator.set_next_float_normal_sample(m_cpu.nextFloat);
        generator.set_next_double_normal_sample(m_cpu.nextDouble);
    }
    for (const DeviceState& device : m_devices) {
        at::Generator generator = at::globalContext().defaultGenerator(device.device);
        const std::scoped_lock lock(generator.mutex());
        generator.set_state(device.state);
    }
}

} // namespace headroom::tensor
