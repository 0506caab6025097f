#include "config/build/recording.hpp"

#include "config/check/flat_config.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

/// J. Sturm et al., "A Benchmark for the Evaluation of RGB-D SLAM Systems", IROS 2012; J. Shotton
/// et al., "Scene Coordinate Regression Forests for Camera Relocalization in RGB-D Images", CVPR
/// 2013.
namespace tuff {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxRecorded = 1 << 20; ///< frames

std::array<float, 16> unknown_pose() {
    std::array<float, 16> pose;
    pose.fill(std::numeric_limits<float>::quiet_NaN());
    return pose;
}

Diagnostic bad_list(const fs::path& file, std::size_t line, std::string message,
                    std::string_view hint) {
    return {.code = "sequence/bad-list",
            .message = std::move(message),
            .where = {.file = file.string(), .line = static_cast<int>(line), .line_text = {}},
            .hint = std::string(hint)};
}

/// A number as recordings have them: also nan, inf, and what Windows writes for these.
std::optional<double> number_of(const std::string& word) {
    if (word.find('#') != word.npos) return std::numeric_limits<double>::quiet_NaN();
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end == word.c_str() || *end != '\0') return std::nullopt;
    return value;
}

/// A line of a list: a time, and what belongs to it.
struct TimedLine {
    double time = 0.0;
    std::size_t line = 0;
    std::vector<std::string> words; ///< behind the time
    std::string name;               ///< the time as it is written
};

/// The lines of a list in the order of their times.
Result<std::vector<TimedLine>> read_list(const fs::path& file, std::size_t words,
                                         std::string_view form) {
    auto text = read_text_file(file);
    if (!text) return propagate(std::move(text));
    std::vector<TimedLine> lines;
    std::istringstream stream(*text);
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        std::istringstream parts(line);
        TimedLine one{.line = number, .words = {}, .name = {}};
        if (!(parts >> one.name) || one.name.front() == '#') continue;
        const auto time = number_of(one.name);
        for (std::string word; parts >> word;)
            one.words.push_back(std::move(word));
        if (!time || !std::isfinite(*time) || one.words.size() < words)
            return fail(bad_list(file, number, fmt::format("line {} is not \"{}\"", number, form),
                                 "lines of TUM's lists begin with a time in seconds, or with #"));
        one.time = *time;
        lines.push_back(std::move(one));
        if (lines.size() > static_cast<std::size_t>(kMaxRecorded) * 16)
            return fail(bad_list(file, number, "the list is too long", "make several of it"));
    }
    std::ranges::stable_sort(lines, {}, &TimedLine::time);
    return lines;
}

/// The line whose time is the nearest, where it is near enough.
const TimedLine* nearest(const std::vector<TimedLine>& lines, double time) {
    auto after = std::ranges::lower_bound(lines, time, {}, &TimedLine::time);
    const TimedLine* best = after != lines.end() ? &*after : nullptr;
    if (after != lines.begin()) {
        const TimedLine& before = *std::prev(after);
        if (!best || time - before.time <= best->time - time) best = &before;
    }
    // Times are decimals of microseconds, and 20 ms are near enough.
    const bool together = best && std::abs(best->time - time) <= kRecordedTogether + 1e-6;
    return together ? best : nullptr;
}

/// Rows of a matrix of a place and a quaternion x, y, z, w.
std::array<float, 16> pose_of(const std::array<double, 7>& v) {
    const double square = v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6];
    if (!(square > 1e-12) || !std::isfinite(square)) return unknown_pose();
    const double s = 2.0 / square;
    const double x = v[3], y = v[4], z = v[5], w = v[6];
    const std::array<double, 16> rows{1.0 - s * (y * y + z * z),
                                      s * (x * y - z * w),
                                      s * (x * z + y * w),
                                      v[0],
                                      s * (x * y + z * w),
                                      1.0 - s * (x * x + z * z),
                                      s * (y * z - x * w),
                                      v[1],
                                      s * (x * z - y * w),
                                      s * (y * z + x * w),
                                      1.0 - s * (x * x + y * y),
                                      v[2],
                                      0.0,
                                      0.0,
                                      0.0,
                                      1.0};
    std::array<float, 16> pose;
    std::ranges::transform(rows, pose.begin(), [](double n) { return static_cast<float>(n); });
    return pose;
}

/// A file of the recording; empty where it is missing.
Result<fs::path> picture_in(const fs::path& folder, const std::string& name,
                            const AssetFolders& folders) {
    const fs::path file = fs::absolute(folder / name);
    auto found = find_asset(file.string(), folder, folders.confined_to);
    if (!found && found.error().front().code == "asset/not-found") return fs::path();
    return found;
}

/// Of another list than that of the depths, which a recording may lack.
Result<std::vector<TimedLine>> optional_list(const fs::path& file, std::size_t words,
                                             std::string_view form, const AssetFolders& folders) {
    auto found = picture_in(file.parent_path(), file.filename().string(), folders);
    if (!found) return propagate(std::move(found));
    if (found->empty()) return std::vector<TimedLine>();
    return read_list(*found, words, form);
}

