// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Json.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::protocol {

/// Full: what a profile is used with. Short: every measurement once, in small sizes, to try it out.
enum class CalibrationEffort { Full, Short };

/// Which device is measured, and how long that may take.
struct CalibrationRequest {
    std::string device; ///< "cpu", "cuda:0"
    CalibrationEffort effort = CalibrationEffort::Full;

    bool operator==(const CalibrationRequest&) const = default;
};

/// A measured constant of a device profile.
struct CalibratedConstant {
    enum class Kind { Real, Count }; ///< counts and bytes are whole numbers

    std::string key; ///< its place in the profile: "speed.kernel_floor_seconds"
    double value = 0;
    Kind kind = Kind::Real;
    std::optional<double> spread =
        std::nullopt; ///< interquartile range relative to the median; nothing: read, not measured
    std::string how = {}; ///< what was measured, for the constant's source

    bool operator==(const CalibratedConstant&) const = default;
};

/// The measured rate of one call of a size.
struct CalibratedPoint {
    double size = 0; ///< operations or bytes
    double perSecond = 0;
    double spread = 0;

    bool operator==(const CalibratedPoint&) const = default;
};

/// The measured rates of one kind of op in one type; the words are those of a profile's [[speed.rates]].
struct CalibratedRates {
    std::string work;
    std::string type;
    std::int64_t smallestDimension = 0; ///< 0: not distinguished
    std::vector<CalibratedPoint> points{}; ///< sizes ascend
    std::string how{};

    bool operator==(const CalibratedRates&) const = default;
};

/// What a worker measured of a device.
struct Calibration {
    std::string allocator; ///< "exact", "caching"
    std::string hardware; ///< "AMD EPYC, 2 threads, AVX512"
    std::string capability; ///< "9.0"; empty: not a CUDA device
    std::string torchVersion;
    double seconds = 0; ///< how long it took
    std::vector<CalibratedConstant> constants{};
    std::vector<CalibratedRates> rates{};

    bool operator==(const Calibration&) const = default;
};

/// A worker's answer to a calibration request: a result, or why there is none.
struct CalibrationAnswer {
    std::optional<Calibration> result;
    std::string reason{};

    bool operator==(const CalibrationAnswer&) const = default;
};

Json toJson(const CalibrationRequest& request);
CalibrationRequest calibrationRequestFromJson(const Json& json);
Json toJson(const Calibration& calibration);
Calibration calibrationFromJson(const Json& json);
Json toJson(const CalibrationAnswer& answer);
CalibrationAnswer calibrationAnswerFromJson(const Json& json);

} // namespace headroom::protocol
