#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace tuff::cli {

/// The frames from `first` up to `end`, which is not among them.
struct FrameRange {
    std::int64_t first = 0;
    std::int64_t end = 1;

    std::int64_t count() const { return end - first; }
    friend bool operator==(const FrameRange&, const FrameRange&) = default;
};

/// Seconds of an animation: one point in time, or from `first` up to `end`.
struct TimeRange {
    double first = 0.0;
    std::optional<double> end;
};

/// "N", the first N frames, or "A:B". The error says what is wrong with the text.
std::expected<FrameRange, std::string> parse_frames(std::string_view text);

/// "T" or "A:B", in seconds. The error says what is wrong with the text.
std::expected<TimeRange, std::string> parse_times(std::string_view text);

/// The frames of an animation of `fps` frames a second whose time lies in the range; of one point
/// in time the nearest frame. Empty where no frame does.
FrameRange frames_of(const TimeRange& times, double fps);

} // namespace tuff::cli
