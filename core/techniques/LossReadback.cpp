// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/LossReadback.h"

#include "core/tensor/SideStream.h"

namespace headroom::techniques {

using config::ReadbackTiming;

LossReadback::LossReadback(const config::TechniqueSetting& setting)
    : m_when(config::parseLossReadback(setting.notation, "techniques.loss_readback"))
{
}

StepHooks LossReadback::apply(models::Model&)
{
    StepHooks hooks{.beginStep = [this] { m_reads = 0; }};
    if (m_when == ReadbackTiming::EveryStep)
        hooks.microStepDone = [this](const at::Tensor& loss) { read(loss); };
    if (m_when == ReadbackTiming::PerUpdate)
        hooks.updateDone = [this](const at::Tensor& loss) { read(loss); };
    return hooks;
}

void LossReadback::read(const at::Tensor& loss)
{
    m_lastLoss = tensor::readScalar(loss);
    ++m_reads;
}

std::string LossReadback::effective() const
{
    switch (m_when) {
    case ReadbackTiming::Never:
        break;
    case ReadbackTiming::PerUpdate:
        return "the host reads the loss once per update";
    case ReadbackTiming::EveryStep:
        return "the host reads the loss of every micro-step";
    }
    return "never";
}

} // namespace headroom::techniques
