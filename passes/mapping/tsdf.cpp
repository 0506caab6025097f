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
    info.summary("Maps a room and follows the camera through it, by a grid of distances")
        .details(
            "In each frame the map as the camera saw it last is cast into depths and normals, the "
            "frame is aligned with these (mapping/align), and its depths are brought into the map: "
            "errors do not add up from frame to frame as where frames are aligned with frames. A "
            "voxel holds a running mean of the distance along the ray to the surface, cut off at "
            "the "
            "truncation, and one of colors; behind the surface it counts less, for other views may "
            "find that free. Depths beyond the range free the voxels up to there. "
            "Frames of a lost camera are not mapped, and the map stays; it is found again where it "
            "sees again what it saw last.\n\n"
            "Where poses are connected the camera is not looked for: motion capture, or the truth. "
            "Those with numbers that are not finite, or a last row of 0, count as lost. The volume "
            "belongs to the pass's history and is no output of a graph by itself; mapping/view and "
            "mapping/field make pictures and fields of it. Memory is 16 bytes a voxel.\n\n"
            "With the storage \"bricks\" voxels have memory in bricks of 8 x 8 x 8, from the frame "
            "on "
            "that first sees something within the truncation and two voxels about them. Bricks "
            "that "
            "have it get what frames say of their voxels, bit for bit as dense ones; what was seen "
            "of "
            "them before, as free space, is not known. Bricks for which there is no room are "
            "counted, "
            "and room grows over the frames of a run. Errors: mapping/too-large, "
            "mapping/bad-frame, "
            "mapping/bad-pose, sparse/too-large.")
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
    info.input("frame", &MappingTsdf::frame, "depth and color");
    info.optional_input("pose", &MappingTsdf::pose_given,
                        "camera to world, from outside; else it is found")
        .elements<glm::vec4>();
    info.optional_input("first", &MappingTsdf::first,
                        "pose of the first frame; else the world is where the camera begins")
        .elements<glm::vec4>();
    info.group("grid", &MappingTsdf::grid);
    info.group("tracking", &MappingTsdf::tracking);
    info.parameter("smooth", &MappingTsdf::smooth,
                   "as of mapping/normals, of what is aligned: what is mapped is not smoothed")
        .range(0.0, 100.0);
    info.parameter("edge", &MappingTsdf::edge, "as of mapping/normals")
        .range(0.0, 10.0)
        .unit("metres");
    info.output("volume", &MappingTsdf::volume, "the map with this frame");
    info.output("pose", &MappingTsdf::pose, "camera to world").elements<glm::vec4>();
    info.output("status", &MappingTsdf::status,
                "how the camera was found; not where poses are connected")
        .elements<TrackingStatus>();
    info.output("brick_status", &MappingTsdf::brick_status,
                "what became of the bricks; not of a dense volume")
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
    info.summary("Shows a TSDF as a camera sees it, also one that was never there")
        .details("Rays march in steps of the distances that the voxels hold, to where these change "
                 "their sign between voxels that have been seen.")
        .source("R. Newcombe et al., \"KinectFusion: Real-Time Dense Surface Mapping and "
                "Tracking\", ISMAR 2011, section 3.4")
        .complexity("O(pixels * steps)")
        .cost([](const MappingView& pass, const Graph&) {
            const double pixels = double(pass.width) * pass.height;
            return Cost{.bytes = 60.0 * pixels, .operations = 3000.0 * pixels};
        });
    info.input("volume", &MappingView::volume, "of mapping/tsdf");
    info.input("pose", &MappingView::pose, "of the camera; a lost one sees nothing")
        .elements<glm::vec4>();
    info.parameter("width", &MappingView::width, "of the picture")
        .range(8, 8192)
        .unit("texels")
        .structural();
    info.parameter("height", &MappingView::height, "of the picture")
        .range(8, 8192)
        .unit("texels")
        .structural();
    info.parameter(
            "intrinsics", &MappingView::intrinsics,
            "focal lengths along x and y, and the pixel that the axis meets; all 0: those of "
            "\"vertical_fov\"")
        .unit("pixels");
    info.parameter("vertical_fov", &MappingView::vertical_fov, "of the camera")
        .range(1.0, 150.0)
        .unit("degrees");
    info.parameter("range", &MappingView::range, "least and greatest depth that is shown")
        .range(0.01, 1000.0)
        .unit("metres");
    info.parameter("colored", &MappingView::colored, "the map's colors; else grey");
    info.parameter("light", &MappingView::light, "share of the light that comes from the camera")
        .range(0.0, 1.0);
    info.parameter("background", &MappingView::background, "where there is no surface");
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
        graph.error("mapping/bad-frame", "the view's focal lengths or its range make no sense",
                    "give positive focal lengths, and a range whose first number is the less");
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
    info.summary("Makes a field of a TSDF, whose surface isosurface/marching_cubes finds")
        .details(
            "Distances are metres, positive in front of surfaces. Of a dense volume come \"field\" "
            "and \"known\", which says of each cell between eight voxels whether all of them "
            "have been seen: where one has not there is no surface. Of bricks come \"values\" "
            "and \"bricks\", for the ports of the same names; voxels that have not been seen are "
            "NaN. The first voxel's middle is half a side from the grid's corner.")
        .complexity("O(voxels)")
        .cost([](const MappingField& pass, const Graph&) {
            return Cost{.bytes = 13.0 * double(pass.volume.count()), .operations = 0.0};
        });
    info.input("volume", &MappingField::volume, "of mapping/tsdf");
    info.parameter(
            "least_weight", &MappingField::least_weight,
            "frames that must have seen a voxel for it to count; behind a surface a frame is a "
            "part of one, so that 1 leaves out what one frame alone has seen")
        .range(0.0, 2048.0);
    info.output("field", &MappingField::field, "of a dense volume: one, r32_sfloat, metres");
    info.output("known", &MappingField::known,
                "a volume, r32_uint, a texel less along each axis: for the port \"valid\"");
    info.output("values", &MappingField::values,
                "of bricks: a float for each cell of a slot, metres")
        .elements<float>();
    info.output("bricks", &MappingField::bricks, "that have memory");
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
            fmt::format("a volume of {} x {} x {} texels is more than the device has images "
                        "for",
                        extent.width, extent.height, extent.depth),
            "take fewer and larger voxels");
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
