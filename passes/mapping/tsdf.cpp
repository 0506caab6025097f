#include "passes/mapping/tsdf.hpp"

#include "passes/mapping/align.hpp"
#include "passes/mapping/normals.hpp"
#include "passes/mapping/tsdf_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

struct Seen {
    RgbdMaps maps;
    Image color;
};

/// What a camera sees of a volume.
Seen raycast(Graph& graph, const TsdfVolume& volume, Buffer pose, Extent extent,
             glm::vec4 intrinsics, glm::vec2 range, float edge) {
    Seen seen{.maps = make_maps(graph, extent, intrinsics, range),
              .color = graph.image("color", {.format = Format::rgba8_unorm, .extent = extent})};
    ComputeNodeBuilder node =
        graph.compute("mapping/raycast", {{"BRICKS", volume.bricks ? 1u : 0u}});
    if (volume.bricks) bind_map(node, volume.bricks);
    node.set("intrinsics", intrinsics);
    node.set("size", glm::ivec2(extent.width, extent.height));
    node.set("range", range);
    node.set("dims", volume.dims);
    node.set("side", volume.side);
    node.set("corner", volume.corner);
    node.set("truncation", volume.truncation);
    node.set("edge", edge);
    node.read("volume", volume.voxels);
    node.read("camera_pose", BufferView(pose, 0, kPoseDesc.size));
    write_maps(node, seen.maps);
    seen.color = node.write("color", seen.color);
    node.dispatch_over(extent);
    return seen;
}

} // namespace

void MappingTsdf::describe(PassInfo<MappingTsdf>& info) {
    info.summary("Maps a room with a TSDF and tracks the camera in it (KinectFusion)")
        .details(
            "Each frame renders depths and normals of the map from the camera's last pose, "
            "aligns the frame with them (mapping/align), and integrates the frame's depths "
            "into the map. So errors do not add up from frame to frame, as they do when frames "
            "are aligned with frames.\n\n"
            "A voxel has a running mean of the truncated distance to the surface along the "
            "ray, and one of colors. Behind the surface a measurement has less weight, because "
            "other views may find that space free. Depths beyond the range mark the voxels up "
            "to the range as free. Frames of a lost camera are not integrated. The map stays, "
            "and the camera is found again when it sees what it saw last.\n\n"
            "If \"poses\" is connected, the camera is not tracked, for example with motion "
            "capture or true poses. Poses with numbers that are not finite, or with a last row "
            "of 0, count as lost.\n\n"
            "The volume is part of the pass's history; a graph cannot output it directly. "
            "mapping/view and mapping/field make pictures and fields from it. It takes 16 "
            "bytes a voxel.\n\n"
            "With the storage \"bricks\", memory is allocated in bricks of 8 x 8 x 8 voxels, "
            "when a frame first sees a surface within the truncation plus two voxels. From "
            "then on, voxels of bricks are equal to dense ones to the bit; earlier "
            "observations, such as free space, are not known. Bricks that do not fit are "
            "counted, and the capacity grows over the frames of a run.\n\n"
            "Errors: mapping/too-large, mapping/bad-frame, mapping/bad-pose, sparse/too-large.")
        .source("R. Newcombe et al., \"KinectFusion: Real-Time Dense Surface Mapping and "
                "Tracking\", ISMAR 2011; B. Curless and M. Levoy, \"A Volumetric Method for "
                "Building Complex Models from Range Images\", SIGGRAPH 1996; D. Kotfis and P. "
                "Cozzi, \"Octree Mapping from a Depth Camera\", GPU Pro 7, 2016, section 18.2.1")
        .complexity("O(voxels + pixels * iterations)")
        .cost([](const MappingTsdf& pass, const Graph& graph) {
            Cost cost{.bytes = 2.0 * kTsdfVoxelBytes * double(pass.volume.count()),
                      .operations = 40.0 * double(pass.volume.count())};
            if (!pass.pose_given) {
                const Cost tracked = alignment_cost(graph.extent(pass.frame.depth), pass.tracking);
                cost.bytes += tracked.bytes;
                cost.operations += tracked.operations;
            }
            return cost;
        });
    info.input("frame", &MappingTsdf::frame, "depth and color of the camera");
    info.optional_input("pose", &MappingTsdf::pose_given,
                        "known pose, camera to world; without it the camera is tracked")
        .elements<glm::vec4>();
    info.optional_input("first", &MappingTsdf::first,
                        "pose of the first frame; without it the world's origin is the "
                        "camera's first position")
        .elements<glm::vec4>();
    info.group("grid", &MappingTsdf::grid);
    info.group("tracking", &MappingTsdf::tracking);
    info.parameter("smooth", &MappingTsdf::smooth,
                   "smoothing of the depths that are aligned, as in mapping/normals; depths "
                   "that are integrated are not smoothed")
        .range(0.0, 100.0);
    info.parameter("edge", &MappingTsdf::edge,
                   "largest difference of depth within a surface, "
                   "as in mapping/normals")
        .range(0.0, 10.0)
        .unit("metres");
    info.output("volume", &MappingTsdf::volume, "the map, including this frame");
    info.output("pose", &MappingTsdf::pose, "pose, camera to world").elements<glm::vec4>();
    info.output("status", &MappingTsdf::status,
                "counts and errors of the tracking; not with known poses")
        .elements<TrackingStatus>();
    info.output("brick_status", &MappingTsdf::brick_status,
                "counts of the bricks; not with a dense volume")
        .elements<SparseStatus>();
}

