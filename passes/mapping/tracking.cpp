#include "passes/mapping/tracking.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kAlignGroup = 256;
constexpr std::uint32_t kMaxAlignGroups = 264; // two for each multiprocessor of a large GPU
constexpr std::uint32_t kAlignSums = 32;       // as shaders/mapping/alignment.glsl
constexpr std::uint64_t kCountBytes = 256;     // from one iteration's group counts to the next
constexpr std::uint64_t kAlignmentBytes = 80;  // of the state
constexpr float kRadiansPerDegree = std::numbers::pi_v<float> / 180.0f;

Extent level_extent(const Graph& graph, const RgbdMaps& maps, std::uint32_t level) {
    return graph.extent(maps.geometry[level]);
}

std::uint32_t align_groups(Extent extent) {
    const std::uint32_t texels = extent.width * extent.height;
    return std::min(div_round_up(texels, kAlignGroup), kMaxAlignGroups);
}

/// The iterations of an alignment, coarse to fine.
class Alignment {
  public:
    Alignment(Graph& graph, const AlignmentRequest& request) : graph_(graph), request_(request) {}

    AlignmentResult run() {
        begin();
        for (std::uint32_t level = kRgbdLevels; level-- > 0;) {
            const std::uint32_t count = iterations(level);
            for (std::uint32_t i = 0; i < count; ++i)
                iterate(level, i, count - i);
            slot_ += count + 1;
        }
        return end();
    }

  private:
    std::uint32_t iterations(std::uint32_t level) const {
        return static_cast<std::uint32_t>(request_.settings.iterations[static_cast<int>(level)]);
    }

    void begin() {
        glm::uvec4 groups{0};
        glm::uvec4 counts{0};
        std::uint32_t slots = 0;
        std::uint32_t most = 1;
        for (std::uint32_t level = 0; level < kRgbdLevels; ++level) {
            const int at = static_cast<int>(level);
            groups[at] = align_groups(level_extent(graph_, request_.maps, level));
            counts[at] = iterations(level);
            slots += counts[at] + 1;
            most = std::max(most, groups[at]);
        }
        // Groups write their own sums, and the last one reads all: the graph cannot know that none
        // is read before it is written.
        const BufferDesc sums{.size = std::uint64_t{4} * kAlignSums * most, .stride = 4};
        partials_ = graph_.fill(graph_.buffer("partials", sums), 0, "no_sums_yet");
        arrived_ = graph_.fill(graph_.buffer("arrived", {.size = 4, .stride = 4}), 0, "none_yet");
        ComputeNodeBuilder node = graph_.compute("mapping/align_begin");
        node.set("groups", groups);
        node.set("iterations", counts);
        state_ =
            node.write("state", graph_.buffer("state", {.size = kAlignmentBytes, .stride = 16}));
        counts_ = node.write("counts",
                             graph_.buffer("counts", {.size = kCountBytes * slots, .stride = 4}));
        node.dispatch(1);
    }

    /// `later`: slots of the level behind this iteration's.
    void iterate(std::uint32_t level, std::uint32_t i, std::uint32_t later) {
        const Extent extent = level_extent(graph_, request_.maps, level);
        const TrackingSettings& settings = request_.settings;
        const std::uint64_t first = kCountBytes * (slot_ + i);
        ComputeNodeBuilder node =
            graph_.compute("mapping/align", fmt::format("level{}_{}", level, i));
        node.set("intrinsics", intrinsics_of_level(request_.maps.intrinsics, level));
        node.set("size", glm::ivec2(extent.width, extent.height));
        node.set("slots", later);
        node.set("distance", settings.distance);
        node.set("cosine", std::cos(settings.angle * kRadiansPerDegree));
        node.set("geometric", settings.geometric);
        node.set("photometric", settings.photometric * settings.photometric);
        node.set("least", settings.unconstrained);
        node.set("small_step", settings.small_step);
        node.read("geometry", request_.maps.geometry[level]);
        node.read("grey", request_.maps.grey[level]);
        node.read("reference_geometry", request_.reference.geometry[level]);
        node.read("reference_grey", request_.reference.grey[level]);
        node.dispatch_indirect(BufferView(counts_, first, 12));
        state_ = node.write("state", state_);
        partials_ = node.write("partials", partials_);
        arrived_ = node.write("arrived", arrived_);
        counts_ =
            node.write("counts", BufferView(counts_, first + kCountBytes, kCountBytes * later));
    }

