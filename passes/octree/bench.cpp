#include "apps/bench/checks.hpp"
#include "passes/octree/bench_room.hpp"
#include "passes/octree/cubes.hpp"
#include "passes/octree/fuse.hpp"
#include "passes/octree/view.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

/// Frames of a depth camera in a round room with a ball: as many points as the case has elements,
/// and trees whose leaves have edges of 2 cm; pictures of as many texels.
namespace tuff::bench {
namespace {

using passes::ExtractVoxels;
using passes::FuseOctree;
using passes::OctreeGrowth;
using passes::OctreeMethod;
using passes::OctreePoint;
using passes::OctreeShape;
using passes::OctreeStatus;
using passes::OctreeView;

Input<OctreePoint> depth_frame(CaseBuilder& c, glm::uvec2 size) {
    return c.input<OctreePoint>("points", std::uint64_t{size.x} * size.y, [size](std::uint64_t i) {
        const glm::vec3 way = direction_of(size, i, 1.1f);
        return OctreePoint{kDepthCamera + distance_along(way) * way,
                           static_cast<std::uint32_t>(hash32(i)) | 0xff000000u};
    });
}

OctreeShape room_shape(std::uint32_t depth) {
    return {.half = 2.56f, .depth = depth, .nodes = 1u << 20};
}

/// By the rule that kernels follow, in the same floats.
std::uint64_t leaf_key(const OctreeShape& shape, glm::vec3 p) {
    std::uint64_t key = 1;
    const glm::vec3 cells = (p - shape.center) * shape.cells_a_unit();
    for (std::uint32_t bit = shape.depth; bit-- > 0;) {
        key <<= 3;
        for (int axis = 0; axis < 3; ++axis) {
            const int cell = int(std::floor(cells[axis])) + (1 << (shape.depth - 1));
            key |= std::uint64_t(cell >> bit & 1) << axis;
        }
    }
    return key;
}

void fuse(CaseBuilder& c, std::uint32_t depth, bool carve, std::uint32_t levels,
          OctreeGrowth growth = OctreeGrowth::at_once) {
    const Input<OctreePoint> points = depth_frame(c, frame_size(c.size()));
    const OctreeShape shape = room_shape(depth);
    const FuseOctree fused = c.add(FuseOctree{.points = points.buffer,
                                              .tree = shape,
                                              .growth = growth,
                                              .carve = carve,
                                              .carve_levels = levels,
                                              .eye = kDepthCamera});
    c.check<std::uint32_t>(
        "status", fused.status, [points, shape](std::span<const std::uint32_t> words) -> Verdict {
            std::vector<std::uint64_t> keys;
            for (const OctreePoint& point : points.values())
                keys.push_back(leaf_key(shape, point.position));
            std::uint64_t inner = 0;
            std::uint64_t leaves = 0;
            for (std::uint32_t up = 0; up <= shape.depth; ++up) {
                std::ranges::sort(keys);
                keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
                (up == 0 ? leaves : inner) += keys.size();
                for (std::uint64_t& key : keys)
                    key >>= 3;
            }
            const OctreeStatus status = OctreeStatus::read(words);
            if (status.lost > 0 || status.no_room > 0 || status.outside > 0)
                return std::unexpected("points were lost");
            if (status.leaves != leaves || status.nodes() != 8 * inner)
                return std::unexpected(fmt::format("{} leaves and {} nodes, not {} and {}",
                                                   status.leaves, status.nodes(), leaves,
                                                   8 * inner));
            return {};
        });
}

void view(CaseBuilder& c, OctreeMethod method) {
    const Extent size = c.extent();
    const std::uint32_t depth = c.size() < 1u << 16 ? 6 : 8;
    const Input<OctreePoint> points =
        depth_frame(c, frame_size(c.size() < 1u << 16 ? 40'000 : 1'200'000));
    const FuseOctree fused =
        c.add(FuseOctree{.points = points.buffer, .tree = room_shape(depth), .hit = 255}, "fuse");
    const OctreeView seen =
        c.add(OctreeView{.octree = fused.octree,
                         .method = method,
                         .width = size.width,
                         .height = size.height,
                         .camera = {.mode = passes::CameraMode::free,
                                    .position = kDepthCamera,
                                    .target = kDepthCamera - glm::vec3(0.0f, 0.0f, 1.0f),
                                    .vertical_fov = size.width == size.height ? 60.0f : 45.0f,
                                    .near_plane = 0.05f,
                                    .far_plane = 10.0f}},
              "view");
    c.time_only("view/");
    const float leaf = 1.0f / fused.octree.shape.cells_a_unit();
    // Printed samples, a voxel apart, pass some corners of voxels.
    const std::uint64_t allowed = method == OctreeMethod::printed ? 30 : 100; // one of so many
    c.check("depth", seen.depth, [size, leaf, allowed](const HostImage& depths) -> Verdict {
        const float widen =
            size.width == size.height ? 1.0f : std::tan(0.3926991f) / std::tan(0.5235988f);
        std::uint64_t far = 0;
        std::uint64_t tried = 0;
        for (std::uint64_t i = 0; i < std::uint64_t{size.width} * size.height; i += 7) {
            const glm::vec3 way = direction_of({size.width, size.height}, i, widen);
            // Along the outline of the ball voxels reach beyond it.
            const float aside = glm::length(glm::cross(kBall - kDepthCamera, way));
            if (std::abs(aside - kBallRadius) < 2.5f * leaf) continue;
            const float clip =
                depths.texel(std::uint32_t(i % size.width), std::uint32_t(i / size.width))[0];
            const float z = 0.05f * 10.0f / (10.0f - clip * (10.0f - 0.05f));
            far += std::abs(z / -way.z - distance_along(way)) > 3.0f * leaf;
            ++tried;
        }
        if (far * allowed > tried)
            return std::unexpected(fmt::format("{} of {} texels are off the surface", far, tried));
        return {};
    });
}

void cubes(CaseBuilder& c) {
    const Extent size = c.extent();
    const std::uint32_t depth = c.size() < 1u << 16 ? 6 : 8;
    const Input<OctreePoint> points =
        depth_frame(c, frame_size(c.size() < 1u << 16 ? 40'000 : 1'200'000));
    const OctreeShape shape = room_shape(depth);
    const FuseOctree fused =
        c.add(FuseOctree{.points = points.buffer, .tree = shape, .hit = 255}, "fuse");
    const ExtractVoxels list = c.add(ExtractVoxels{.octree = fused.octree}, "extract");
    const passes::DrawVoxels drawn =
        c.add(passes::DrawVoxels{.voxels = list.voxels,
                                 .width = size.width,
                                 .height = size.height,
                                 .camera = {.mode = passes::CameraMode::orbit}},
              "extract/draw");
    c.time_only("extract/");
    c.output("picture", drawn.result);
    c.check<std::uint32_t>(
        "counts", list.voxels.status,
        [points, shape](std::span<const std::uint32_t> counts) -> Verdict {
            std::vector<std::uint64_t> keys;
            for (const OctreePoint& point : points.values())
                keys.push_back(leaf_key(shape, point.position));
            std::ranges::sort(keys);
            const auto beyond = std::unique(keys.begin(), keys.end());
            const auto leaves = static_cast<std::uint64_t>(beyond - keys.begin());
            if (counts[0] != leaves)
                return std::unexpected(fmt::format("{} voxels, not {}", counts[0], leaves));
            return {};
        });
}

} // namespace

void add_octree_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 1u << 12,
                   .most = std::uint64_t{1} << 22});
    };
    // A frame of 640 x 480 is 307200 points; 8 levels are leaves of 2 cm.
    add(FuseOctree::kName, "frame at 8 levels", [](CaseBuilder& c) { fuse(c, 8, false, 0); });
    add(FuseOctree::kName, "frame at 9 levels", [](CaseBuilder& c) { fuse(c, 9, false, 0); });
    add(FuseOctree::kName, "frame level by level",
        [](CaseBuilder& c) { fuse(c, 8, false, 0, OctreeGrowth::levels); });
    add(FuseOctree::kName, "frame and carving", [](CaseBuilder& c) { fuse(c, 8, true, 0); });
    add(FuseOctree::kName, "frame and coarse carving", [](CaseBuilder& c) { fuse(c, 8, true, 2); });
    // 1280 x 720 is 921600 texels.
    add(OctreeView::kName, "cones", [](CaseBuilder& c) { view(c, OctreeMethod::cones); });
    add(OctreeView::kName, "printed cones", [](CaseBuilder& c) { view(c, OctreeMethod::printed); });
    add(OctreeView::kName, "rays", [](CaseBuilder& c) { view(c, OctreeMethod::rays); });
    add(passes::DrawVoxels::kName, "list and cubes", cubes);
}

} // namespace tuff::bench
