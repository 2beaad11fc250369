// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/Launch.h"

#include <utility>

namespace headroom::experiments {

KernelTexts::KernelTexts(std::vector<std::string> texts)
    : m_texts(std::move(texts))
{
    for (std::string& text : m_texts)
        m_pointers.push_back(text.data());
    m_pointers.push_back(nullptr);
}

} // namespace headroom::experiments