    AlignmentResult end() {
        const TrackingSettings& settings = request_.settings;
        const Extent extent = level_extent(graph_, request_.maps, 0);
        const glm::mat4 first = glm::transpose(glm::mat4(request_.first_pose));
        ComputeNodeBuilder node = graph_.compute("mapping/align_end");
        node.set("first_x", first[0]);
        node.set("first_y", first[1]);
        node.set("first_z", first[2]);
        const float pixels = static_cast<float>(extent.width * extent.height);
        node.set("least_pairs", static_cast<std::uint32_t>(settings.least_pairs * pixels));
        node.set("most_error", settings.most_error);
        node.set("most_difference", settings.most_difference);
        node.set("most_moved", settings.most_moved);
        node.set("most_turned", settings.most_turned * kRadiansPerDegree);
        node.read("state", state_);
        node.read_optional("before", request_.before);
        node.read_optional("first", request_.first);
        AlignmentResult result;
        result.pose = node.write("camera_pose", graph_.buffer("pose", kPoseDesc));
        result.kept = node.write("kept", graph_.buffer("kept", kTrackedDesc));
        result.status = node.write(
            "status", graph_.buffer("status", {.size = sizeof(TrackingStatus), .stride = 4}));
        node.dispatch(1);
        graph_.status<TrackingStatus>(result.status);
        return result;
    }

    Graph& graph_;
    const AlignmentRequest& request_;
    std::uint32_t slot_ = 0; ///< the level's first
    Buffer state_;
    Buffer counts_;
    Buffer partials_;
    Buffer arrived_;
};

} // namespace

TrackingStatus TrackingStatus::read(std::span<const std::uint32_t> words) {
    return status_from<TrackingStatus>(words);
}

Diagnostics TrackingStatus::warnings() const {
    Diagnostics all;
    if (lost != 0) {
        constexpr std::array<std::string_view, 5> kReasons{
            "too few pixels found a partner", "pairs lie too far apart",
            "it would have moved too far", "its pose is not finite", "brightness differs too much"};
        std::string reasons;
        for (std::size_t i = 0; i < kReasons.size(); ++i)
            if ((failure >> i & 1u) != 0)
                reasons += fmt::format("{}{}", reasons.empty() ? "" : ", ", kReasons[i]);
        all.push_back(warning(
            "mapping/tracking-lost",
            fmt::format("the camera was lost in frame {}: {} ({} pairs, {:.1f} mm apart). The map "
                        "stays as it is",
                        frames, reasons, std::max(pairs, looks), 1e3 * double{rms_distance}),
            "let the camera see again what it saw last, move it less from frame to frame, or give "
            "poses from outside"));
    } else if (unconstrained > 0) {
        all.push_back(warning(
            "mapping/unconstrained",
            fmt::format("{} of the camera's 6 directions are not held by anything it sees in frame "
                        "{}: they stay as they were",
                        unconstrained, frames),
            "let it see more than one plane, or add the brightness: \"photometric\" above 0"));
    }
    return all;
}

AlignmentResult align_maps(Graph& graph, const AlignmentRequest& request) {
    if (request.settings.geometric == 0.0f && request.settings.photometric == 0.0f) {
        graph.error("mapping/no-weight", "neither surfaces nor brightness place the camera",
                    "set \"geometric\" or \"photometric\" above 0, or connect poses");
        return {};
    }
    if (level_extent(graph, request.maps, 0) != level_extent(graph, request.reference, 0) ||
        request.maps.intrinsics != request.reference.intrinsics) {
        graph.error("mapping/bad-reference",
                    "the frame and its reference are not of one camera: sizes or intrinsics differ",
                    "give both the same size and intrinsics");
        return {};
    }
    return Alignment(graph, request).run();
}

} // namespace tuff::passes
