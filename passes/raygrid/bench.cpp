#include "apps/bench/checks.hpp"
#include "apps/bench/ring_mesh.hpp"
#include "passes/raygrid/cast.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

/// A ring, and mirrored rays that go from it in all directions.
namespace tuff::bench {
namespace {

using passes::CastThroughGrid;
using passes::CellTests;
using passes::GridCastParameters;
using passes::HitRecord;
using passes::RayRecord;
using passes::RaySearch;
using passes::TriangleGrid;
using passes::TriangleGridStatus;
using passes::TriangleMesh;
using passes::VoxelizeTriangles;

constexpr std::uint32_t kGridSide = 128;
constexpr std::uint32_t kSmallGridSide = 32;
constexpr std::uint64_t kMaxMirroredRays = 1u << 22;
constexpr std::uint64_t kRaysOfTriangle = 8; // 270,000 triangles and two million rays

/// From the middle of a triangle, mirrored as seen from afar, a little off the surface.
RayRecord mirrored_ray(const RingMesh& ring, std::uint64_t i) {
    const std::uint64_t id = i / kRaysOfTriangle % ring.size();
    const std::array<glm::vec3, 3> t = ring.corners(id);
    const glm::vec3 normal = glm::normalize(glm::cross(t[1] - t[0], t[2] - t[0]));
    const glm::vec3 eye(4.0f * hash_unit(2 * (i % kRaysOfTriangle)) - 2.0f, 1.5f,
                        4.0f * hash_unit(2 * (i % kRaysOfTriangle) + 1) - 2.0f);
    const glm::vec3 middle = (t[0] + t[1] + t[2]) / 3.0f;
    const glm::vec3 along = middle - eye;
    return {.origin = middle,
            .t_max = 1e30f,
            .direction = along - 2.0f * glm::dot(along, normal) * normal,
            .leaves = static_cast<std::uint32_t>(id)};
}

glm::uvec3 dims_for(std::uint64_t triangles) {
    return glm::uvec3(triangles < (1u << 14) ? kSmallGridSide : kGridSide);
}

/// How far apart a triangle and a unit cell of the grid are along the best of all axes, in cells;
/// less than 0 where they meet.
double apart(const std::array<glm::dvec3, 3>& t, glm::dvec3 cell) {
    const std::array edges{t[1] - t[0], t[2] - t[1], t[0] - t[2]};
    std::array<glm::dvec3, 13> axes{glm::dvec3(1, 0, 0), glm::dvec3(0, 1, 0), glm::dvec3(0, 0, 1),
                                    glm::cross(edges[0], edges[1])};
    for (std::size_t i = 0; i < 9; ++i)
        axes[4 + i] = glm::cross(edges[i / 3], axes[i % 3]);
    double most = -1e300;
    for (const glm::dvec3& axis : axes) {
        const double size = glm::length(axis);
        if (size == 0.0) continue;
        const double reach = 0.5 * (std::abs(axis.x) + std::abs(axis.y) + std::abs(axis.z));
        std::array<double, 3> at;
        for (std::size_t k = 0; k < 3; ++k)
            at[k] = glm::dot(axis, t[k] - cell - 0.5);
        most = std::max(
            {most, (std::ranges::min(at) - reach) / size, (-reach - std::ranges::max(at)) / size});
    }
    return most;
}

/// Morton codes: the sides of these grids are one power of two.
std::uint32_t number_of_cell(glm::uvec3 cell) {
    std::uint32_t number = 0;
    for (std::uint32_t bit = 0; bit < 10; ++bit)
        for (int axis = 0; axis < 3; ++axis)
            number |= (cell[axis] >> bit & 1u) << (3 * bit + static_cast<std::uint32_t>(axis));
    return number;
}

/// Of some triangles, all cells around them: in the lists of cells that they meet, and of no
/// others.
Verdict are_in_their_cells(const RingMesh& ring, std::span<const std::uint32_t> starts,
                           std::span<const std::uint32_t> list, std::span<const glm::vec4> frame) {
    constexpr std::uint64_t kSamples = 4096;
    constexpr double kMargin = 1.0 / 256.0; // `RayGridParameters::margin`
    constexpr double kRounding = 1e-3;
    const int side = static_cast<int>(dims_for(ring.size()).x);
    const std::uint64_t samples = std::min(ring.size(), kSamples);
    for (std::uint64_t k = 0; k < samples; ++k) {
        const auto id = static_cast<std::uint32_t>(k * ring.size() / samples);
        std::array<glm::dvec3, 3> t;
        for (std::size_t corner = 0; corner < 3; ++corner)
            t[corner] = glm::dvec3(ring.corners(id)[corner] - glm::vec3(frame[0])) *
                        glm::dvec3(glm::vec3(frame[1]));
        const glm::ivec3 low =
            glm::max(glm::ivec3(glm::floor(glm::min(t[0], glm::min(t[1], t[2])))) - 2, 0);
        const glm::ivec3 high =
            glm::min(glm::ivec3(glm::floor(glm::max(t[0], glm::max(t[1], t[2])))) + 2, side - 1);
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                for (int x = low.x; x <= high.x; ++x) {
                    const std::uint32_t cell = number_of_cell(glm::uvec3(x, y, z));
                    const auto of_cell =
                        list.subspan(starts[cell], starts[cell + 1] - starts[cell]);
                    const bool is_there = std::ranges::find(of_cell, id) != of_cell.end();
                    const double gap = apart(t, glm::dvec3(x, y, z));
                    // Cells are larger by the margin on all sides.
                    if (is_there ? gap > 1.8 * kMargin + kRounding : gap < -kRounding)
                        return std::unexpected(
                            fmt::format("triangle {} {} cell {} {} {}, which is {} away", id,
                                        is_there ? "is in" : "is missing in", x, y, z, gap));
                }
    }
    return {};
}

void voxelize_ring(CaseBuilder& c) {
    const RingMesh ring(c.size());
    const VoxelizeTriangles pass =
        c.add(VoxelizeTriangles{.mesh = ring.mesh(c), .parameters = {.dims = dims_for(c.size())}});
    c.output("starts", pass.grid.starts);
    c.output("status", pass.grid.status);
    c.output("words", pass.grid.cells.words);
    c.output("list", pass.grid.list);
    c.output("frame", pass.grid.cells.frame);
    c.check([size = c.size(), ring](CaseResults& results) -> Verdict {
        const auto list = results.read<std::uint32_t>("list");
        const auto status = TriangleGridStatus::read(results.read<std::uint32_t>("status"));
        const auto starts = results.read<std::uint32_t>("starts");
        if (status.entries != starts.back() || status.entries > list.size())
            return std::unexpected("lists that do not end where they should");
        // Each triangle is in some list, and in none twice.
        std::vector<std::uint32_t> seen(size, 0);
        std::uint32_t lists = 0;
        for (std::size_t cell = 0; cell + 1 < starts.size(); ++cell) {
            lists += std::uint32_t(starts[cell + 1] > starts[cell]);
            for (std::uint32_t i = starts[cell]; i < starts[cell + 1]; ++i) {
                if (list[i] >= size || seen[list[i]] == cell + 1)
                    return std::unexpected(fmt::format("entry {} is wrong", i));
                seen[list[i]] = static_cast<std::uint32_t>(cell + 1);
            }
        }
        if (std::ranges::count(seen, 0u) > 0) return std::unexpected("a triangle is nowhere");
        std::uint32_t bits = 0;
        for (const std::uint32_t word : results.read<std::uint32_t>("words"))
            bits += static_cast<std::uint32_t>(std::popcount(word));
        if (bits != lists) return std::unexpected("cells without bits, or bits without lists");
        if (Verdict cells =
                are_in_their_cells(ring, starts, list, results.read<glm::vec4>("frame"));
            !cells)
            return cells;
        results.set_remark(fmt::format("{} entries in {} cells", status.entries, lists));
        return {};
    });
}

/// Some rays against every triangle, in double precision: where none is passed near its edge, the
/// hit is right.
Verdict are_hits(const RingMesh& ring, std::span<const HitRecord> hits, std::uint64_t rays) {
    constexpr double kEdge = 1e-3;
    if (hits.size() < rays) return std::unexpected("too few hits");
    const std::uint64_t samples =
        std::clamp<std::uint64_t>((1u << 25) / ring.size(), 8, std::min<std::uint64_t>(rays, 256));
    std::uint64_t judged = 0;
    for (std::uint64_t k = 0; k < samples; ++k) {
        const std::uint64_t i = (k * rays + rays / 2) / samples;
        const RayRecord ray = mirrored_ray(ring, i);
        const glm::dvec3 o(ray.origin);
        const glm::dvec3 d(ray.direction);
        double nearest = 1e30;
        std::uint32_t triangle = ~0u;
        bool in_doubt = false;
        for (std::uint32_t id = 0; id < ring.size(); ++id) {
            if (id == ray.leaves) continue;
            const auto t = ring.corners(id);
            const glm::dvec3 a(t[0]);
            const glm::dvec3 ab = glm::dvec3(t[1]) - a;
            const glm::dvec3 ac = glm::dvec3(t[2]) - a;
            const glm::dvec3 p = glm::cross(d, ac);
            const double determinant = glm::dot(ab, p);
            if (determinant == 0.0) continue;
            const glm::dvec3 q = glm::cross(o - a, ab);
            const double b = glm::dot(o - a, p) / determinant;
            const double w = glm::dot(d, q) / determinant;
            const double at = glm::dot(ac, q) / determinant;
            const double inside = std::min({1.0 - b - w, b, w});
            if (at < -kEdge || inside < -kEdge || at >= nearest) continue;
            in_doubt = inside < kEdge || at < kEdge;
            nearest = at;
            triangle = id;
        }
        if (in_doubt) continue;
        ++judged;
        const HitRecord& hit = hits[i];
        if (hit.triangle != triangle ||
            (triangle != ~0u && std::abs(hit.t - nearest) > 1e-4 * (1.0 + nearest)))
            return std::unexpected(fmt::format("ray {} hits triangle {} at {} instead of {} at {}",
                                               i, hit.triangle, hit.t, triangle, nearest));
    }
    if (2 * judged < samples) return std::unexpected("most rays pass edges");
    return {};
}

/// `timed`: the nodes that count for the time; empty: the whole cast.
void cast_mirrored(CaseBuilder& c, GridCastParameters parameters, std::string_view timed = {}) {
    const std::uint64_t rays = c.size();
    const RingMesh ring(std::max<std::uint64_t>(rays / kRaysOfTriangle, 8));
    const TriangleGrid grid =
        c.add(
             VoxelizeTriangles{.mesh = ring.mesh(c), .parameters = {.dims = dims_for(ring.size())}},
             "voxelize")
            .grid;
    const auto input =
        c.input<RayRecord>("rays", rays, [&](std::uint64_t i) { return mirrored_ray(ring, i); });
    const CastThroughGrid cast = c.add(
        CastThroughGrid{.grid = grid, .rays = input.buffer, .parameters = parameters}, "cast");
    c.time_only(fmt::format("cast/{}", timed));
    c.set_cost(cost_of(cast, c.graph()));
    c.check<HitRecord>("hits", cast.hits, [ring, rays](std::span<const HitRecord> hits) -> Verdict {
        return are_hits(ring, hits, rays);
    });
}

} // namespace

void add_raygrid_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t most) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 1u << 8,
                   .most = most,
                   .most_on_software = 1u << 14});
    };
    add(VoxelizeTriangles::kName, "ring", voxelize_ring, kMaxMirroredRays);
    const auto cast = [&](std::string name, GridCastParameters parameters,
                          std::string_view timed = {}, std::uint64_t most = kMaxMirroredRays) {
        add(
            CastThroughGrid::kName, std::move(name),
            [=](CaseBuilder& c) { cast_mirrored(c, parameters, timed); }, most);
    };
    cast("mirrored", {});
    cast("mirrored: by rays", {.tests = CellTests::rays});
    cast("mirrored: by triangles", {.tests = CellTests::triangles});
    cast("mirrored: words", {.atomics = passes::HitAtomics::words});
    cast("mirrored: counted links", {.links = passes::LinkPlaces::counted});
    cast("mirrored: links by cells", {.links = passes::LinkPlaces::cells});
    cast("mirrored: linked lists", {.links = passes::LinkPlaces::lists});
    cast("mirrored: persistent groups", {.persistent = true});
    cast("mirrored: packed copies",
         {.tests = CellTests::rays, .copies = passes::RayCopies::packed});
    cast("mirrored: walk", {.search = RaySearch::walk});
    cast("mirrored: lbvh", {.search = RaySearch::lbvh});
    cast("mirrored: brute force", {.search = RaySearch::brute_force}, {}, 1u << 18);
    // Parts of one round that has the links of all.
    const GridCastParameters once{.rounds = 1, .links_per_ray = 8};
    cast("one round: march", once, "round[0]/march");
    cast("one round: sort", once, "round[0]/sort/");
    cast("one round: test", once, "round[0]/test");
}

} // namespace tuff::bench
