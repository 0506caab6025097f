#include "tests/gpu/raygrid/raygrid_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

/// raygrid/cast against brute force, to the bit, and against double precision.
namespace tuff {
namespace {

using passes::CastRays;
using passes::CastThroughGrid;
using passes::CellTests;
using passes::GridCastParameters;
using passes::GridCastStatus;
using passes::HitAtomics;
using passes::LinkPlaces;
using passes::RayCopies;
using passes::RayGridParameters;
using passes::RayQuestion;
using passes::RaySearch;
using passes::TriangleGrid;
using passes::TriangleTest;
using passes::VoxelBounds;
using passes::VoxelizeTriangles;
using testing_gpu::GridHitHost;
using testing_gpu::GridMesh;
using testing_gpu::GridRayHost;
using testing_gpu::Running;

struct Way {
    std::string name;
    GridCastParameters parameters;
};

/// One of each way to share out tests, to keep hits and to place links.
std::vector<Way> all_ways(bool wide) {
    std::vector<Way> ways{
        {"cells", {}},
        {"rays", {.tests = CellTests::rays, .links = LinkPlaces::counted}},
        {"triangles", {.rounds = 2, .tests = CellTests::triangles, .atomics = HitAtomics::words}},
        {"copies",
         {.tests = CellTests::rays, .atomics = HitAtomics::words, .copies = RayCopies::whole}},
        {"words",
         {.rounds = 4,
          .links_per_ray = 2,
          .most_links = 3,
          .atomics = HitAtomics::words,
          .links = LinkPlaces::counted,
          .skip_blocks = false}},
        {"one round", {.rounds = 1, .links_per_ray = 1}},
        {"links by cells", {.rounds = 4, .links = LinkPlaces::cells}},
        {"lists", {.rounds = 4, .atomics = HitAtomics::words, .links = LinkPlaces::lists}},
        {"persistent", {.tests = CellTests::rays, .persistent = true}},
        {"persistent, counted", {.rounds = 2, .links = LinkPlaces::counted, .persistent = true}},
        {"persistent, by cells", {.rounds = 2, .links = LinkPlaces::cells, .persistent = true}},
        {"walk", {.search = RaySearch::walk}},
    };
    if (wide) {
        ways.push_back({"wide cells", {.atomics = HitAtomics::wide}});
        ways.push_back({"wide lists", {.atomics = HitAtomics::wide, .links = LinkPlaces::lists}});
        ways.push_back(
            {"wide rays",
             {.tests = CellTests::rays, .atomics = HitAtomics::wide, .triangle_bits = 0}});
    }
    return ways;
}

class RayGridCast : public testing_gpu::RayGridTest {
  protected:
    struct Shot {
        std::string name;
        GridMesh mesh;
        RayGridParameters grid;
        std::vector<GridRayHost> rays;
        TriangleTest test = TriangleTest::watertight;
    };
    bool has_wide() { return device().caps().int64_buffer_atomics; }

