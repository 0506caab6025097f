#include "passes/mapping/rgbd.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kLeastFrameSide = 8; // two halvings leave two texels

bool is_finite_number(glm::vec4 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && std::isfinite(v.w);
}

} // namespace

std::vector<PortMember> TsdfVolume::members() const {
    std::vector<PortMember> all;
    if (bricks) all = bricks.members();
    all.push_back({"voxels", voxels, BufferElements::of<glm::uvec2>()});
    return all;
}

bool is_valid(Graph& graph, const RgbdFrame& frame) {
    const Extent depth = graph.extent(frame.depth);
    const Extent color = graph.extent(frame.color);
    if (depth != color) {
        graph.error("mapping/bad-frame",
                    fmt::format("the frame's depth has {} x {} texels, but its color has {} x "
                                "{}",
                                depth.width, depth.height, color.width, color.height),
                    "use mapping/frame, which resamples the color");
        return false;
    }
    if (depth.width < kLeastFrameSide || depth.height < kLeastFrameSide) {
        graph.error("mapping/bad-frame",
                    fmt::format("a frame of {} x {} texels is too small for three levels",
                                depth.width, depth.height),
                    "give at least 8 x 8 texels");
        return false;
    }
    const bool has_focus = frame.intrinsics.x > 0.0f && frame.intrinsics.y > 0.0f;
    if (!is_finite_number(frame.intrinsics) || !has_focus) {
        graph.error("mapping/bad-frame", "the focal lengths of the frame are not positive",
                    "give fx, fy, cx and cy in pixels, from the camera's calibration");
        return false;
    }
    if (!(frame.range.x > 0.0f && frame.range.x < frame.range.y)) {
        graph.error("mapping/bad-frame", "the range of depths is empty",
                    "give the smallest and the largest depth that the camera measures, in "
                    "meters");
        return false;
    }
    return true;
}

bool is_pose(Graph& graph, Buffer pose, std::string_view port) {
    const std::uint64_t bytes = graph.desc(pose).size;
    if (bytes >= kPoseDesc.size) return true;
    graph.error("mapping/bad-pose",
                fmt::format("\"{}\" has {} bytes, but a pose has {}", port, bytes, kPoseDesc.size),
                "connect four rows of four numbers, for example from mapping/pose");
    return false;
}

RgbdMaps make_maps(Graph& graph, Extent extent, glm::vec4 intrinsics, glm::vec2 range) {
    RgbdMaps maps{.geometry = {}, .grey = {}, .intrinsics = intrinsics, .range = range};
    for (std::uint32_t level = 0; level < kRgbdLevels; ++level) {
        const Extent size{extent.width >> level, extent.height >> level, 1};
        maps.geometry[level] = graph.image(fmt::format("geometry_{}", level),
                                           {.format = Format::rgba32_sfloat, .extent = size});
        maps.grey[level] = graph.image(fmt::format("grey_{}", level),
                                       {.format = Format::r32_sfloat, .extent = size});
    }
    return maps;
}

void write_maps(ComputeNodeBuilder& node, RgbdMaps& maps) {
    for (std::uint32_t level = 0; level < kRgbdLevels; ++level) {
        maps.geometry[level] = node.write(fmt::format("geometry_{}", level), maps.geometry[level]);
        maps.grey[level] = node.write(fmt::format("grey_{}", level), maps.grey[level]);
    }
}

glm::vec4 intrinsics_of_level(glm::vec4 finest, std::uint32_t level) {
    for (std::uint32_t i = 0; i < level; ++i)
        finest = {0.5f * finest.x, 0.5f * finest.y, 0.5f * (finest.z + 0.5f) - 0.5f,
                  0.5f * (finest.w + 0.5f) - 0.5f};
    return finest;
}

} // namespace tuff::passes
