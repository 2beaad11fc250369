// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::figures {

/// The path of a step line in px, "M1 2H3V4": a step needs one number. What moves by less than is written is left out.
class StepPath {
public:
    void to(double x, double y);

    const std::string& text() const { return m_path; }
    std::string closed() const { return m_path + "Z"; }

private:
    std::string m_path;
    std::string m_x;
    std::string m_y;
};

} // namespace headroom::figures
