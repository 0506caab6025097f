// Where executions lie on the host's clock.

#include "gpu/device/clocks.hpp"

#include <tuff/timeline.hpp>

#include <gmock/gmock.h>

namespace tuff {
namespace {

/// Of `milliseconds` from `device_start` on by the device's clock.
TracedExecution execution(HostTime submitted, HostTime seen_ended, double device_start,
                          double milliseconds) {
    return {.timings = {.milliseconds = milliseconds},
            .timed = true,
            .submitted = submitted,
            .seen_ended = seen_ended,
            .device_start = device_start};
}

TEST(Timeline, OneDistanceOfTheClocksServesAllExecutions) {
    // The device's clock is 100 ms behind. The first begins 2 ms after its submission, the second
    // at once, so that it says where the first one lies.
    std::vector<TracedExecution> executions{execution(100'000'000, 109'000'000, 2e6, 3.0),
                                            execution(110'000'000, 114'000'000, 10e6, 2.0)};
    const ClockAlignment alignment = align_clocks(executions);
    EXPECT_FALSE(alignment.calibrated);
    EXPECT_DOUBLE_EQ(executions[0].host_start, 102e6);
    EXPECT_DOUBLE_EQ(executions[1].host_start, 110e6);
    EXPECT_DOUBLE_EQ(alignment.slack, 2e6) << "the second may end up to 2 ms later";
}

TEST(Timeline, ClocksThatDriftAreAlignedExecutionByExecution) {
    // Between the two the device's clock loses 50 ms.
    std::vector<TracedExecution> executions{execution(100'000'000, 106'000'000, 0.0, 5.0),
                                            execution(200'000'000, 206'000'000, 50e6, 5.0)};
    (void)align_clocks(executions);
    for (const TracedExecution& e : executions) {
        EXPECT_GE(e.host_start, static_cast<double>(e.submitted));
        EXPECT_LE(e.host_start + 5e6, static_cast<double>(e.seen_ended));
    }
}

TEST(Timeline, WhatTheDeviceHasPlacedStays) {
    std::vector<TracedExecution> executions{execution(100, 900, 7.0, 1e-4)};
    executions[0].calibrated = true;
    executions[0].host_start = 321.0;
    executions[0].deviation = 12.0;
    const ClockAlignment alignment = align_clocks(executions);
    EXPECT_TRUE(alignment.calibrated);
    EXPECT_DOUBLE_EQ(alignment.slack, 12.0);
    EXPECT_DOUBLE_EQ(executions[0].host_start, 321.0);
}

TEST(Timeline, ExecutionsWithoutTimesLieAtTheirSubmission) {
    std::vector<TracedExecution> executions{execution(100'000, 200'000, 0.0, 0.0),
                                            execution(300'000, 400'000, 5e6, 0.01)};
    executions[0].timed = false;
    (void)align_clocks(executions);
    EXPECT_DOUBLE_EQ(executions[0].host_start, 100'000.0);
    EXPECT_DOUBLE_EQ(executions[1].host_start, 300'000.0) << "which the other one has no part in";
}

TEST(Clocks, CountForwardsAndBackwardsAcrossTheEndOfTheirBits) {
    const ClockReading reading{.ticks = 0x5, .host = 1'000, .deviation = 0};
    EXPECT_DOUBLE_EQ(host_nanoseconds(reading, 0x15, 8, 10.0), 1'160.0);
    EXPECT_DOUBLE_EQ(host_nanoseconds(reading, 0xfe, 8, 10.0), 930.0) << "7 ticks before";
    EXPECT_DOUBLE_EQ(host_nanoseconds(reading, 0x2, 64, 1.0), 997.0);
}

} // namespace
} // namespace tuff
