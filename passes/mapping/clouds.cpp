#include "passes/mapping/clouds.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/compact.hpp"
#include "passes/primitives/radix_sort.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::string_view kCloudSource = "D. Kotfis and P. Cozzi, \"Octree Mapping from a Depth "
                                          "Camera\", GPU Pro 7, 2016, section 18.1.3";

BufferDesc position_desc(std::uint32_t room) {
    return {.size = std::uint64_t{16} * room, .stride = 16};
}
BufferDesc color_desc(std::uint32_t room) {
    return {.size = std::uint64_t{4} * room, .stride = 4};
}
constexpr BufferDesc kCountDesc{.size = 4, .stride = 4};

/// Empty clouds of so many points.
PointCloud make_cloud(Graph& graph, std::uint32_t room) {
    return {.positions = graph.buffer("positions", position_desc(room)),
            .colors = graph.buffer("colors", color_desc(room)),
            .count = graph.buffer("count", kCountDesc),
            .room = room};
}

/// A map of points that lasts.
class KeptCloud {
  public:
    KeptCloud(Graph& graph, std::uint32_t room)
        : graph_(graph), positions_(graph.history_buffer("kept_positions", position_desc(room))),
          colors_(graph.history_buffer("kept_colors", color_desc(room))),
          count_(graph.history_buffer("kept_count", kCountDesc)), room_(room) {}

    PointCloud before() const {
        return {positions_.previous[0], colors_.previous[0], count_.previous[0], room_};
    }
    void keep(const PointCloud& map) {
        (void)graph_.copy(map.positions, positions_.current, "keep_positions");
        (void)graph_.copy(map.colors, colors_.current, "keep_colors");
        (void)graph_.copy(map.count, count_.current, "keep_count");
    }

  private:
    Graph& graph_;
    BufferHistory positions_;
    BufferHistory colors_;
    BufferHistory count_;
    std::uint32_t room_;
};

void read_points(ComputeNodeBuilder& node, const PointCloud& before, const PointCloud& added) {
    node.read("before_positions", before.positions);
    node.read("before_colors", before.colors);
    node.read("new_positions", added.positions);
    node.read("new_colors", added.colors);
}

void write_cloud(ComputeNodeBuilder& node, PointCloud& map) {
    map.positions = node.write("positions", map.positions);
    map.colors = node.write("colors", map.colors);
    map.count = node.write("count", map.count);
}

Buffer cloud_status(Graph& graph) {
    return graph.buffer("status", {.size = sizeof(CloudStatus), .stride = 4});
}

struct LastingCloud {
    PointCloud map;
    Buffer status;
};

/// Puts the points of this frame behind those of the frames before, of which a window has `frames`
/// with this one; 0: all.
LastingCloud append(Graph& graph, const PointCloud& added, std::uint32_t room,
                    std::uint32_t frames) {
    KeptCloud kept(graph, room);
    const PointCloud before = kept.before();
    const std::uint32_t counted = std::max(frames, 1u);
    const BufferDesc frames_desc{.size = std::uint64_t{4} * (counted + 1), .stride = 4};
    const BufferHistory counts = graph.history_buffer("kept_frames", frames_desc);
    LastingCloud result{.map = make_cloud(graph, room), .status = {}};
    ComputeNodeBuilder node = graph.compute("mapping/append");
    node.set("room", room);
    node.set("new_room", added.room);
    node.set("frames", frames);
    read_points(node, before, added);
    node.read("before_count", before.count);
    node.read("new_count", added.count);
    node.read("before_frames", counts.previous[0]);
    node.match<CloudStatus>("status");
    (void)node.write("kept_frames", counts.current);
    write_cloud(node, result.map);
    result.status = node.write("status", cloud_status(graph));
    node.dispatch_each(room);
    kept.keep(result.map);
    graph.status<CloudStatus>(result.status);
    return result;
}

/// As many points as a buffer of the device holds, or an error.
bool fits(Graph& graph, std::uint64_t points) {
    if (16 * points <= graph.target().max_storage_buffer_bytes && points <= kMaxElements)
        return true;
    graph.error("mapping/too-large",
                fmt::format("{} points do not fit into a buffer of the device", points),
                "decrease \"room\" or the number of pixels");
    return false;
}

} // namespace

CloudStatus CloudStatus::read(std::span<const std::uint32_t> words) {
    return status_from<CloudStatus>(words);
}

