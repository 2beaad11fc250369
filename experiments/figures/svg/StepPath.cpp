// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/StepPath.h"

#include "core/base/XmlWriter.h"

namespace headroom::figures {

void StepPath::to(double x, double y)
{
    const std::string px = pixels(x);
    const std::string py = pixels(y);
    if (m_path.empty())
        m_path = "M" + px + " " + py;
    else if (px == m_x && py != m_y)
        m_path += "V" + py;
    else if (py == m_y && px != m_x)
        m_path += "H" + px;
    else if (px != m_x)
        m_path += "L" + px + " " + py;
    m_x = px;
    m_y = py;
}

} // namespace headroom::figures
