#include "apps/bench/checks.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/voxel/surface.hpp"

#include <tuff/assets.hpp>
#include <tuff/closed_meshes.hpp>

#include <fmt/format.h>
#include <glm/vec3.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// How many voxels the rasterizer misses, on meshes like those of the chapter: a torus knot and a
/// bare tree. The time is that of the surface with all voxels.
namespace tuff::bench {
namespace {

using passes::SurfaceMethod;
using passes::VoxelGrid;
using passes::VoxelSurface;

constexpr std::uint64_t kMaxMadeVoxels = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxMadeVoxelsOnSoftware = std::uint64_t{1} << 24;
constexpr std::uint32_t kTreeSeed = 1;
constexpr std::uint32_t kWindings = 3;

std::uint64_t bits_of(std::span<const std::uint32_t> words) {
    std::uint64_t sum = 0;
    for (const std::uint32_t word : words)
        sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
}

bool is_within(std::span<const std::uint32_t> part, std::span<const std::uint32_t> whole) {
    for (std::size_t i = 0; i < part.size(); ++i)
        if ((part[i] & ~whole[i]) != 0) return false;
    return part.size() == whole.size();
}

/// Percent that `whole` has more than `part`.
double more(std::uint64_t whole, std::uint64_t part) {
    return 100.0 * (static_cast<double>(whole) / static_cast<double>(part) - 1.0);
}

Verdict compare(CaseResults& results, const VoxelSurface& surface) {
    const auto whole = results.read<std::uint32_t>("whole");
    const auto one = results.read<std::uint32_t>("one");
    const auto three = results.read<std::uint32_t>("three");
    const auto status = passes::VoxelStatus::read(results.read<std::uint32_t>("status"));
    if (whole.size() != surface.grid.word_count())
        return std::unexpected("the grid has another size");
    if (!is_within(one, three)) return std::unexpected("three directions miss voxels of one");
    if (!is_within(three, whole)) return std::unexpected("a drawn voxel is not met by a triangle");
    const std::uint64_t all = bits_of(whole);
    if (status.voxels != all)
        return std::unexpected(
            fmt::format("{} voxels are set, {} are counted", all, status.voxels));
    const std::uint64_t drawn = bits_of(one);
    if (drawn == 0 || drawn >= all)
        return std::unexpected(fmt::format("{} voxels are drawn, {} are met", drawn, all));
    results.set_remark(
        fmt::format("{} voxels: {:+.0f} % beside one drawn direction, {:+.0f} % beside three", all,
                    more(all, drawn), more(all, bits_of(three))));
    return {};
}

/// Its axis is z, along which the rasterizer draws first.
SceneData make_facing_knot(std::uint32_t windings) {
    SceneData knot = make_torus_knot(windings);
    knot.bounds = {};
    for (Vertex& vertex : knot.vertices) {
        vertex.position = {vertex.position.x, -vertex.position.z, vertex.position.y};
        knot.bounds.grow(vertex.position);
    }
    knot.draw_bounds = {knot.bounds};
    return knot;
}

void missed_voxels(CaseBuilder& c, SceneData (*make)(std::uint32_t), std::uint32_t number) {
    Graph& g = c.graph();
    const Scene scene = add_scene(g, "made", pack_scene(make(number)));
    const auto side = static_cast<std::uint32_t>(std::cbrt(static_cast<double>(c.size())) + 1e-6);
    VoxelSurface surface{.mesh = g.add(passes::Triangles{.scene = scene}).mesh};
    surface.parameters.dims = glm::uvec3(side);
    surface = c.add(surface, "all");
    c.time_only("all/");
    VoxelSurface drawn{
        .mesh = surface.mesh, .frame_of = surface.grid, .method = SurfaceMethod::raster};
    c.output("whole", surface.grid.words);
    c.output("status", surface.grid.status);
    c.output("one", g.add(drawn, "one").grid.words);
    drawn.method = SurfaceMethod::raster_three;
    c.output("three", g.add(drawn, "three").grid.words);
    c.check([surface](CaseResults& results) { return compare(results, surface); });
}

} // namespace

void add_voxel_made_cases(CaseList& cases) {
    const auto add = [&](std::string name, SceneData (*make)(std::uint32_t), std::uint32_t number) {
        cases.add({.pass = std::string(VoxelSurface::kName),
                   .name = std::move(name),
                   .build = [=](CaseBuilder& c) { missed_voxels(c, make, number); },
                   .least = 512,
                   .most = kMaxMadeVoxels,
                   .most_on_software = kMaxMadeVoxelsOnSoftware});
    };
    add("knot beside rasters", make_torus_knot, kWindings);
    add("facing knot beside rasters", make_facing_knot, kWindings);
    add("tree beside rasters", make_tree, kTreeSeed);
}

} // namespace tuff::bench