Result<Recording> read_tum(const fs::path& depth_list, const AssetFolders& folders) {
    const fs::path folder = depth_list.parent_path();
    const auto depths = read_list(depth_list, 1, "time file");
    if (!depths) return std::unexpected(depths.error());
    const auto colors = optional_list(folder / "rgb.txt", 1, "time file", folders);
    if (!colors) return std::unexpected(colors.error());
    const fs::path pose_list = folder / "groundtruth.txt";
    const auto poses = optional_list(pose_list, 7, "time tx ty tz qx qy qz qw", folders);
    if (!poses) return std::unexpected(poses.error());
    Recording recording{.frames = {}, .has_poses = !poses->empty()};
    for (const TimedLine& depth : *depths) {
        RecordedFrame frame{.name = depth.name, .depth = {}, .color = {}, .pose = unknown_pose()};
        auto file = picture_in(folder, depth.words[0], folders);
        if (!file) return propagate(std::move(file));
        frame.depth = std::move(*file);
        if (const TimedLine* color = nearest(*colors, depth.time)) {
            auto own = picture_in(folder, color->words[0], folders);
            if (!own) return propagate(std::move(own));
            frame.color = std::move(*own);
        }
        if (const TimedLine* pose = nearest(*poses, depth.time)) {
            std::array<double, 7> numbers{};
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const auto number = number_of(pose->words[i]);
                if (!number)
                    return fail(bad_list(
                        pose_list, pose->line,
                        fmt::format("\"{}\" in line {} is not a number", pose->words[i], pose->line),
                        "a pose is a place and a quaternion: tx ty tz qx qy qz qw"));
                numbers[i] = *number;
            }
            frame.pose = pose_of(numbers);
        }
        recording.frames.push_back(std::move(frame));
    }
    return recording;
}

/// The number of "frame-000012.depth.png".
std::optional<std::int64_t> number_of_frame(std::string_view name) {
    constexpr std::string_view kBegin = "frame-";
    constexpr std::string_view kEnd = ".depth.png";
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return std::nullopt;
    name.remove_prefix(kBegin.size());
    name.remove_suffix(std::min(kEnd.size(), name.size()));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = error == std::errc() && end == name.data() + name.size() && number >= 0;
    return is_number ? std::optional(number) : std::nullopt;
}

Result<std::array<float, 16>> read_pose(const fs::path& file) {
    auto text = read_text_file(file);
    if (!text) return propagate(std::move(text));
    std::array<float, 16> pose = unknown_pose();
    std::istringstream words(*text);
    std::size_t count = 0;
    for (std::string word; words >> word; ++count) {
        const auto number = number_of(word);
        if (!number || count >= pose.size())
            return fail(bad_list(file, 1,
                                 fmt::format("{} has \"{}\", and is no matrix of 4 x 4",
                                             file.filename().string(), word),
                                 "a pose file of 7-Scenes has four rows of four numbers"));
        pose[count] = static_cast<float>(*number);
    }
    if (count == pose.size()) return pose;
    return fail(bad_list(file, 1,
                         fmt::format("{} has {} numbers, and a matrix of 4 x 4 has 16",
                                     file.filename().string(), count),
                         "a pose file of 7-Scenes has four rows of four numbers"));
}

Result<Recording> read_7_scenes(const fs::path& folder, const AssetFolders& folders) {
    std::map<std::int64_t, std::string> stems; // without ".depth.png"
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (const auto number = number_of_frame(name))
            stems[*number] = name.substr(0, name.size() - std::string_view(".depth.png").size());
    }
    Recording recording;
    if (stems.empty()) return recording;
    const std::int64_t first = stems.begin()->first;
    const std::int64_t last = stems.rbegin()->first;
    if (last - first >= kMaxRecorded)
        return fail("sequence/no-recording",
                    fmt::format("the numbers of the frames in '{}' go from {} to {}",
                                folder.string(), first, last),
                    "make several folders of it");
    for (std::int64_t number = first; number <= last; ++number) {
        RecordedFrame frame{
            .name = fmt::format("{}", number), .depth = {}, .color = {}, .pose = unknown_pose()};
        if (const auto stem = stems.find(number); stem != stems.end()) {
            auto depth = picture_in(folder, stem->second + ".depth.png", folders);
            if (!depth) return propagate(std::move(depth));
            frame.depth = std::move(*depth);
            auto color = picture_in(folder, stem->second + ".color.png", folders);
            if (!color) return propagate(std::move(color));
            frame.color = std::move(*color);
            auto file = picture_in(folder, stem->second + ".pose.txt", folders);
            if (!file) return propagate(std::move(file));
            if (!file->empty()) {
                auto pose = read_pose(*file);
                if (!pose) return propagate(std::move(pose));
                frame.pose = *pose;
                recording.has_poses = true;
            }
        }
        recording.frames.push_back(std::move(frame));
    }
    return recording;
}

} // namespace

Result<Recording> read_recording(const std::string& folder, const AssetFolders& folders) {
    Result<Recording> recording = Recording();
    auto list = find_asset(folder + "/depth.txt", folders.own, folders.confined_to);
    if (list) {
        recording = read_tum(*list, folders);
    } else if (list.error().front().code != "asset/not-found") {
        return propagate(std::move(list));
    } else {
        for (const fs::path& place : asset_folders(folders.own)) {
            std::error_code error;
            if (!recording->frames.empty() || !fs::is_directory(place / folder, error)) continue;
            recording = read_7_scenes(place / folder, folders);
            if (!recording) return recording;
        }
    }
    if (!recording) return recording;
    if (std::ranges::all_of(recording->frames, [](const auto& f) { return f.depth.empty(); }))
        return fail("sequence/no-recording",
                    fmt::format("there are no depth pictures of a recording in '{}'", folder),
                    "a recording is a folder with depth.txt, rgb.txt and groundtruth.txt (TUM), or "
                    "with frame-000000.depth.png, .color.png and .pose.txt (7-Scenes)");
    recording->has_colors =
        std::ranges::any_of(recording->frames, [](const auto& f) { return !f.color.empty(); });
    return recording;
}

} // namespace tuff
