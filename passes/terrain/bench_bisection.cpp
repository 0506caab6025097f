#include "apps/bench/checks.hpp"
#include "passes/terrain/bisection_pool.hpp"
#include "passes/terrain/draw_mesh.hpp"
#include "passes/terrain/mesh.hpp"
#include "passes/terrain/planet.hpp"
#include "passes/terrain/quadtree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

/// Trees of bisected triangles with as many bits as the case has elements; meshes and pictures of
/// as many pixels.
namespace tuff::bench {
namespace {

using passes::Bisect;
using passes::BisectionTree;
using passes::MakeSurface;
using passes::Surface;
using passes::SurfaceKind;

passes::CameraParameters low_camera() {
    return {.mode = passes::CameraMode::free,
            .position = {0.11f, 0.06f, 0.23f},
            .target = {0.0f, 0.0f, -0.2f},
            .vertical_fov = 60.0f,
            .near_plane = 1e-4f,
            .far_plane = 10.0f};
}

Surface hills(CaseBuilder& c) {
    return c.graph().add(MakeSurface{.kind = SurfaceKind::fbm, .height = 0.05f}).surface;
}

std::uint32_t levels_of(CaseBuilder& c) {
    return std::clamp(static_cast<std::uint32_t>(std::bit_width(c.size())) - 1,
                      passes::kMinBisectionDepth, passes::kMaxBisectionDepth);
}

/// Leaves follow one another from one end of the square to the other.
Verdict is_partition(std::span<const std::uint32_t> leaves, std::uint32_t depth) {
    const std::uint64_t end = std::uint64_t{1} << depth;
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < leaves.size() && next < end; ++i) {
        const auto own = static_cast<std::uint32_t>(std::bit_width(leaves[i])) - 1;
        if (leaves[i] == 0 || own > depth ||
            (std::uint64_t{leaves[i]} << (depth - own)) - end != next)
            return std::unexpected(fmt::format("leaf {} is node {}", i, leaves[i]));
        next += std::uint64_t{1} << (depth - own);
    }
    if (next == end) return {};
    return std::unexpected(fmt::format("the leaves end at {} of {}", next, end));
}

void steps(CaseBuilder& c, float edge, std::uint32_t capacity) {
    Bisect pass{.surface = hills(c),
                .camera = low_camera(),
                .width = 1920,
                .height = 1080,
                .edge = edge,
                .max_level = levels_of(c),
                .iterations = 1,
                .capacity = capacity};
    const BisectionTree tree = c.add(pass).tree;
    c.output("status", tree.status);
    c.output("keys", tree.keys);
    c.check([depth = tree.depth](CaseResults& results) -> Verdict {
        const auto status = passes::BisectionStatus::read(results.read<std::uint32_t>("status"));
        results.set_remark(fmt::format("{} leaves", status.leaves));
        return is_partition(results.read<std::uint32_t>("keys"), depth);
    });
}

/// A step of a tree of nodes of 64 bits, in as many slots as the case has elements.
template <typename Pass>
void wide_steps(CaseBuilder& c) {
    const Pass pass{.surface = hills(c),
                    .camera = low_camera(),
                    .width = 1920,
                    .height = 1080,
                    .edge = 1.0f,
                    .capacity = static_cast<std::uint32_t>(c.size())};
    const BisectionTree tree = c.add(pass).tree;
    c.output("status", tree.status);
    c.output("keys", tree.keys);
    c.check([](CaseResults& results) -> Verdict {
        const auto status = passes::BisectionStatus::read(results.read<std::uint32_t>("status"));
        const auto keys = results.read<std::uint64_t>("keys");
        constexpr int kDepth = passes::kMaxWideBisectionLevel;
        std::uint64_t covered = 0;
        for (std::uint32_t i = 0; i < status.listed; ++i) {
            const auto depth = static_cast<int>(std::bit_width(keys[i])) - 1;
            if (depth < 2 || depth > kDepth)
                return std::unexpected(fmt::format("leaf {} is node {}", i, keys[i]));
            covered += std::uint64_t{1} << (kDepth - depth);
        }
        results.set_remark(fmt::format("{} leaves", status.listed));
        if (covered == std::uint64_t{1} << kDepth) return {};
        return std::unexpected(fmt::format("{} leaves cover another area", status.listed));
    });
}

constexpr std::uint32_t kDrawnLeaves = 1u << 13;

passes::TerrainMesh mesh_of(CaseBuilder& c, bool bisection, std::uint32_t patch) {
    const Surface surface = hills(c);
    passes::TerrainMesh mesh{.surface = surface, .capacity = kDrawnLeaves, .patch = patch};
    if (bisection) {
        mesh.cuts = 2;
        mesh.bisection = c.graph()
                             .add(Bisect{.surface = surface,
                                         .camera = low_camera(),
                                         .edge = 24.0f,
                                         .max_level = 18,
                                         .iterations = 24,
                                         .capacity = kDrawnLeaves})
                             .seen;
    } else {
        mesh.tree = c.graph()
                        .add(passes::BuildQuadTree{
                            .surface = surface, .camera = low_camera(), .max_level = 12})
                        .tree;
    }
    return mesh;
}

void meshes(CaseBuilder& c, bool bisection) {
    const passes::TerrainMesh mesh = c.add(mesh_of(c, bisection, 8), "timed");
    c.time_only("timed/");
    c.output("status", mesh.status);
    c.output("positions", mesh.mesh.positions);
    c.output("vertices", mesh.vertices);
    c.check([](CaseResults& results) -> Verdict {
        const auto status = results.read<std::uint32_t>("status");
        const auto positions = results.read<glm::vec3>("positions");
        const auto vertices = results.read<passes::TerrainVertex>("vertices");
        if (status.at(0) == 0 || status.at(0) != status.at(1))
            return std::unexpected(fmt::format("{} of {} leaves", status[0], status[1]));
        results.set_remark(fmt::format("{} leaves", status[0]));
        for (std::size_t i = 0; i < std::size_t{3} * status[0]; ++i)
            if (std::abs(positions[i].x - (vertices[i].place.x - 0.5f)) > 1e-6f ||
                std::abs(positions[i].z - (vertices[i].place.y - 0.5f)) > 1e-6f)
                return std::unexpected(fmt::format("vertex {} is elsewhere", i));
        return {};
    });
}

void pictures(CaseBuilder& c, bool bisection, passes::MeshDrawer by) {
    const passes::TerrainMesh mesh = c.graph().add(mesh_of(c, bisection, 8));
    passes::DrawTerrainMesh pass{.mesh = mesh.mesh,
                                 .vertices = mesh.vertices,
                                 .surface = mesh.surface,
                                 .camera = low_camera(),
                                 .by = by};
    pass.width = c.extent().width;
    pass.height = c.extent().height;
    const passes::DrawTerrainMesh drawn = c.add(pass, "timed");
    c.time_only("timed/");
    // Below the middle there is ground everywhere, far in the middle and near below.
    c.check("places", drawn.places, [](const HostImage& places) -> Verdict {
        const Extent size = places.extent;
        for (std::uint32_t x = 0; x < size.width; x += std::max(size.width / 64, 1u))
            for (std::uint32_t y = size.height * 3 / 4; y < size.height;
                 y += std::max(size.height / 64, 1u))
                if (places.texel(x, y)[2] < 0.0f)
                    return std::unexpected(fmt::format("nothing at {}, {}", x, y));
        return {};
    });
}

} // namespace

