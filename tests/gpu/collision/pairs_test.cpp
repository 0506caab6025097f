#include "passes/collision/pairs.hpp"
#include "tests/gpu/collision/collision_test.hpp"

#include <tuff/closed_meshes.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <random>

/// collision/pairs against all pairs tried on the host. The numbers of checks are those of chapter
/// 36's specification.
namespace tuff {
namespace {

using passes::BoxAxes;
using passes::BoxTree;
using passes::BuildBoxTree;
using passes::CollisionPairs;
using passes::CollisionSearch;
using passes::CollisionStatus;
using testing_gpu::bytes_of;
using testing_gpu::CollisionTest;
using testing_gpu::Found;
using testing_gpu::HostMesh;
using testing_gpu::kSearches;
using testing_gpu::name_of;
using testing_gpu::Pairs;
using testing_gpu::Placement;
using testing_gpu::Rows;
using testing_gpu::Running;

glm::vec4 random_rotation(std::mt19937& random) {
    std::normal_distribution<float> normal;
    return {normal(random), normal(random), normal(random), normal(random)};
}

TEST_F(CollisionTest, SoupsOfManySizesMeetWhereAllPairsTriedSay) {
    std::mt19937 random(3);
    const std::array<std::array<std::size_t, 2>, 8> sizes{
        {{0, 5}, {1, 1}, {1, 300}, {2, 3}, {64, 65}, {257, 33}, {700, 900}, {3, 0}}};
    std::uint32_t seed = 0;
    for (const auto& [count_a, count_b] : sizes) {
        const float size = count_a < 4 ? 0.9f : 0.15f;
        const HostMesh a = testing_gpu::random_triangles(count_a, ++seed, size);
        const HostMesh b = testing_gpu::random_triangles(count_b, ++seed, size);
        check(a, b, {}, {{0.1f, 0.0f, -0.2f}, random_rotation(random)},
              fmt::format("{} and {}", count_a, count_b));
    }
}

// 2,000 triangles each, and the second row of groups of `each` is not reached by meshes that all
// pairs can be tried of; the benchmark's case goes beyond it.
TEST_F(CollisionTest, TorusesThatAreLinkedAndCutEachOther) {
    const HostMesh a = testing_gpu::torus(40, 25, 0.7f, 0.25f);
    const HostMesh b = testing_gpu::torus(50, 20, 0.7f, 0.2f);
    check(a, b, {}, {{0.7f, 0.0f, 0.0f}, {0.7f, 0.1f, 0.0f, 0.7f}}, "linked");
    check(a, b, {{1.0f, 2.0f, 3.0f}, {0.1f, 0.2f, 0.3f, 0.9f}},
          {{1.3f, 2.1f, 2.8f}, {-0.5f, 0.2f, 0.1f, 0.8f}}, "cut");
    check(a, b, {}, {{30.0f, 0.0f, 0.0f}}, "far apart");
    check(a, a, {}, {}, "identical");
    check(a, testing_gpu::torus(40, 25, 0.7f, 0.1f), {}, {}, "nested");
}

// A hundred motions, half of them mirrored: nobody's left hand is taken for a right one.
TEST_F(CollisionTest, AHundredMotionsOfIcospheres) {
    const HostMesh a = testing_gpu::icosphere(1, 1.0f);
    HostMesh b = testing_gpu::icosphere(1, 0.8f);
    for (glm::vec3& p : b.positions) // a shape that its mirror image is not
        p = {p.x + 0.2f * p.y, p.y * (1.0f + 0.3f * p.z), p.z};
    std::mt19937 random(11);
    std::uniform_real_distribution<float> place(-1.2f, 1.2f);
    Graph g = graph();
    const BoxTree of_a = tree(g, a);
    const BoxTree of_b = tree(g, b);
    std::vector<Pairs> expected;
    std::size_t all = 0;
    for (int i = 0; i < 100; ++i) {
        const CollisionSearch search =
            i % 10 == 9 ? CollisionSearch::levels : CollisionSearch::each;
        const Placement at_a{{place(random), place(random), place(random)},
                             random_rotation(random)};
        const Placement at_b{{place(random), place(random), place(random)},
                             random_rotation(random)};
        const bool mirrored = i % 2 != 0;
        expected.push_back(
            testing_gpu::lattice_pairs(a, b, testing_gpu::relative_rows(at_a, at_b, mirrored)));
        all += expected.back().size();
        output(g, fmt::format("{}", i),
               CollisionPairs{.a = of_a,
                              .b = of_b,
                              .position_a = at_a.position,
                              .position_b = at_b.position,
                              .rotation_a = at_a.rotation,
                              .rotation_b = at_b.rotation,
                              .mirror_b = mirrored,
                              .search = search,
                              .most_pairs = 4096});
    }
    EXPECT_GT(all, 1000u); // most of them do touch
    Running running = run(std::move(g));
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(found(running, fmt::format("{}", i)).pairs, expected[static_cast<std::size_t>(i)])
            << "motion " << i;
}

// Against double precision on the coordinates as they are, where rounding cannot decide: 1e-6 of
// what both meshes span.
TEST_F(CollisionTest, TheLatticeMissesNothingThatDoublePrecisionIsSureOf) {
    const HostMesh a = testing_gpu::torus(40, 20, 0.7f, 0.25f);
    const HostMesh b = testing_gpu::random_triangles(1500, 8, 0.1f);
    const Placement place{{0.01f, 0.3f, -0.02f}, {0.3f, -0.4f, 0.2f, 0.6f}};
    const Rows rows = testing_gpu::relative_rows({}, place, false);
    Graph g = graph();
    output(g, "pairs",
           CollisionPairs{.a = tree(g, a),
                          .b = tree(g, b),
                          .position_b = place.position,
                          .rotation_b = place.rotation});
    Running running = run(std::move(g));
    const Pairs pairs = found(running, "pairs").pairs;
    const double doubtful = 1e-6 * 4.0;
    std::size_t sure = 0;
    for (std::uint32_t i = 0; i < a.triangles.size(); ++i)
        for (std::uint32_t j = 0; j < b.triangles.size(); ++j) {
            const double gap = testing_gpu::gap_of(a, i, b, j, rows);
            if (std::abs(gap) < doubtful) continue;
            sure += gap < 0.0 ? 1 : 0;
            const bool meet =
                std::ranges::binary_search(pairs, glm::uvec2(i, j), [](glm::uvec2 p, glm::uvec2 q) {
                    return p.x != q.x ? p.x < q.x : p.y < q.y;
                });
            ASSERT_EQ(meet, gap < 0.0) << i << ", " << j << ", gap " << gap;
        }
    EXPECT_GT(sure, 200u);
}

// Planes that lie in each other, corners and edges that just touch, all at numbers that the lattice
// holds exactly.
TEST_F(CollisionTest, WhatOnlyTouchesMeets) {
    const auto one = [](glm::vec3 p, glm::vec3 q, glm::vec3 r) {
        HostMesh mesh;
        mesh.add(p, q, r);
        return mesh;
    };
    const HostMesh floor = one({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    struct Case {
        const char* name;
        HostMesh other;
        bool meet;
    };
    const float step = 0x1p-20f;
    const std::vector<Case> cases{
        {"a corner on the inside", one({0.25f, 0.25f, 0}, {0.25f, 0.25f, 1}, {0.5f, 0.25f, 1}),
         true},
        {"a corner above it", one({0.25f, 0.25f, step}, {0.25f, 0.25f, 1}, {0.5f, 0.25f, 1}),
         false},
        {"a corner at a corner", one({1, 0, 0}, {1, 0, 1}, {2, 0, 1}), true},
        {"a corner on an edge", one({0.5f, 0.5f, 0}, {1, 1, 1}, {1, 1, -1}), true},
        {"a corner beside an edge", one({0.5f + step, 0.5f, 0}, {1, 1, 1}, {1, 1, -1}), false},
        {"an edge across an edge", one({0.5f, 0, 1}, {0.5f, 0, -1}, {0.5f, -1, 0}), true},
        {"an edge beside an edge", one({0.5f, -step, 1}, {0.5f, -step, -1}, {0.5f, -1, 0}), false},
        {"an edge along an edge", one({0.25f, 0, 0}, {0.75f, 0, 0}, {0.5f, -1, 1}), true},
        {"in the plane, inside", one({0.1f, 0.1f, 0}, {0.2f, 0.1f, 0}, {0.1f, 0.2f, 0}), true},
        {"in the plane, around", one({-5, -5, 0}, {9, -5, 0}, {-5, 9, 0}), true},
        {"in the plane, at an edge", one({0.5f, 0.5f, 0}, {1, 1, 0}, {1, 0.75f, 0}), true},
        {"in the plane, apart", one({0.5f, 0.5f + step, 0}, {1, 1, 0}, {1, 0.75f, 0}), false},
        {"a plane above", one({0, 0, step}, {1, 0, step}, {0, 1, step}), false},
        {"through it", one({0.2f, 0.2f, 1}, {0.2f, 0.2f, -1}, {0.9f, 0.9f, 0}), true},
        {"through its plane beside it", one({2, 2, 1}, {2, 2, -1}, {3, 3, 0}), false}};
    Graph g = graph();
    const BoxTree of_floor = tree(g, floor);
    for (const Case& c : cases)
        for (const CollisionSearch search : kSearches)
            output(g, name_of(search) + c.name,
                   CollisionPairs{.a = of_floor, .b = tree(g, c.other), .search = search});
    Running running = run(std::move(g));
    for (const Case& c : cases)
        for (const CollisionSearch search : kSearches)
            EXPECT_EQ(found(running, name_of(search) + c.name).pairs.size(), c.meet ? 1u : 0u)
                << c.name << ", " << name_of(search);
}

// Every triangle of one lies on some of the other: no box parts them.
TEST_F(CollisionTest, PlanesThatLieInEachOther) {
    check(testing_gpu::flat_grid(12, 0.25f), testing_gpu::flat_grid(9, 0.25f), {}, {},
          "same plane");
    check(testing_gpu::flat_grid(12, 0.25f), testing_gpu::flat_grid(9, 0.25f), {},
          {{0.0f, 0.0f, 0x1p-18f}}, "just above");
    check(testing_gpu::flat_grid(12, 0.0f), testing_gpu::flat_grid(9, 0.0f), {},
          {{0.3f, 0.2f, 0.0f}, {0.0f, 0.0f, 0.3f, 1.0f}}, "turned in its plane");
}

TEST_F(CollisionTest, OneMeshMeetsItselfWhereNeighboursHaveMoreInCommon) {
    check_self(testing_gpu::torus(30, 20, 0.7f, 0.25f), "a torus does not");
    check_self(testing_gpu::flat_grid(15, 0.0f), "a plane does not");
    check_self(testing_gpu::torus(30, 20, 0.5f, 0.7f), "a torus without a hole does");
    check_self(testing_gpu::random_triangles(800, 4, 0.15f), "a soup does");
    check_self(
        testing_gpu::joined(testing_gpu::icosphere(2, 1.0f), testing_gpu::icosphere(2, 1.0f)),
        "what is there twice does");
    HostMesh folded; // two triangles at an edge, one folded onto the other; two at a corner
    folded.add({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    folded.add({0, 0, 0}, {1, 0, 0}, {0.5f, 0.5f, 0});
    folded.add({0, 0, 0}, {0.5f, 0.25f, 1}, {0.5f, 0.25f, -1});
    folded.add({0, 0, 0}, {-1, 0, 0}, {0, -1, 0});
    folded.add({1, 0, 0}, {0, 1, 0}, {1, 1, 0.5f});
    check_self(folded, "folded");
    check_self({}, "nothing");
    HostMesh single;
    single.add({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    check_self(single, "one triangle");
}

TEST_F(CollisionTest, BadTrianglesAreLeftOutAndCounted) {
    HostMesh bad = testing_gpu::random_triangles(60, 5, 0.5f);
    bad.positions[3].x = std::numeric_limits<float>::quiet_NaN();
    bad.positions[9].y = std::numeric_limits<float>::infinity();
    bad.triangles[7] = {1, 1, 2};
    bad.triangles[8].z = 100000;
    // Too thin for the lattice, not for floats.
    bad.positions[60] = {0.5f, 0.5f, 0.5f};
    bad.positions[61] = {0.5f + 0x1p-24f, 0.5f, 0.5f};
    bad.positions[62] = {0.5f, 0.5f + 0x1p-24f, 0.5f};
    const HostMesh good = testing_gpu::torus(20, 12, 0.6f, 0.3f);
    check(bad, good, {}, {}, "bad and good");
    check(good, bad, {}, {}, "good and bad");
    Graph g = graph();
    output(g, "pairs", CollisionPairs{.a = tree(g, bad), .b = tree(g, good)});
    Running running = run(std::move(g));
    const CollisionStatus status = found(running, "pairs").status;
    EXPECT_EQ(status.flat_a, 1u);
    EXPECT_EQ(status.flat_b, 0u);
    ASSERT_EQ(status.warnings().size(), 1u);
    EXPECT_EQ(status.warnings()[0].code, "collision/flat-triangles");
}

// A simulation writes where its bodies are. Powers of two make all numbers exact, so that both ways
// of placing give the same matrix.
TEST_F(CollisionTest, PlacementsFromABufferAreTheSamePlacements) {
    const HostMesh a = testing_gpu::torus(30, 20, 0.7f, 0.25f);
    const HostMesh b = testing_gpu::torus(24, 12, 0.7f, 0.2f);
    const Placement at_a{{1.0f, -2.0f, 0.5f}, {0.0f, 0.0f, 1.0f, 1.0f}};
    const Placement at_b{{1.5f, -2.0f, 0.25f}, {1.0f, 1.0f, 1.0f, 1.0f}};
    const std::vector<glm::vec4> quads{glm::vec4(at_a.position, 7.0f), at_a.rotation,
                                       glm::vec4(at_b.position, 7.0f), at_b.rotation};
    std::vector<glm::vec4> not_a_motion = quads;
    not_a_motion[3] = glm::vec4(std::numeric_limits<float>::quiet_NaN());
    Graph g = graph();
    const auto placed = [&](std::string_view name, const std::vector<glm::vec4>& values) {
        return CollisionPairs{
            .a = tree(g, a),
            .b = tree(g, b),
            .placements = g.constant_buffer(name, {.size = 64, .stride = 16}, bytes_of(values))};
    };
    output(g, "placed", placed("quads", quads));
    output(g, "lost", placed("not_a_motion", not_a_motion));
    Running running = run(std::move(g));
    const Pairs expected =
        testing_gpu::lattice_pairs(a, b, testing_gpu::relative_rows(at_a, at_b, false));
    ASSERT_GT(expected.size(), 50u);
    EXPECT_EQ(found(running, "placed").pairs, expected);
    const Found lost = found(running, "lost");
    EXPECT_TRUE(lost.pairs.empty());
    ASSERT_EQ(lost.status.warnings().size(), 1u);
    EXPECT_EQ(lost.status.warnings()[0].code, "collision/not-rigid");
}

TEST_F(CollisionTest, WhatFindsNoRoomIsToldAndGrows) {
    const HostMesh a = testing_gpu::flat_grid(20, 0.0f);
    Graph g = graph();
    output(g, "small", CollisionPairs{.a = tree(g, a), .b = tree(g, a), .most_pairs = 100});
    Running running = run(std::move(g));
    const Found small = found(running, "small");
    EXPECT_EQ(small.pairs.size(), 100u);
    const Diagnostics warnings = small.status.warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].code, "collision/lost-pairs");
    const std::vector<PoolNeed> needs = small.status.pool_needs();
    ASSERT_EQ(needs.size(), 1u);

    Graph grown = graph();
    grown.set_pools({{"small/" + std::string(needs[0].pool), needs[0].elements}});
    output(grown, "small",
           CollisionPairs{.a = tree(grown, a), .b = tree(grown, a), .most_pairs = 100});
    Running again = run(std::move(grown));
    EXPECT_EQ(found(again, "small").pairs,
              testing_gpu::lattice_pairs(a, a, testing_gpu::relative_rows({}, {}, false)));
}

// 20,000 triangles each: too many for all pairs, but three ways to look must agree.
TEST_F(CollisionTest, LargeMeshesGiveTheSameByEverySearchAndAnyBoxes) {
    const SceneData knot = make_torus_knot(3);
    HostMesh mesh;
    for (const Vertex& vertex : knot.vertices)
        mesh.positions.push_back(vertex.position);
    for (std::size_t i = 0; i + 2 < knot.indices.size(); i += 3)
        mesh.triangles.emplace_back(knot.indices[i], knot.indices[i + 1], knot.indices[i + 2]);
    Graph g = graph();
    const BoxTree turned = tree(g, mesh);
    const BoxTree straight = tree(g, mesh, BoxAxes::aligned);
    const auto pass = [](const BoxTree& of, CollisionSearch search) {
        return CollisionPairs{.a = of,
                              .b = of,
                              .position_b = {0.1f, 0.05f, 0.0f},
                              .rotation_b = {0.4f, 0.1f, -0.2f, 0.9f},
                              .search = search};
    };
    output(g, "each", pass(turned, CollisionSearch::each));
    output(g, "turned", pass(turned, CollisionSearch::levels));
    output(g, "straight", pass(straight, CollisionSearch::levels));
    output(g, "itself", CollisionPairs{.a = turned});
    Running running = run(std::move(g));
    const Found each = found(running, "each");
    const Found by_turned = found(running, "turned");
    const Found by_straight = found(running, "straight");
    EXPECT_GT(each.pairs.size(), 1000u);
    EXPECT_EQ(by_turned.pairs, each.pairs);
    EXPECT_EQ(by_straight.pairs, each.pairs);
    EXPECT_LT(by_turned.status.box_tests, by_straight.status.box_tests);
    EXPECT_TRUE(found(running, "itself").pairs.empty()); // a knot that does not cut itself
}

TEST_F(CollisionTest, MistakesAreOneDiagnosticEach) {
    const HostMesh a = testing_gpu::icosphere(0, 1.0f);
    const auto code_of = [&](auto&& build) {
        Graph g = graph();
        build(g);
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.empty() ? std::string() : desc.diagnostics[0].code;
    };
    EXPECT_EQ(code_of([&](Graph& g) {
                  g.add(CollisionPairs{.a = tree(g, a), .rotation_a = glm::vec4(0.0f)});
              }),
              "collision/no-rotation");
    EXPECT_EQ(code_of([&](Graph& g) {
                  const std::vector<float> few(8, 0.0f);
                  g.add(CollisionPairs{.a = tree(g, a),
                                       .b = tree(g, a),
                                       .placements = g.constant_buffer(
                                           "few", {.size = 32, .stride = 16}, bytes_of(few))});
              }),
              "collision/short-placements");
    EXPECT_EQ(code_of([&](Graph& g) { g.add(CollisionPairs{}); }), "graph/unconnected");
}

} // namespace
} // namespace tuff