    /// All ways give the hits of brute force, to the bit, and those are right.
    void check(const Shot& shot, const std::vector<Way>& ways) {
        SCOPED_TRACE(shot.name);
        Graph g = graph();
        const passes::TriangleMesh triangles = mesh(g, shot.mesh);
        const Buffer queries = rays(g, shot.rays);
        const TriangleGrid grid =
            g.add(VoxelizeTriangles{.mesh = triangles, .parameters = shot.grid}).grid;
        g.output("brute force", g.add(CastRays{.bvh = passes::without_hierarchy(triangles),
                                               .rays = queries,
                                               .test = shot.test})
                                    .hits);
        for (const Way& way : ways)
            g.output(way.name, g.add(CastThroughGrid{.grid = grid,
                                                     .rays = queries,
                                                     .parameters = way.parameters,
                                                     .test = shot.test},
                                     way.name)
                                   .hits);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const auto expected = running.buffer<GridHitHost>("brute force");
        std::size_t ties = 0;
        EXPECT_EQ(testing_gpu::fault_in_hits(shot.mesh, shot.rays, expected, ties), "");
        hits_ = std::ranges::count_if(expected, [](auto& hit) { return hit.triangle != ~0u; });
        for (const Way& way : ways) {
            SCOPED_TRACE(way.name);
            const auto got = running.buffer<GridHitHost>(way.name);
            ASSERT_EQ(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i)
                ASSERT_TRUE(got[i] == expected[i])
                    << "ray " << i << ": triangle " << static_cast<int>(got[i].triangle)
                    << " instead of " << static_cast<int>(expected[i].triangle);
        }
    }
    std::ptrdiff_t hits_ = 0; ///< of the last check
};

TEST_F(RayGridCast, FindsInEveryWayWhatBruteForceFinds) {
    const GridMesh mesh = testing_gpu::scattered(400, 0.15f, 1);
    check({.name = "scattered",
           .mesh = mesh,
           .grid = {.dims = glm::uvec3(32)},
           .rays = testing_gpu::scattered_rays(1500, 2)},
          all_ways(has_wide()));
    EXPECT_GT(hits_, 500);
}

TEST_F(RayGridCast, FindsHitsInGridsOfAnyShape) {
    const GridMesh mesh = testing_gpu::scattered(150, 0.3f, 3);
    const std::vector<Way> ways{{"cells", {}}, {"walk", {.search = RaySearch::walk}}};
    for (const glm::uvec3 dims : {glm::uvec3(1), glm::uvec3(1, 1, 40), glm::uvec3(33, 1, 1),
                                  glm::uvec3(64, 16, 8), glm::uvec3(7, 12, 96)})
        check({.name = fmt::format("{} {} {}", dims.x, dims.y, dims.z),
               .mesh = mesh,
               .grid = {.dims = dims,
                        .bounds = VoxelBounds::given,
                        .low = glm::vec3(-3.5f),
                        .high = glm::vec3(3.5f)},
               .rays = testing_gpu::scattered_rays(300, 4)},
              ways);
}

TEST_F(RayGridCast, FindsHitsOfRaysOnFacesEdgesAndCornersOfCells) {
    // Walls on cell planes, and what lies askew.
    GridMesh mesh = testing_gpu::room_with_sphere(3.0f, 1.5f);
    for (int i = -2; i <= 2; ++i)
        mesh.add_quad({static_cast<float>(i), -2.0f, -1.0f}, {0.0f, 3.0f, 0.0f},
                      {0.0f, 0.0f, 2.0f});
    mesh.add({-2.5f, -2.0f, -2.5f}, {2.5f, -1.0f, -2.0f}, {0.0f, 2.0f, 2.5f});
    for (const TriangleTest test : {TriangleTest::watertight, TriangleTest::moeller_trumbore})
        check({.name = "lattice",
               .mesh = mesh,
               .grid = {.dims = glm::uvec3(8),
                        .bounds = VoxelBounds::given,
                        .low = glm::vec3(-4.0f),
                        .high = glm::vec3(4.0f)},
               .rays = testing_gpu::lattice_rays(glm::vec3(-4.0f), glm::vec3(4.0f), glm::uvec3(8),
                                                 1200, 5),
               .test = test},
              {{"cells", {}},
               {"rays", {.rounds = 2, .tests = CellTests::rays, .atomics = HitAtomics::words}},
               {"walk", {.search = RaySearch::walk}}});
    EXPECT_GT(hits_, 200);
}

/// Check "leak": no ray gets out of a closed room whose walls are planes between cells.
TEST_F(RayGridCast, LetsNoRayOutOfARoomWithWallsOnCellPlanes) {
    const GridMesh mesh = testing_gpu::room_with_sphere(8.0f, 2.0f);
    std::vector<GridRayHost> all = testing_gpu::scattered_rays(2000, 6);
    for (GridRayHost& ray : all)
        ray.origin *= 3.5f;
    // Into corners and edges, too.
    for (std::size_t i = 0; i < 200; ++i) {
        all[i].origin = glm::vec3(static_cast<float>(i % 7) - 3.0f);
        all[i].direction = {i % 2 != 0 ? 1.0f : -1.0f, i % 4 < 2 ? 1.0f : -1.0f,
                            i % 3 == 0 ? 0.0f : 1.0f};
    }
    for (const float border : {0.0f, 8.0f}) {
        check({.name = fmt::format("border {}", border),
               .mesh = mesh,
               .grid = {.dims = glm::uvec3(32),
                        .bounds = VoxelBounds::given,
                        .low = glm::vec3(-8.0f - border),
                        .high = glm::vec3(8.0f + border)},
               .rays = all},
              {{"cells", {}}, {"walk", {.search = RaySearch::walk}}});
        EXPECT_EQ(hits_, static_cast<std::ptrdiff_t>(all.size()));
    }
}

/// Check "ordering": a long slanted floor is met in near cells and hit far behind them.
TEST_F(RayGridCast, GivesTheSameForAnyNumberOfRoundsAndLinks) {
    GridMesh mesh = testing_gpu::scattered(40, 0.1f, 7);
    mesh.add_quad({-1.0f, -0.8f, -1.0f}, {2.0f, 0.35f, 0.0f}, {0.0f, 0.0f, 2.0f});
    mesh.add_quad({0.2f, -0.55f, -0.1f}, {0.2f, 0.1f, 0.0f}, {0.0f, 0.0f, 0.2f});
    std::vector<Way> ways;
    for (const std::uint32_t rounds : {1u, 2u, 3u, 8u})
        for (const std::uint32_t most : {1u, 2u, 4u, 0u})
            ways.push_back(
                {fmt::format("{} rounds of {}", rounds, most),
                 {.rounds = rounds, .links_per_ray = most == 0 ? 96u : 4u, .most_links = most}});
    std::vector<GridRayHost> all = testing_gpu::scattered_rays(300, 8);
    for (std::size_t i = 0; i < 100; ++i) {
        all[i].origin = {-1.0f, -0.78f, 0.02f * static_cast<float>(i) - 1.0f};
        all[i].direction = {1.0f, 0.15f + 0.0005f * static_cast<float>(i), 0.01f};
    }
    check({.name = "slanted", .mesh = mesh, .grid = {.dims = glm::uvec3(32)}, .rays = all}, ways);
    EXPECT_GT(hits_, 100);
}

/// The loop until no ray is left: rounds behind the last ray's find nothing to do, and nobody
/// walks.
TEST_F(RayGridCast, GoesOnInRoundsUntilNoRayIsLeft) {
    const GridMesh host = testing_gpu::scattered(150, 0.2f, 19);
    Graph g = graph();
    const passes::TriangleMesh triangles = mesh(g, host);
    const Buffer queries = rays(g, testing_gpu::scattered_rays(600, 20));
    const TriangleGrid grid =
        g.add(VoxelizeTriangles{.mesh = triangles, .parameters = {.dims = glm::uvec3(24)}}).grid;
    g.output("expected",
             g.add(CastRays{.bvh = passes::without_hierarchy(triangles), .rays = queries}).hits);
    const auto cast = [&](Graph& to, std::string_view name, std::uint32_t rounds) {
        const CastThroughGrid added = to.add(
            CastThroughGrid{.grid = grid,
                            .rays = queries,
                            .parameters = {.rounds = rounds, .links_per_ray = 1, .most_links = 2},
                            .with_work = true},
            name);
        to.output(name, added.hits);
        to.output(fmt::format("{} work", name), added.work);
        to.output(fmt::format("{} status", name), added.status);
    };
    cast(g, "most", passes::kMaxGridRounds);
    cast(g, "few", 6);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto expected = running.buffer<GridHitHost>("expected");
    EXPECT_EQ(running.buffer<GridHitHost>("most"), expected);
    EXPECT_EQ(running.buffer<GridHitHost>("few"), expected);
    std::uint32_t last = 0; // round of any ray
    std::uint32_t links = 0;
    std::uint32_t in_rounds = 0;
    for (const glm::uvec4& work : running.buffer<glm::uvec4>("most work")) {
        last = std::max(last, work.z);
        links += work.x;
        in_rounds += work.z;
        EXPECT_EQ(work.w, 0u);
    }
    EXPECT_GT(last, 6u);
    EXPECT_LT(last, passes::kMaxGridRounds); // so the last ones had no ray
    const auto most = GridCastStatus::read(running.buffer<std::uint32_t>("most status"));
    EXPECT_EQ(most.walked, 0u);
    EXPECT_EQ(most.links[0], links);
    EXPECT_EQ(most.in_rounds, in_rounds);
    const auto few = GridCastStatus::read(running.buffer<std::uint32_t>("few status"));
    EXPECT_GT(few.walked, 0u);
}

TEST_F(RayGridCast, AsksWhetherThereIsAnyHit) {
    const GridMesh host = testing_gpu::scattered(100, 0.2f, 9);
    std::vector<GridRayHost> all = testing_gpu::scattered_rays(400, 10);
    for (std::size_t i = 0; i < all.size(); i += 3)
        all[i].t_max = 0.4f;
    Graph g = graph();
    const passes::TriangleMesh triangles = mesh(g, host);
    const Buffer queries = rays(g, all);
    const TriangleGrid grid =
        g.add(VoxelizeTriangles{.mesh = triangles, .parameters = {.dims = glm::uvec3(16)}}).grid;
    g.output("expected", g.add(CastRays{.bvh = passes::without_hierarchy(triangles),
                                        .rays = queries,
                                        .question = RayQuestion::any})
                             .hits);
    std::vector<Way> ways = all_ways(has_wide());
    ways.push_back({"lock", {.atomics = HitAtomics::lock}});
    ways.push_back({"lbvh", {.search = RaySearch::lbvh}});
    ways.push_back({"brute", {.search = RaySearch::brute_force}});
    for (const Way& way : ways)
        g.output(way.name, g.add(CastThroughGrid{.grid = grid,
                                                 .rays = queries,
                                                 .question = RayQuestion::any,
                                                 .parameters = way.parameters},
                                 way.name)
                               .hits);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto expected = running.buffer<std::uint32_t>("expected");
    EXPECT_GT(std::ranges::count(expected, 1u), 100);
    EXPECT_GT(std::ranges::count(expected, 0u), 100);
    for (const Way& way : ways)
        EXPECT_EQ(running.buffer<std::uint32_t>(way.name), expected) << way.name;
}

/// Hits at one distance are anybody's with locks; the rest is the same.
TEST_F(RayGridCast, KeepsTheNearestByLocks) {
    const GridMesh host = testing_gpu::scattered(400, 0.15f, 11);
    const std::vector<GridRayHost> all = testing_gpu::scattered_rays(800, 12);
    Graph g = graph();
    const passes::TriangleMesh triangles = mesh(g, host);
    const Buffer queries = rays(g, all);
    const TriangleGrid grid =
        g.add(VoxelizeTriangles{.mesh = triangles, .parameters = {.dims = glm::uvec3(16)}}).grid;
    const auto cast = [&](std::string_view name, GridCastParameters parameters) {
        const CastThroughGrid added =
            g.add(CastThroughGrid{.grid = grid, .rays = queries, .parameters = parameters}, name);
        g.output(name, added.hits);
        g.output(fmt::format("{} status", name), added.status);
    };
    cast("expected", {.search = RaySearch::walk});
    cast("cells", {.rounds = 6, .atomics = HitAtomics::lock});
    cast("rays", {.tests = CellTests::rays, .atomics = HitAtomics::lock, .triangle_bits = 0});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto expected = running.buffer<GridHitHost>("expected");
    for (const std::string name : {"cells", "rays"}) {
        const auto got = running.buffer<GridHitHost>(name);
        for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_EQ(got[i].t, expected[i].t) << name << " " << i;
        const auto status = GridCastStatus::read(running.buffer<std::uint32_t>(name + " status"));
        EXPECT_EQ(status.gave_up, 0u);
        EXPECT_GT(status.tests[0], 1000u);
    }
}

/// Check "packed rays": hits that come or go are few.
TEST_F(RayGridCast, LosesFewHitsWithPackedRays) {
    const GridMesh host = testing_gpu::room_with_sphere(1.0f, 0.5f);
    std::vector<GridRayHost> all = testing_gpu::scattered_rays(4000, 13);
    for (GridRayHost& ray : all)
        ray.origin *= 0.45f;
    Graph g = graph();
    const passes::TriangleMesh triangles = mesh(g, host);
    const Buffer queries = rays(g, all);
    const TriangleGrid grid =
        g.add(VoxelizeTriangles{.mesh = triangles, .parameters = {.dims = glm::uvec3(16)}}).grid;
    for (const RayCopies copies : {RayCopies::none, RayCopies::packed}) {
        const std::string name(ChoiceNames<RayCopies>::names[static_cast<std::size_t>(copies)]);
        g.output(name, g.add(CastThroughGrid{.grid = grid,
                                             .rays = queries,
                                             .parameters = {.rounds = 8,
                                                            .links_per_ray = 16,
                                                            .tests = CellTests::rays,
                                                            .copies = copies}},
                             name)
                           .hits);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto exact = running.buffer<GridHitHost>("none");
    const auto packed = running.buffer<GridHitHost>("packed");
    std::size_t hits = 0;
    std::size_t flips = 0;
    std::size_t same = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        hits += std::size_t(exact[i].triangle != ~0u);
        flips += std::size_t((exact[i].triangle == ~0u) != (packed[i].triangle == ~0u));
        same += std::size_t(exact[i] == packed[i]);
    }
    EXPECT_EQ(hits, exact.size());
    EXPECT_LE(static_cast<double>(flips), 5e-4 * static_cast<double>(exact.size()));
    EXPECT_GE(static_cast<double>(same), 0.999 * static_cast<double>(exact.size()));
}

/// Check "conservation", and that rays come into the cells that double precision says.
TEST_F(RayGridCast, CountsLinksAndTests) {
    constexpr std::uint32_t kDims = 32; // with empty boxes of both sizes
    const GridMesh host = testing_gpu::scattered(120, 0.2f, 14);
    const std::vector<GridRayHost> all = testing_gpu::scattered_rays(500, 15);
    Graph g = graph();
    const passes::TriangleMesh triangles = mesh(g, host);
    const Buffer queries = rays(g, all);
    const TriangleGrid grid = g.add(VoxelizeTriangles{.mesh = triangles,
                                                      .parameters = {.dims = glm::uvec3(kDims),
                                                                     .bounds = VoxelBounds::given,
                                                                     .low = glm::vec3(-4.0f),
                                                                     .high = glm::vec3(4.0f)}})
                                  .grid;
    g.output("starts", grid.starts);
    g.output("words", grid.cells.words);
    const std::vector<Way> ways{
        {"steps", {.skip_blocks = false}},           {"skips", {}},
        {"counted", {.links = LinkPlaces::counted}}, {"cells", {.links = LinkPlaces::cells}},
        {"lists", {.links = LinkPlaces::lists}},     {"persistent", {.persistent = true}},
    };
    for (const Way& way : ways) {
        const std::string& name = way.name;
        GridCastParameters parameters = way.parameters;
        parameters.rounds = 1;
        parameters.links_per_ray = 96;
        const CastThroughGrid cast = g.add(
            CastThroughGrid{
                .grid = grid, .rays = queries, .parameters = parameters, .with_work = true},
            name);
        g.output(name + " work", cast.work);
        g.output(name + " status", cast.status);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto words = running.buffer<std::uint32_t>("words");
    const auto occupied = [&](glm::uvec3 cell) {
        return (words[cell.y * kDims + cell.x] >> cell.z & 1u) != 0;
    };
    const auto starts = running.buffer<std::uint32_t>("starts");
    std::uint32_t lists = 0;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
        lists += std::uint32_t(starts[i + 1] > starts[i]);
    std::uint32_t bits = 0;
    for (const std::uint32_t word : words)
        bits += static_cast<std::uint32_t>(std::popcount(word));
    EXPECT_EQ(lists, bits);
    for (const Way& way : ways) {
        const std::string& name = way.name;
        SCOPED_TRACE(name);
        const auto work = running.buffer<glm::uvec4>(name + " work");
        const auto status = GridCastStatus::read(running.buffer<std::uint32_t>(name + " status"));
        std::uint32_t links = 0;
        std::uint32_t tests = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            links += work[i].x;
            tests += work[i].y;
            EXPECT_EQ(work[i].w, 0u);
            // Cells that are surely passed, and those that rounding may add.
            std::uint32_t least = 0;
            std::uint32_t most = 0;
            for (std::uint32_t c = 0; c < kDims * kDims * kDims; ++c) {
                const glm::uvec3 cell(c % kDims, c / kDims % kDims, c / (kDims * kDims));
                if (!occupied(cell)) continue;
                glm::dvec2 chord(0.0, 1e30);
                glm::dvec2 wide(0.0, 1e30);
                for (int axis = 0; axis < 3; ++axis) {
                    const double o = (static_cast<double>(all[i].origin[axis]) + 4.0) * kDims / 8.0;
                    const double d = static_cast<double>(all[i].direction[axis]) * kDims / 8.0;
                    const auto narrow = [&](glm::dvec2& range, double margin) {
                        const double a = (cell[axis] - margin - o) / d;
                        const double b = (cell[axis] + 1.0 + margin - o) / d;
                        range = {std::max(range.x, std::min(a, b)),
                                 std::min(range.y, std::max(a, b))};
                    };
                    narrow(chord, 0.0);
                    narrow(wide, 1e-4);
                }
                const double length = kDims / 8.0 * glm::length(glm::dvec3(all[i].direction));
                least += std::uint32_t((chord.y - chord.x) * length > 1e-4);
                most += std::uint32_t(wide.y >= wide.x);
            }
            EXPECT_GE(work[i].x, least) << i;
            EXPECT_LE(work[i].x, most) << i;
        }
        EXPECT_GT(links, all.size());
        EXPECT_EQ(status.links[0], links);
        EXPECT_EQ(status.tests[0], tests);
        EXPECT_EQ(status.walked, 0u);
        EXPECT_LE(status.cells, bits);
    }
}

TEST_F(RayGridCast, GivesTheSameBitsTwice) {
    const GridMesh host = testing_gpu::scattered(200, 0.3f, 16);
    Graph g = graph();
    const Buffer queries = rays(g, testing_gpu::scattered_rays(500, 17));
    const TriangleGrid grid =
        g.add(VoxelizeTriangles{.mesh = mesh(g, host), .parameters = {.dims = glm::uvec3(8)}}).grid;
    g.output("hits",
             g.add(CastThroughGrid{
                       .grid = grid, .rays = queries, .parameters = {.atomics = HitAtomics::words}})
                 .hits);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto first = running.buffer<GridHitHost>("hits");
    running.execute();
    EXPECT_EQ(running.buffer<GridHitHost>("hits"), first);
}

/// More groups than a row of a dispatch has: of cells, of rays and triangles, and of columns.
TEST_F(RayGridCast, GoesOnInASecondRowOfGroups) {
    TUFF_ONLY_ON(lavapipe);
    GridMesh mesh;
    for (int i = 0; i < 2; ++i)
        mesh.add_quad({0.01f, 0.01f, 0.1f + 0.1f * static_cast<float>(i)}, {1023.9f, 0.0f, 0.0f},
                      {0.0f, 1023.9f, 0.0f});
    std::vector<GridRayHost> all(70000);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].origin = {static_cast<float>(i % 300) * 3.0f + 0.5f,
                         static_cast<float>(i / 300) * 3.0f + 0.5f, 0.95f};
        all[i].direction = {0.01f, 0.02f, -1.0f};
    }
    Graph g = graph();
    const Buffer queries = rays(g, all);
    const auto add = [&](std::string_view name, const GridMesh& host, glm::uvec3 dims,
                         GridCastParameters parameters) {
        const TriangleGrid grid =
            g.add(VoxelizeTriangles{.mesh = this->mesh(g, host),
                                    .parameters = {.dims = dims,
                                                   .bounds = VoxelBounds::given,
                                                   .low = glm::vec3(0.0f),
                                                   .high = {1024.0f, 1024.0f, 1.0f},
                                                   .entries = 1u << 23}},
                  fmt::format("{} grid", name))
                .grid;
        g.output(
            name,
            g.add(CastThroughGrid{.grid = grid, .rays = queries, .parameters = parameters}, name)
                .hits);
    };
    add("cells", mesh, {1024, 1024, 1}, {.rounds = 1});
    GridMesh stacked;
    for (int i = 0; i < 70; ++i)
        stacked.add_quad({0.01f, 0.01f, 0.1f + 0.005f * static_cast<float>(i)},
                         {1023.9f, 0.0f, 0.0f}, {0.0f, 1023.9f, 0.0f});
    add("rays", stacked, {32, 32, 1}, {.rounds = 1, .tests = CellTests::rays, .triangle_bits = 0});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (const auto& [name, top] : {std::pair{"cells", 0.2f}, std::pair{"rays", 0.445f}}) {
        const auto hits = running.buffer<GridHitHost>(name);
        for (std::size_t i = 0; i < hits.size(); ++i) {
            ASSERT_NE(hits[i].triangle, ~0u) << name << " " << i;
            ASSERT_NEAR(std::bit_cast<float>(hits[i].t), 0.95f - top, 1e-6f) << name << " " << i;
        }
    }
}