Diagnostics CloudStatus::warnings() const {
    Diagnostics all;
    if (points > room)
        all.push_back(warning("mapping/map-full",
                              fmt::format("the map has room for {} points, but {} are needed: "
                                          "the others are left out",
                                          room, points),
                              "increase \"room\", or make the bins larger"));
    if (outside > 0)
        all.push_back(
            warning("mapping/outside-bins",
                    fmt::format("{} points of this frame are outside of the bins and are left "
                                "out",
                                outside),
                    "move \"corner\", or make the bins larger: there are 1023 along each axis"));
    return all;
}

void MappingBackProject::describe(PassInfo<MappingBackProject>& info) {
    info.summary("Makes a cloud of colored points in world space from a frame")
        .details("A pixel (u, v) of depth z becomes the point pose * z * K^-1 (u, v, 1). "
                 "Pixels without depth, or with a depth that is not finite or out of range, "
                 "give no point. The frame of a lost camera gives no points. Points keep the "
                 "order of the pixels.")
        .source(kCloudSource)
        .complexity("O(pixels)")
        .cost([](const MappingBackProject& pass, const Graph&) {
            return Cost{.bytes = 28.0 * pass.cloud.room, .operations = 20.0 * pass.cloud.room};
        });
    info.input("frame", &MappingBackProject::frame, "depth and color of the camera");
    info.input("pose", &MappingBackProject::pose, "pose, camera to world").elements<glm::vec4>();
    info.output("cloud", &MappingBackProject::cloud, "the points, at most one a pixel");
}

void MappingBackProject::build(Graph& graph) {
    if (!is_valid(graph, frame) || !is_pose(graph, pose, "pose")) return;
    const Extent extent = graph.extent(frame.depth);
    const std::uint32_t pixels = extent.width * extent.height;
    if (!fits(graph, pixels)) return;
    ComputeNodeBuilder mark = graph.compute("mapping/mark_pixels");
    mark.set("size", glm::uvec2(extent.width, extent.height));
    mark.set("range", frame.range);
    mark.read("depth", ImageView(frame.depth).mip(0));
    mark.read("camera_pose", pose);
    const Buffer flags = mark.write("flags", array(graph, "flags", pixels));
    mark.dispatch_each(pixels);
    const Compact used = graph.add(
        Compact{.source = flags, .flags = flags, .length = pixels, .emits = Emits::indices});

    PointCloud made = make_cloud(graph, pixels);
    ComputeNodeBuilder node = graph.compute("mapping/back_project");
    node.set("intrinsics", frame.intrinsics);
    node.set("width", extent.width);
    node.set("room", pixels);
    node.read("depth", ImageView(frame.depth).mip(0));
    node.read("color", ImageView(frame.color).mip(0));
    node.read("camera_pose", pose);
    node.read("pixels", used.result);
    node.read("pixel_count", used.kept);
    write_cloud(node, made);
    node.dispatch_each(pixels);
    cloud = made;
}

void MappingConcatenate::describe(PassInfo<MappingConcatenate>& info) {
    info.summary("Collects the points of all frames: a map that grows without limit")
        .details("This is a baseline for other maps. Its size grows with time, even if the camera "
                 "sees the same again, and each frame copies all of it. If it is full, a warning "
                 "reports it (mapping/map-full).")
        .source(kCloudSource)
        .complexity("O(room)")
        .cost([](const MappingConcatenate& pass, const Graph&) {
            return Cost{.bytes = 40.0 * pass.room, .operations = 0.0};
        });
    info.input("cloud", &MappingConcatenate::cloud, "points of this frame");
    info.parameter("room", &MappingConcatenate::room, "capacity, in points")
        .range(1, kMaxElements)
        .structural();
    info.output("map", &MappingConcatenate::map, "the map, frame after frame");
    info.output("status", &MappingConcatenate::status, "size of the map").elements<CloudStatus>();
}

void MappingConcatenate::build(Graph& graph) {
    if (!fits(graph, static_cast<std::uint64_t>(room))) return;
    const LastingCloud made = append(graph, cloud, static_cast<std::uint32_t>(room), 0);
    map = made.map;
    status = made.status;
}

void MappingWindow::describe(PassInfo<MappingWindow>& info) {
    info.summary("Collects the points of the last frames: a map that forgets")
        .details("The map has capacity for all pixels of these frames. Older points are "
                 "dropped.")
        .source(kCloudSource)
        .complexity("O(frames * pixels)")
        .cost([](const MappingWindow& pass, const Graph&) {
            return Cost{.bytes = 40.0 * pass.frames * pass.cloud.room, .operations = 0.0};
        });
    info.input("cloud", &MappingWindow::cloud, "points of this frame");
    info.parameter("frames", &MappingWindow::frames, "number of frames, including this one")
        .range(1, 1024)
        .structural();
    info.output("map", &MappingWindow::map, "the map, the oldest frame first");
    info.output("status", &MappingWindow::status, "size of the map").elements<CloudStatus>();
}

