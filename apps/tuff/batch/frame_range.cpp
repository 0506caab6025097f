#include "apps/tuff/batch/frame_range.hpp"

#include "apps/tuff/batch/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff::cli {
namespace {

constexpr std::int64_t kMaxFrames = 1'000'000'000;
constexpr double kMaxSeconds = 1e6;

std::unexpected<std::string> wrong(std::string text) {
    return std::unexpected(std::move(text));
}

} // namespace

std::expected<FrameRange, std::string> parse_frames(std::string_view text) {
    const std::size_t colon = text.find(':');
    const bool is_range = colon != std::string_view::npos;
    const auto end = parse_number<std::int64_t>(is_range ? text.substr(colon + 1) : text);
    const auto first = is_range ? parse_number<std::int64_t>(text.substr(0, colon)) : 0;
    if (!first || !end)
        return wrong(fmt::format("'{}' is no number of frames, and no range of whole numbers such "
                                 "as 100:200",
                                 text));
    if (*first < 0 || *end < 0 || *end > kMaxFrames)
        return wrong(fmt::format("frames are numbered from 0 to {}, not '{}'", kMaxFrames, text));
    if (*first == *end)
        return wrong(fmt::format("'{}' is empty: the last frame is the one before {}", text, *end));
    if (*first > *end)
        return wrong(fmt::format("'{}' runs backwards; did you mean {}:{}?", text, *end, *first));
    return FrameRange{*first, *end};
}

std::expected<TimeRange, std::string> parse_times(std::string_view text) {
    const std::size_t colon = text.find(':');
    const bool is_range = colon != std::string_view::npos;
    const auto first = finite_number(text.substr(0, colon));
    const auto end = is_range ? finite_number(text.substr(colon + 1)) : first;
    if (!first || !end)
        return wrong(
            fmt::format("'{}' is neither seconds such as 2.5 nor a range such as 1:2.5", text));
    if (*first < 0 || *end < 0 || std::max(*first, *end) > kMaxSeconds)
        return wrong(fmt::format("times go from 0 to {} seconds, not '{}'", kMaxSeconds, text));
    if (!is_range) return TimeRange{*first, std::nullopt};
    if (*first == *end) return wrong(fmt::format("'{}' is empty", text));
    if (*first > *end)
        return wrong(fmt::format("'{}' runs backwards; did you mean {}:{}?", text, *end, *first));
    return TimeRange{*first, *end};
}

FrameRange frames_of(const TimeRange& times, double fps) {
    if (!times.end) {
        const std::int64_t nearest = std::llround(times.first * fps);
        return {nearest, nearest + 1};
    }
    // 0.1 s times 30 is a little more than 3, and frame 3 is meant.
    const auto at_or_after = [&](double time) {
        return static_cast<std::int64_t>(std::ceil(time * fps - 1e-6));
    };
    return {at_or_after(times.first), at_or_after(*times.end)};
}

} // namespace tuff::cli