TEST_F(RayGridCast, HasNothingToHitInAnEmptyScene) {
    const std::vector<GridRayHost> all = testing_gpu::scattered_rays(100, 18);
    Graph g = graph();
    const TriangleGrid grid =
        g.add(VoxelizeTriangles{.mesh = mesh(g, {}), .parameters = {.dims = glm::uvec3(16)}}).grid;
    const CastThroughGrid cast = g.add(CastThroughGrid{.grid = grid, .rays = rays(g, all)});
    g.output("hits", cast.hits);
    g.output("status", cast.status);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (const GridHitHost& hit : running.buffer<GridHitHost>("hits"))
        EXPECT_EQ(hit.triangle, ~0u);
    const auto status = GridCastStatus::read(running.buffer<std::uint32_t>("status"));
    EXPECT_EQ(status.links[0], 0u);
    EXPECT_EQ(status.tests[0], 0u);
}

TEST_F(RayGridCast, RefusesLocksInLinkedLists) {
    Graph g = graph();
    const TriangleGrid grid = g.add(VoxelizeTriangles{.mesh = mesh(g, {})}).grid;
    g.add(CastThroughGrid{.grid = grid,
                          .rays = rays(g, testing_gpu::scattered_rays(4, 1)),
                          .parameters = {.atomics = HitAtomics::lock, .links = LinkPlaces::lists}});
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan.has_value());
    ASSERT_EQ(plan.error().size(), 1u);
    EXPECT_EQ(plan.error()[0].code, "raygrid/lists-with-locks");
}

TEST_F(RayGridCast, RefusesWideAtomicsThatADeviceLacks) {
    DeviceCaps caps = device().caps();
    caps.int64_buffer_atomics = false;
    Graph g = graph();
    g.set_target(caps);
    const TriangleGrid grid = g.add(VoxelizeTriangles{.mesh = mesh(g, {})}).grid;
    g.add(CastThroughGrid{.grid = grid,
                          .rays = rays(g, testing_gpu::scattered_rays(4, 1)),
                          .parameters = {.atomics = HitAtomics::wide}});
    const auto plan = compile(std::move(g).finish(), caps);
    ASSERT_FALSE(plan.has_value());
    ASSERT_EQ(plan.error().size(), 1u);
    EXPECT_EQ(plan.error()[0].code, "raygrid/no-wide-atomics");
}

} // namespace
} // namespace tuff