void add_terrain_bisection_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t least,
                         std::uint64_t most, std::uint64_t most_on_software) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = least,
                   .most = most,
                   .most_on_software = most_on_software});
    };
    constexpr std::uint64_t kLeast = 1u << 8, kMax = 1u << 28, kSoftware = 1u << 20;
    add(
        Bisect::kName, "a step of edges of 12 pixels",
        [](CaseBuilder& c) { steps(c, 12.0f, 1u << 17); }, kLeast, kMax, kSoftware);
    add(
        Bisect::kName, "a step of edges of 1 pixel",
        [](CaseBuilder& c) { steps(c, 1.0f, 1u << 21); }, kLeast, kMax, kSoftware);
    constexpr std::uint64_t kLeastRoom = 1u << 10, kMaxRoom = 1u << 21, kRoomOnSoftware = 1u << 13;
    add(passes::BisectWide::kName, "a step", wide_steps<passes::BisectWide>, kLeastRoom, kMaxRoom,
        kRoomOnSoftware);
    add(passes::BisectPool::kName, "a step", wide_steps<passes::BisectPool>, kLeastRoom, kMaxRoom,
        kRoomOnSoftware);
    add(
        passes::TerrainMesh::kName, "quadtree", [](CaseBuilder& c) { meshes(c, false); }, 1, 1, 1);
    add(
        passes::TerrainMesh::kName, "bisection", [](CaseBuilder& c) { meshes(c, true); }, 1, 1, 1);
    using passes::MeshDrawer;
    for (const bool bisection : {false, true})
        for (const MeshDrawer by : {MeshDrawer::compute, MeshDrawer::device})
            add(
                passes::DrawTerrainMesh::kName,
                fmt::format("{} by {}", bisection ? "bisection" : "quadtree",
                            by == MeshDrawer::compute ? "kernels" : "the device"),
                [bisection, by](CaseBuilder& c) { pictures(c, bisection, by); }, 1u << 12, 1u << 24,
                1u << 16);
}

} // namespace tuff::bench
