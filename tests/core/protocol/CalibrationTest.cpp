// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/Calibration.h"

#include "core/protocol/WorkerMessages.h"
#include "tests/support/Refusal.h"

namespace headroom::protocol {
namespace {

Calibration smallCalibration()
{
    return {"exact", "a processor", "9.0", "2.11.0", 12.5,
        {{"speed.threads", 2, CalibratedConstant::Kind::Count, std::nullopt, "LibTorch's threads"},
            {"speed.kernel_floor_seconds", 1e-6, CalibratedConstant::Kind::Real, 0.125, "add"}},
        {{"product", "float32", 64, {{1e6, 2e9, 0.25}, {1e9, 3e10, 0}}, "addmm"}}};
}

TEST(CalibrationTest, theRequestReadsBack)
{
    for (const CalibrationEffort effort : {CalibrationEffort::Full, CalibrationEffort::Short}) {
        const WorkerRequest request{.kind = RequestKind::Calibrate,
            .id = 4,
            .spoolPath = {},
            .calibration = CalibrationRequest{"cuda:1", effort}};
        const WorkerRequest read = requestFromLine(toLine(request));
        EXPECT_EQ(read.kind, RequestKind::Calibrate);
        EXPECT_EQ(read.calibration, request.calibration);
    }
}

TEST(CalibrationTest, anUnknownEffortIsRefused)
{
    EXPECT_EQ(refusal<TrialError>([] {
        requestFromLine(
            R"({"protocol_version":1,"request":"calibrate","id":1,"calibration":{"device":"cpu","effort":"most"}})");
    }),
        "worker request: unknown effort \"most\" (valid: full, short)");
}

TEST(CalibrationTest, theAnswerReadsBack)
{
    for (const CalibrationAnswer& answer :
        {CalibrationAnswer{smallCalibration()}, CalibrationAnswer{std::nullopt, "no GPU"}}) {
        const WorkerEvent read =
            eventFromLine(toLine(WorkerEvent{.kind = EventKind::Calibration, .id = 4, .calibration = answer}));
        EXPECT_EQ(read.id, 4);
        EXPECT_EQ(read.calibration, answer);
    }
}

TEST(CalibrationTest, anAnswerWithoutItsPartsIsRefused)
{
    EXPECT_THROW(eventFromLine(R"({"event":"calibration","id":1})"), TrialError);
    EXPECT_THROW(
        eventFromLine(R"({"event":"calibration","id":1,"calibration":{"result":{},"reason":""}})"), TrialError);
}

} // namespace
} // namespace headroom::protocol
