#include "passes/bvh/cast.hpp"
#include "tests/gpu/raygrid/raygrid_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

/// More triangles, and more cells, than the 65,536 rounds after which some devices end loops.
namespace tuff {
namespace {

using passes::CastThroughGrid;
using passes::RaySearch;
using passes::VoxelizeTriangles;
using testing_gpu::GridHitHost;
using testing_gpu::GridMesh;
using testing_gpu::GridRayHost;
using testing_gpu::Running;

/// Small triangles one behind the other along z, the last one nearest to rays from below, and two
/// that make the grid larger.
GridMesh stack_of_triangles(std::uint32_t count) {
    GridMesh mesh;
    for (const float at : {-1.0f, 1.0f})
        mesh.add({at, at, 0.5f}, {0.9f * at, at, 0.5f}, {at, 0.9f * at, 0.5f});
    for (std::uint32_t i = 2; i < count; ++i) {
        const float z = 1.0f - static_cast<float>(i) / static_cast<float>(count);
        mesh.add({0.09f, -0.11f, z}, {0.11f, -0.11f, z}, {0.1f, -0.09f, z});
    }
    return mesh;
}

class ManyTriangles : public testing_gpu::RayGridTest {
  protected:
    struct Found {
        std::vector<GridHitHost> hits;
        Diagnostics warnings;
    };
    Found cast(const GridMesh& host, glm::uvec3 dims, RaySearch search) {
        const GridRayHost ray{.origin = {0.1f, -0.1f, -1.0f}};
        Graph g = graph();
        const passes::TriangleGrid grid =
            g.add(VoxelizeTriangles{.mesh = mesh(g, host), .parameters = {.dims = dims}}).grid;
        g.output("hits", g.add(CastThroughGrid{.grid = grid,
                                               .rays = rays(g, {ray, ray, ray}),
                                               .parameters = {.search = search}})
                             .hits);
        GraphDesc desc = std::move(g).finish();
        const Diagnostics warnings = desc.diagnostics;
        auto plan = compile(std::move(desc), device().caps());
        if (!plan) {
            ADD_FAILURE() << to_string(plan.error());
            return {};
        }
        Running running = start(std::make_shared<const Plan>(std::move(*plan)));
        running.execute(1);
        return {running.buffer<GridHitHost>("hits"), warnings};
    }
};

TEST_F(ManyTriangles, BruteForceTriesAllOrWarns) {
    for (const std::uint32_t count : {65'535u, 70'000u}) {
        const Found found = cast(stack_of_triangles(count), glm::uvec3(1), RaySearch::brute_force);
        const bool warned = std::ranges::any_of(
            found.warnings, [](const Diagnostic& d) { return d.code == "bvh/loop-limit"; });
        EXPECT_EQ(warned, count > 65'535 && !device().caps().unbounded_loops) << count;
        ASSERT_EQ(found.hits.size(), 3u);
        for (const GridHitHost& hit : found.hits)
            EXPECT_TRUE(warned || hit.triangle == count - 1) << hit.triangle;
    }
}

// In a cell with all triangles, and in more cells than loops have rounds.
TEST_F(ManyTriangles, RaysThroughGridsMissNone) {
    TUFF_ONLY_ON(lavapipe);
    constexpr std::uint32_t kCount = 70'000;
    const GridMesh mesh = stack_of_triangles(kCount);
    for (const glm::uvec3 dims : {glm::uvec3(1), glm::uvec3(64, 64, 32)})
        for (const RaySearch search : {RaySearch::object_order, RaySearch::walk}) {
            const Found found = cast(mesh, dims, search);
            ASSERT_EQ(found.hits.size(), 3u);
            for (const GridHitHost& hit : found.hits)
                EXPECT_EQ(hit.triangle, kCount - 1)
                    << fmt::format("{} cells along z, search {}", dims.z, static_cast<int>(search));
        }
}

} // namespace
} // namespace tuff