void MappingWindow::build(Graph& graph) {
    const std::uint64_t room = static_cast<std::uint64_t>(frames) * cloud.room;
    if (!fits(graph, room)) return;
    const LastingCloud made =
        append(graph, cloud, static_cast<std::uint32_t>(room), static_cast<std::uint32_t>(frames));
    map = made.map;
    status = made.status;
}

void MappingBins::describe(PassInfo<MappingBins>& info) {
    info.summary("Collects points, at most one for each bin of space")
        .details(
            "The points of the map and of this frame are sorted by the index of their bin, and "
            "each run of equal indices becomes one point. \"mean\" averages the points; a "
            "point of the map counts as often as it was seen, at most 255 times. \"first\" "
            "keeps the oldest point.\n\n"
            "There are 1023 bins along each axis. Points outside are left out and counted "
            "(mapping/outside-bins). The size of the map is bounded by the space that the "
            "camera has seen. Moving objects leave their points behind.")
        .source(kCloudSource)
        .complexity("O(points of the map and the frame)")
        .cost([](const MappingBins& pass, const Graph&) {
            const double points = double(pass.room) + pass.cloud.room;
            return Cost{.bytes = (4 * 16.0 + 60.0) * points, .operations = 50.0 * points};
        });
    info.input("cloud", &MappingBins::cloud, "points of this frame");
    info.parameter("side", &MappingBins::side, "side of a bin")
        .range(0.0, 1000.0, RangeEnds::open_low)
        .unit("metres");
    info.parameter("corner", &MappingBins::corner, "lower corner of the first bin").unit("metres");
    info.parameter("keeps", &MappingBins::keeps,
                   "point that represents a bin: the \"mean\" or the \"first\"")
        .structural();
    info.parameter("room", &MappingBins::room, "capacity of the map, in points")
        .range(1, kMaxElements)
        .structural();
    info.output("map", &MappingBins::map, "the map, in the order of the bins");
    info.output("status", &MappingBins::status, "size of the map").elements<CloudStatus>();
}

void MappingBins::build(Graph& graph) {
    const auto most = static_cast<std::uint32_t>(room);
    const std::uint64_t together = std::uint64_t{most} + cloud.room;
    if (!fits(graph, together)) return;
    const auto points = static_cast<std::uint32_t>(together);
    KeptCloud kept(graph, most);
    const PointCloud before = kept.before();
    status = graph.fill(cloud_status(graph), 0, "no_status_yet");

    ComputeNodeBuilder keys = graph.compute("mapping/bin_keys");
    keys.set("corner", corner);
    keys.set("side", side);
    keys.set("room", most);
    keys.set("new_room", cloud.room);
    keys.read("before_positions", before.positions);
    keys.read("before_count", before.count);
    keys.read("new_positions", cloud.positions);
    keys.read("new_count", cloud.count);
    const Buffer bins = keys.write("keys", array(graph, "keys", points));
    status = keys.write("status", status);
    keys.dispatch_each(points);
    const RadixSort sorted =
        graph.add(RadixSort{.keys = bins, .length = points, .with_permutation = true});
    const Unique runs =
        graph.add(Unique{.source = sorted.sorted_keys, .length = points, .emits = Emits::indices});

    PointCloud made = make_cloud(graph, most);
    ComputeNodeBuilder node = graph.compute("mapping/bin_points");
    node.set("room", most);
    node.set("points", points);
    node.set("keeps_first", std::uint32_t(keeps == BinKeeps::first));
    read_points(node, before, cloud);
    node.read("sorted", sorted.sorted_keys);
    node.read("permutation", sorted.permutation);
    node.read("runs", runs.result);
    node.read("run_count", runs.kept);
    write_cloud(node, made);
    node.match<CloudStatus>("status");
    status = node.write("status", status);
    node.dispatch_each(most);
    kept.keep(made);
    map = made;
    graph.status<CloudStatus>(status);
}

TUFF_PASS(MappingBackProject)
TUFF_PASS(MappingConcatenate)
TUFF_PASS(MappingWindow)
TUFF_PASS(MappingBins)

} // namespace tuff::passes
