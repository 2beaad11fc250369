// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::collectors {

/// Hears how far a calibration is, and may end it.
class CalibrationListener {
public:
    virtual ~CalibrationListener() = default;
    /// `done` of `total` measurements are made, and the next one is of `what`.
    virtual void measuring(const std::string& what, int done, int total) = 0;
    virtual bool isCancelled() = 0;
};

} // namespace headroom::collectors
