// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/LossReadback.h"

#include "core/tensor/SideStream.h"

namespace headroom::techniques {

using config::LossReadback;

LossReading::LossReading(const config::TechniqueSetting& setting)
    : m_when(config::parseLossReadback(setting.notation, "techniques.loss_readback"))
{
}

void LossReading::microStepDone(const at::Tensor& loss)
{
    if (m_when == LossReadback::EveryStep)
        read(loss);
}

void LossReading::updateDone(const at::Tensor& loss)
{
    if (m_when == LossReadback::PerUpdate)
        read(loss);
}

void LossReading::read(const at::Tensor& loss)
{
    m_lastLoss = tensor::readScalar(loss);
    ++m_reads;
}

std::string LossReading::effective() const
{
    switch (m_when) {
    case LossReadback::Never:
        break;
    case LossReadback::PerUpdate:
        return "the host reads the loss once per update";
    case LossReadback::EveryStep:
        return "the host reads the loss of every micro-step";
    }
    return "never";
}

} // namespace headroom::techniques
