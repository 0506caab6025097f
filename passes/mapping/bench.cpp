#include "apps/bench/checks.hpp"
#include "passes/mapping/align.hpp"
#include "passes/mapping/clouds.hpp"
#include "passes/mapping/normals.hpp"
#include "passes/mapping/room.hpp"
#include "passes/mapping/tsdf.hpp"

#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <set>

/// Localisation and maps. Pictures have as many pixels as the case has elements, 2^18 and more are
/// 640 x 480 and more; grids as many voxels.
namespace tuff::bench {
namespace {

using passes::MappingAlign;
using passes::MappingBackProject;
using passes::MappingBins;
using passes::MappingNormals;
using passes::MappingRoom;
using passes::MappingTsdf;
using passes::MappingView;
using passes::RgbdFrame;
using passes::TrackingStatus;

/// Four to three, of about so many pixels.
Extent camera_extent(std::uint64_t pixels) {
    const auto unit = static_cast<std::uint32_t>(
        std::max(std::sqrt(static_cast<double>(pixels) / 12.0) + 0.5, 4.0));
    return {4 * unit, 3 * unit, 1};
}

MappingRoom room_of(Extent extent, glm::vec3 position) {
    return {.width = static_cast<int>(extent.width),
            .height = static_cast<int>(extent.height),
            .path = passes::RoomPath::still,
            .position = position,
            .target = {-0.3f, 0.7f, 0.1f},
            .noise = 0.0f,
            .dropout = 0.0f,
            .ball = 0.0f};
}

/// The pose of a camera that was moved by 2 cm, against the view from before.
void align_views(CaseBuilder& c, float photometric) {
    const Extent extent = camera_extent(c.size());
    const MappingRoom place = room_of(extent, {1.112f, 1.284f, 0.2f});
    const MappingRoom reference = room_of(extent, {1.1f, 1.3f, 0.2f});
    Graph& graph = c.graph();
    const auto maps = [&](const MappingRoom& room, std::string_view name) {
        return graph
            .add(MappingNormals{.frame = graph.add(room, std::string(name) + "_room").result}, name)
            .maps;
    };
    const MappingAlign found = c.add(MappingAlign{.maps = maps(place, "maps"),
                                                  .reference = maps(reference, "reference"),
                                                  .tracking = {.photometric = photometric}},
                                     "aligned");
    c.time_only("aligned/");
    c.output("pose", found.pose);
    c.output("status", found.status);
    c.check([truth = glm::inverse(reference.camera()) * place.camera(),
             extent](CaseResults& results) -> Verdict {
        const auto status = TrackingStatus::read(results.read<std::uint32_t>("status"));
        const auto rows = results.read<glm::vec4>("pose");
        results.set_remark(fmt::format("{} iterations", status.iterations));
        if (status.lost != 0) return std::unexpected("the camera is lost");
        double worst = 0.0;
        for (int row = 0; row < 3; ++row)
            worst = std::max(worst, std::abs(double{rows.at(std::size_t(row)).w} - truth[3][row]));
        // A pixel's width at 2 m, in the smallest pictures; a millimetre in those of a camera.
        return near(worst, 0.0, {.absolute = std::max(1e-3, 0.1 / extent.height)});
    });
}

/// Whether no neighbour along an axis is on the same surface, so that there is no normal.
bool stands_alone(const HostImage& depth, std::uint32_t x, std::uint32_t y, double step) {
    const double own = depth.texel(x, y)[0];
    const auto is_near = [&](std::int64_t nx, std::int64_t ny) {
        if (nx < 0 || ny < 0 || nx >= depth.extent.width || ny >= depth.extent.height) return false;
        const double z =
            depth.texel(static_cast<std::uint32_t>(nx), static_cast<std::uint32_t>(ny))[0];
        return z > 0.0 && std::abs(z - own) < step;
    };
    const std::int64_t cx = x;
    const std::int64_t cy = y;
    return !(is_near(cx - 1, cy) || is_near(cx + 1, cy)) ||
           !(is_near(cx, cy - 1) || is_near(cx, cy + 1));
}

void frame_maps(CaseBuilder& c) {
    const Extent extent = camera_extent(c.size());
    const MappingRoom room = c.graph().add(room_of(extent, {1.1f, 1.3f, 0.2f}), "room");
    const MappingNormals made = c.add(MappingNormals{.frame = room.result, .smooth = 0.0f}, "maps");
    c.time_only("maps/");
    c.output("depth", room.result.depth);
    c.output("geometry", made.maps.geometry[0]);
    c.check([extent, edge = made.edge,
             focal = room.result.intrinsics.x](CaseResults& results) -> Verdict {
        const HostImage depth = results.read_image("depth");
        const HostImage geometry = results.read_image("geometry");
        for (std::uint32_t i = 0; i < 2000; ++i) {
            const std::uint32_t x = hash32(2 * i) % extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % extent.height;
            const auto texel = geometry.texel(x, y);
            if (auto good = near(texel[3], depth.texel(x, y)[0], {.absolute = 1e-6}); !good)
                return good;
            const double length = std::hypot(double{texel[0]}, double{texel[1]}, double{texel[2]});
            const double step = double{edge} + 3.0 * double{texel[3]} / double{focal};
            const double expected = stands_alone(depth, x, y, step) ? 0.0 : 1.0;
            if (auto good = near(length, expected, {.absolute = 1e-4}); !good) return good;
        }
        return {};
    });
}

constexpr float kWallDepth = 1.6f;

/// A white wall in front of a camera at the origin, which a cube of voxels surrounds.
struct Wall {
    RgbdFrame frame;
    Buffer pose;
    passes::TsdfGrid grid;
};

Wall wall_of(CaseBuilder& c) {
    const auto side = static_cast<std::uint32_t>(std::cbrt(double(c.size())) + 1e-6);
    const Extent extent = c.size() < 1u << 21 ? Extent{80, 60, 1} : Extent{640, 480, 1};
    const float focal = 0.55f * static_cast<float>(extent.width);
    Wall wall;
    wall.frame.depth = c.image<float>("depth", Format::r32_sfloat, extent, [](std::uint64_t) {
                            return kWallDepth;
                        }).image;
    wall.frame.color =
        c.image<std::uint32_t>("color", Format::rgba8_unorm, extent, [](std::uint64_t) {
             return ~0u;
         }).image;
    wall.frame.intrinsics = {focal, focal, 0.5f * static_cast<float>(extent.width - 1),
                             0.5f * static_cast<float>(extent.height - 1)};
    wall.pose = c.input<glm::vec4>("pose", 4, [](std::uint64_t row) {
                     glm::vec4 unit(0.0f);
                     unit[static_cast<int>(row)] = 1.0f;
                     return unit;
                 }).buffer;
    wall.grid = {.dims = glm::uvec3(side),
                 .corner = {-1.0f, -1.0f, 0.0f},
                 .side = 2.0f / static_cast<float>(side),
                 .truncation = std::max(0.06f, 6.0f / static_cast<float>(side))};
    return wall;
}

void fuse_wall(CaseBuilder& c) {
    const Wall wall = wall_of(c);
    const MappingTsdf map =
        c.add(MappingTsdf{.frame = wall.frame, .pose_given = wall.pose, .grid = wall.grid}, "map");
    c.time_only("map/");
    c.output("voxels",
             c.graph().copy(map.volume.voxels,
                            c.graph().buffer("copied", c.graph().desc(map.volume.voxels))));
    c.check([grid = wall.grid, lens = wall.frame.intrinsics](CaseResults& results) -> Verdict {
        const auto voxels = results.read<glm::uvec2>("voxels");
        std::uint32_t seen = 0;
        for (std::uint32_t i = 0; i < 4000; ++i) {
            const glm::uvec3 at(hash32(3 * i) % grid.dims.x, hash32(3 * i + 1) % grid.dims.y,
                                hash32(3 * i + 2) % grid.dims.z);
            const glm::dvec3 p =
                glm::dvec3(grid.corner) + (glm::dvec3(at) + 0.5) * double{grid.side};
            const glm::dvec2 pixel = glm::dvec2(lens.x, lens.y) * glm::dvec2(p) / p.z;
            const glm::dvec2 reach = glm::dvec2(lens.z, lens.w) + 0.5;
            const double stretch = std::hypot(p.x / p.z, p.y / p.z, 1.0);
            const double away = (double{kWallDepth} - p.z) * stretch;
            const glm::vec2 got = glm::unpackHalf2x16(
                voxels[(std::size_t{at.z} * grid.dims.y + at.y) * grid.dims.x + at.x].x);
            // Near the picture's border and the truncation a hair's breadth decides.
            const glm::dvec2 from_border = glm::abs(reach - glm::abs(pixel));
            if (std::min(from_border.x, from_border.y) < 1e-3) continue;
            if (std::abs(away + 0.98 * double{grid.truncation}) < 1e-4) continue;
            const bool visible = std::abs(pixel.x) < reach.x && std::abs(pixel.y) < reach.y &&
                                 away > -0.98 * double{grid.truncation};
            if (visible != (got.y > 0.0f))
                return std::unexpected(fmt::format("voxel {} has a weight of {}", i, got.y));
            if (!visible) continue;
            ++seen;
            const double expected = std::min(away / double{grid.truncation}, 1.0);
            if (auto good = near(got.x, expected, {.absolute = 2e-3}); !good) return good;
        }
        if (seen < 100) return std::unexpected("few voxels were seen");
        return {};
    });
}

/// A wall that a picture shows, or one that is in bricks. What is timed is the map or the picture.
void view_wall(CaseBuilder& c, passes::TsdfStorage storage, std::string_view timed) {
    Wall wall = wall_of(c);
    wall.grid.storage = storage;
    // Layers of bricks: the truncation on both sides, a voxel about it, and what bricks overlap.
    const std::uint32_t along = wall.grid.dims.x / 8 + 1;
    const float band = 2.0f * wall.grid.truncation / wall.grid.side + 2.0f;
    wall.grid.capacity = along * along * (static_cast<std::uint32_t>(band / 8.0f) + 2);
    const MappingTsdf map =
        c.add(MappingTsdf{.frame = wall.frame, .pose_given = wall.pose, .grid = wall.grid}, "map");
    const Extent extent = c.graph().extent(wall.frame.depth);
    const MappingView view = c.add(MappingView{.volume = map.volume,
                                               .pose = wall.pose,
                                               .width = static_cast<int>(extent.width),
                                               .height = static_cast<int>(extent.height),
                                               .intrinsics = wall.frame.intrinsics},
                                   "view");
    c.time_only(std::string(timed));
    c.check("seen", view.maps.geometry[0], [extent](const HostImage& seen) -> Verdict {
        // The wall is wider than the grid; the picture's middle third is within it.
        for (std::uint32_t i = 0; i < 2000; ++i) {
            const std::uint32_t x = extent.width / 3 + hash32(2 * i) % (extent.width / 3);
            const std::uint32_t y = extent.height / 3 + hash32(2 * i + 1) % (extent.height / 3);
            const auto texel = seen.texel(x, y);
            if (auto good = near(texel[3], double{kWallDepth}, {.absolute = 5e-3}); !good)
                return good;
            if (auto good = near(texel[2], -1.0, {.absolute = 2e-2}); !good) return good;
        }
        return {};
    });
}

void project_points(CaseBuilder& c) {
    const Extent extent = camera_extent(c.size());
    const MappingRoom room = c.graph().add(room_of(extent, {1.1f, 1.3f, 0.2f}), "room");
    const MappingBackProject made =
        c.add(MappingBackProject{.frame = room.result, .pose = room.pose}, "points");
    c.time_only("points/");
    c.output("positions", made.cloud.positions);
    c.output("depth", room.result.depth);
    c.check([extent, lens = room.result.intrinsics,
             camera = room.camera()](CaseResults& results) -> Verdict {
        const auto positions = results.read<glm::vec4>("positions");
        const HostImage depth = results.read_image("depth");
        for (std::uint32_t i = 0; i < 2000; ++i) {
            // All pixels have a point here.
            const std::uint32_t pixel = hash32(i) % (extent.width * extent.height);
            const double z = double{depth.texel(pixel % extent.width, pixel / extent.width)[0]};
            const glm::dvec4 seen((pixel % extent.width - double{lens.z}) / lens.x * z,
                                  (pixel / extent.width - double{lens.w}) / lens.y * z, z, 1.0);
            const glm::dvec3 expected(camera * seen);
            const double off = glm::distance(expected, glm::dvec3(positions[pixel]));
            if (auto good = near(off, 0.0, {.absolute = 1e-5}); !good) return good;
        }
        return {};
    });
}

void bin_points(CaseBuilder& c) {
    const auto points = static_cast<std::uint32_t>(c.size());
    const auto positions = c.input<glm::vec4>("positions", points, [](std::uint64_t i) {
        const auto number = [&](std::uint64_t k) { return 10.0f * hash_unit(4 * i + k); };
        return glm::vec4(number(0), number(1), 0.1f * number(2), 1.0f);
    });
    const auto colors =
        c.input<std::uint32_t>("colors", points, [](std::uint64_t) { return 0x01808080u; });
    const auto count = c.input<std::uint32_t>("count", 1, [&](std::uint64_t) { return points; });
    const MappingBins map =
        c.add(MappingBins{.cloud = {positions.buffer, colors.buffer, count.buffer, points},
                          .side = 0.125f,
                          .corner = glm::vec3(0.0f),
                          .room = 1 << 17});
    c.check<std::uint32_t>(
        "count_of_map", map.map.count, [positions](std::span<const std::uint32_t> got) {
            std::set<std::array<int, 3>> bins;
            for (const glm::vec4 p : positions.values())
                bins.insert({int(p.x / 0.125f), int(p.y / 0.125f), int(p.z / 0.125f)});
            return near(got[0], double(bins.size()), {});
        });
}

} // namespace

void add_mapping_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t most) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 1u << 12,
                   .most = most,
                   .most_on_software = std::uint64_t{1} << 16});
    };
    constexpr std::uint64_t kPixels = std::uint64_t{1} << 21;
    constexpr std::uint64_t kVoxels = std::uint64_t{1} << 27;
    add(MappingNormals::kName, "maps of a frame", frame_maps, kPixels);
    add(
        MappingAlign::kName, "surfaces", [](CaseBuilder& c) { align_views(c, 0.0f); }, kPixels);
    add(
        MappingAlign::kName, "surfaces and brightness",
        [](CaseBuilder& c) { align_views(c, 0.1f); }, kPixels);
    add(MappingTsdf::kName, "a frame with its pose", fuse_wall, kVoxels);
    add(
        MappingTsdf::kName, "a frame into bricks",
        [](CaseBuilder& c) { view_wall(c, passes::TsdfStorage::bricks, "map/"); }, kVoxels);
    add(
        MappingView::kName, "a wall",
        [](CaseBuilder& c) { view_wall(c, passes::TsdfStorage::dense, "view/"); }, kVoxels);
    add(
        MappingView::kName, "a wall in bricks",
        [](CaseBuilder& c) { view_wall(c, passes::TsdfStorage::bricks, "view/"); }, kVoxels);
    add(MappingBackProject::kName, "points of a frame", project_points, kPixels);
    add(MappingBins::kName, "points in 51 200 bins", bin_points, std::uint64_t{1} << 24);
}

} // namespace tuff::bench