void MappingTsdf::build(Graph& graph) {
    if (!is_valid(graph, frame)) return;
    if (pose_given && !is_pose(graph, pose_given, "pose")) return;
    if (first && !is_pose(graph, first, "first")) return;
    auto map = TsdfMap::begin(graph, grid);
    if (!map) return;
    Buffer found = pose_given;
    if (!pose_given) {
        const BufferHistory tracked = graph.history_buffer("tracked", kTrackedDesc);
        const RgbdMaps now =
            graph.add(MappingNormals{.frame = frame, .smooth = smooth, .edge = edge}).maps;
        const Seen seen = raycast(graph, map->before(), tracked.previous[0],
                                  graph.extent(frame.depth), frame.intrinsics, frame.range, edge);
        const AlignmentResult aligned = align_maps(graph, {.maps = now,
                                                           .reference = seen.maps,
                                                           .before = tracked.previous[0],
                                                           .first = first,
                                                           .settings = tracking});
        if (!aligned.pose) return;
        (void)graph.copy(aligned.kept, tracked.current, "keep_pose");
        found = aligned.pose;
        status = aligned.status;
    }
    volume = map->fuse(frame, found, edge);
    brick_status = volume.bricks.status;
    pose = found;
}

void MappingView::describe(PassInfo<MappingView>& info) {
    info.summary("Renders a TSDF from any camera, by ray marching")
        .details("The step length is the distance stored in the voxels. A surface is where the "
                 "distance changes its sign between voxels that have been seen.")
        .source("R. Newcombe et al., \"KinectFusion: Real-Time Dense Surface Mapping and "
                "Tracking\", ISMAR 2011, section 3.4")
        .complexity("O(pixels * steps)")
        .cost([](const MappingView& pass, const Graph&) {
            const double pixels = double(pass.width) * pass.height;
            return Cost{.bytes = 60.0 * pixels, .operations = 3000.0 * pixels};
        });
    info.input("volume", &MappingView::volume, "the map, from mapping/tsdf");
    info.input("pose", &MappingView::pose, "pose of the camera; a lost camera sees nothing")
        .elements<glm::vec4>();
    info.parameter("width", &MappingView::width, "width of the picture")
        .range(8, 8192)
        .unit("texels")
        .structural();
    info.parameter("height", &MappingView::height, "height of the picture")
        .range(8, 8192)
        .unit("texels")
        .structural();
    info.parameter("intrinsics", &MappingView::intrinsics,
                   "focal lengths along x and y, and the principal point, in pixels; all 0: "
                   "\"vertical_fov\" is used")
        .unit("pixels");
    info.parameter("vertical_fov", &MappingView::vertical_fov, "full vertical angle of view")
        .range(1.0, 150.0)
        .unit("degrees");
    info.parameter("range", &MappingView::range, "smallest and largest depth that is shown")
        .range(0.01, 1000.0)
        .unit("metres");
    info.parameter("colored", &MappingView::colored, "uses the map's colors; else grey");
    info.parameter("light", &MappingView::light, "share of the light that comes from the camera")
        .range(0.0, 1.0);
    info.parameter("background", &MappingView::background, "color where there is no surface");
    info.output("result", &MappingView::result, "rgba8_unorm");
    info.output("maps", &MappingView::maps, "depths and normals, for mapping/align");
}

