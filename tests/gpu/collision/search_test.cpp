#include "tests/gpu/collision/collision_test.hpp"

#include <fmt/format.h>

/// collision/pairs where room runs out, and by every scan of its streams.
namespace tuff {
namespace {

using passes::BoxAxes;
using passes::CollisionPairs;
using passes::CollisionSearch;
using testing_gpu::CollisionTest;
using testing_gpu::Found;
using testing_gpu::HostMesh;
using testing_gpu::kSearches;
using testing_gpu::name_of;
using testing_gpu::Pairs;
using testing_gpu::Placement;
using testing_gpu::Running;

std::uint64_t as_number(glm::uvec2 pair) {
    return std::uint64_t{pair.x} << 32 | pair.y;
}

// Two stacks of triangles in one plane, which all meet: more pairs and candidates than there is
// room for. And two in parallel planes with one triangle through them: more pairs of nodes. What is
// lost is told, room grows over a few rounds, and then there are all pairs.
TEST_F(CollisionTest, CandidatesAndFrontiersThatFindNoRoomAreToldAndGrow) {
    const auto stack = [](float height, std::uint32_t count) { // across the diagonal of a cube
        HostMesh mesh;
        for (std::uint32_t i = 0; i < count; ++i) {
            const float size = 1.0f + height + 1e-4f * static_cast<float>(i);
            mesh.add({size, 0.0f, 0.0f}, {0.0f, size, 0.0f}, {0.0f, 0.0f, size});
        }
        return mesh;
    };
    HostMesh flat;
    for (std::uint32_t i = 0; i < 380; ++i) {
        const float x = 1e-3f * static_cast<float>(i);
        flat.add({x, 0.0f, 0.0f}, {x + 2.0f, 0.0f, 0.0f}, {x, 2.0f, 0.0f});
    }
    const HostMesh low = stack(0.0f, 1100);
    HostMesh high = stack(0.2f, 1099);
    high.add({0.0f, 0.0f, 0.0f}, {1.5f, 1.5f, 1.4f}, {1.5f, 1.4f, 1.5f});
    Pairs of_flat;
    for (std::uint32_t i = 0; i < 380; ++i)
        for (std::uint32_t j = 0; j < 380; ++j)
            of_flat.emplace_back(i, j);
    Pairs of_stacks;
    for (std::uint32_t i = 0; i < 1100; ++i)
        of_stacks.emplace_back(i, 1099);
    for (const CollisionSearch search : {CollisionSearch::levels, CollisionSearch::filtered})
        for (const bool in_one_plane : {true, false}) {
            SCOPED_TRACE(name_of(search) + (in_one_plane ? " in one plane" : ""));
            const Pairs& all = in_one_plane ? of_flat : of_stacks;
            PoolSizes pools;
            std::size_t rounds = 0;
            for (bool complete = false; !complete && rounds < 10; ++rounds) {
                Graph g = graph();
                g.set_pools(pools);
                output(g, "stacks",
                       CollisionPairs{.a = tree(g, in_one_plane ? flat : low, BoxAxes::aligned),
                                      .b = tree(g, in_one_plane ? flat : high, BoxAxes::aligned),
                                      .search = search});
                Running running = run(std::move(g));
                ASSERT_TRUE(running);
                const Found got = found(running, "stacks");
                const std::vector<PoolNeed> needs = got.status.pool_needs();
                const Diagnostics warnings = got.status.warnings();
                ASSERT_EQ(warnings.size(), needs.size());
                for (const Diagnostic& warning : warnings)
                    EXPECT_EQ(warning.code, "collision/lost-pairs");
                for (const PoolNeed& need : needs)
                    pools["stacks/" + std::string(need.pool)] = need.elements;
                EXPECT_TRUE(std::ranges::includes(all, got.pairs, {}, as_number, as_number));
                complete = needs.empty();
                if (complete || in_one_plane) {
                    EXPECT_EQ(got.pairs == all, complete);
                }
            }
            EXPECT_GT(rounds, 1u);
            EXPECT_LT(rounds, 10u);
            EXPECT_EQ(pools.contains("stacks/pairs"), in_one_plane);
            EXPECT_EQ(pools.contains("stacks/candidates"), in_one_plane);
            EXPECT_EQ(pools.contains("stacks/frontier"), !in_one_plane);
        }
}

// However streams are scanned, with a second mesh that is mirrored, the pairs are the same.
TEST_F(CollisionTest, EveryScanGivesTheSamePairsOfAMirroredMesh) {
    const HostMesh a = testing_gpu::torus(24, 10, 1.0f, 0.3f);
    const Placement place{.position = {0.4f, 0.1f, 0.2f}, .rotation = {0.5f, 0.5f, 0.5f, 0.5f}};
    Graph g = graph();
    std::vector<std::string> names;
    for (const CollisionSearch search : kSearches)
        for (const passes::ScanMethod method :
             {passes::ScanMethod::look_back, passes::ScanMethod::three_pass}) {
            names.push_back(fmt::format("{} {}", name_of(search), static_cast<int>(method)));
            output(g, names.back(),
                   CollisionPairs{.a = tree(g, a),
                                  .b = tree(g, a),
                                  .position_b = place.position,
                                  .rotation_b = place.rotation,
                                  .mirror_b = true,
                                  .search = search,
                                  .method = method});
        }
    Running running = run(std::move(g));
    const Pairs expected =
        testing_gpu::lattice_pairs(a, a, testing_gpu::relative_rows({}, place, true));
    ASSERT_GT(expected.size(), 50u);
    for (const std::string& name : names)
        EXPECT_EQ(found(running, name).pairs, expected) << name;
}

} // namespace
} // namespace tuff