void MappingView::build(Graph& graph) {
    if (!is_pose(graph, pose, "pose")) return;
    const Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    glm::vec4 lens = intrinsics;
    if (lens == glm::vec4(0.0f)) {
        const double focal =
            0.5 * height / std::tan(0.5 * double{vertical_fov} * std::numbers::pi / 180.0);
        lens = {focal, focal, 0.5 * (width - 1), 0.5 * (height - 1)};
    }
    if (!(lens.x > 0.0f && lens.y > 0.0f && range.x < range.y)) {
        graph.error("mapping/bad-frame", "the view's focal lengths or its range are not valid",
                    "give positive focal lengths, and a range whose first number is smaller");
        return;
    }
    const Seen seen = raycast(graph, volume, pose, extent, lens, range, 0.05f);
    ComputeNodeBuilder node = graph.compute("mapping/shade_view");
    node.set("intrinsics", lens);
    node.set("size", glm::ivec2(width, height));
    node.set("background", background);
    node.set("light", light);
    node.set("colored", std::uint32_t(colored));
    node.read("geometry", seen.maps.geometry[0]);
    node.read("color", seen.color);
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba8_unorm, .extent = extent}));
    node.dispatch_over(extent);
    maps = seen.maps;
}

void MappingField::describe(PassInfo<MappingField>& info) {
    info.summary("Makes a field from a TSDF, for isosurface/marching_cubes")
        .details("Distances are metres, positive in front of surfaces.\n\n"
                 "For a dense volume the outputs are \"field\" and \"known\". \"known\" tells for "
                 "each cell between eight voxels whether all of them have been seen; if not, the "
                 "cell has no surface. For bricks the outputs are \"values\" and \"bricks\", for "
                 "the ports of the same names; voxels that have not been seen are NaN.\n\n"
                 "The center of the first voxel is half a voxel from the grid's corner.")
        .complexity("O(voxels)")
        .cost([](const MappingField& pass, const Graph&) {
            return Cost{.bytes = 13.0 * double(pass.volume.count()), .operations = 0.0};
        });
    info.input("volume", &MappingField::volume, "the map, from mapping/tsdf");
    info.parameter(
            "least_weight", &MappingField::least_weight,
            "number of frames that must have seen a voxel; behind a surface a frame counts as "
            "a fraction, so 1 leaves out what only one frame has seen")
        .range(0.0, 2048.0);
    info.output("field", &MappingField::field, "dense volume: distance in metres, r32_sfloat");
    info.output("known", &MappingField::known,
                "dense volume: r32_uint, one texel less along each axis, for the port \"valid\"");
    info.output("values", &MappingField::values,
                "bricks: one float for each cell of a slot, metres")
        .elements<float>();
    info.output("bricks", &MappingField::bricks, "bricks that have memory");
}

void MappingField::build(Graph& graph) {
    if (volume.bricks) {
        ComputeNodeBuilder node = graph.compute("mapping/field_bricks");
        bind_walk(node, volume.bricks);
        node.set("truncation", volume.truncation);
        node.set("least_weight", least_weight);
        node.read("volume", volume.voxels);
        values = node.write("result", graph.buffer("values", field_desc(volume.bricks.shape, 4)));
        bricks = volume.bricks;
        return;
    }
    const Extent extent{volume.dims.x, volume.dims.y, volume.dims.z};
    const std::uint32_t most = graph.target().max_image_3d;
    if (std::max({extent.width, extent.height, extent.depth}) > most) {
        graph.error(
            "mapping/too-large",
            fmt::format("a volume of {} x {} x {} texels is larger than the device's images",
                        extent.width, extent.height, extent.depth),
            "use fewer and larger voxels");
        return;
    }
    const Extent cells{extent.width - 1, extent.height - 1, extent.depth - 1};
    ComputeNodeBuilder node = graph.compute("mapping/field", {{"BRICKS", 0u}});
    node.set("dims", volume.dims);
    node.set("truncation", volume.truncation);
    node.set("least_weight", least_weight);
    node.read("volume", volume.voxels);
    field = node.write("field", graph.image("field", {.format = Format::r32_sfloat,
                                                      .extent = extent,
                                                      .shape = ImageShape::d3}));
    known = node.write("known", graph.image("known", {.format = Format::r32_uint,
                                                      .extent = cells,
                                                      .shape = ImageShape::d3}));
    node.dispatch_over(extent);
}

TUFF_PASS(MappingTsdf)
TUFF_PASS(MappingView)
TUFF_PASS(MappingField)

} // namespace tuff::passes
