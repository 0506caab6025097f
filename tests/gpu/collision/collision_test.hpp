#pragma once

#include "passes/collision/pairs.hpp"
#include "tests/gpu/collision/lattice_reference.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <algorithm>
#include <string>
#include <vector>

/// What the tests of collision/pairs share.
namespace tuff::testing_gpu {

using passes::BoxAxes;
using passes::BoxTree;
using passes::BuildBoxTree;
using passes::CollisionPairs;
using passes::CollisionSearch;
using passes::CollisionStatus;

inline constexpr std::array kSearches{CollisionSearch::each, CollisionSearch::levels,
                                      CollisionSearch::filtered};

inline std::string name_of(CollisionSearch search) {
    return std::string(ChoiceNames<CollisionSearch>::names[static_cast<std::size_t>(search)]);
}

struct Found {
    Pairs pairs;
    std::vector<std::uint32_t> touched_a;
    std::vector<std::uint32_t> touched_b;
    CollisionStatus status;
};

class CollisionTest : public GpuTest {
  protected:
    BoxTree tree(Graph& g, const HostMesh& host, BoxAxes axes = BoxAxes::principal) {
        HostMesh filled = host;
        if (filled.positions.empty()) filled.positions.emplace_back(0.0f);
        if (filled.triangles.empty()) filled.triangles.emplace_back(0u);
        passes::TriangleMesh mesh;
        mesh.positions =
            g.constant_buffer("positions", {.size = 12 * filled.positions.size(), .stride = 4},
                              bytes_of(filled.positions));
        mesh.indices =
            g.constant_buffer("indices", {.size = 12 * filled.triangles.size(), .stride = 4},
                              bytes_of(filled.triangles));
        mesh.vertex_count = static_cast<std::uint32_t>(host.positions.size());
        mesh.triangle_count = static_cast<std::uint32_t>(host.triangles.size());
        return g.add(BuildBoxTree{.mesh = mesh, .axes = axes}).tree;
    }
    void output(Graph& g, const std::string& name, const CollisionPairs& pass) {
        const CollisionPairs added = g.add(pass, name);
        g.output(name + " pairs", added.pairs);
        g.output(name + " count", added.count);
        g.output(name + " touched a", added.touched_a);
        g.output(name + " touched b", added.touched_b);
        g.output(name + " status", added.status);
    }
    Found found(Running& running, const std::string& name) {
        Found result{.pairs = running.buffer<glm::uvec2>(name + " pairs"),
                     .touched_a = running.buffer<std::uint32_t>(name + " touched a"),
                     .touched_b = running.buffer<std::uint32_t>(name + " touched b"),
                     .status = {}};
        result.status = CollisionStatus::read(running.buffer<std::uint32_t>(name + " status"));
        result.pairs.resize(running.buffer<std::uint32_t>(name + " count")[0]);
        return result;
    }
    void expect_pairs(const Found& got, const Pairs& expected, std::size_t triangles_a,
                      std::size_t triangles_b) {
        ASSERT_EQ(got.pairs, expected);
        EXPECT_EQ(got.status.pairs, expected.size());
        EXPECT_EQ(got.status.not_rigid, 0u);
        std::vector<std::uint32_t> touched_a(std::max<std::size_t>(triangles_a, 1), 0);
        std::vector<std::uint32_t> touched_b(std::max<std::size_t>(triangles_b, 1), 0);
        for (const glm::uvec2 pair : expected) {
            ++touched_a[pair.x];
            ++touched_b[pair.y];
        }
        EXPECT_EQ(got.touched_a, touched_a);
        EXPECT_EQ(got.touched_b, touched_b);
    }
    /// By all searches, against the lattice's reference.
    void check(const HostMesh& a, const HostMesh& b, const Placement& place_a,
               const Placement& place_b, const std::string& label, bool mirror_b = false) {
        SCOPED_TRACE(label);
        const Rows rows = relative_rows(place_a, place_b, mirror_b);
        const Pairs expected = lattice_pairs(a, b, rows);
        Graph g = graph();
        const BoxTree of_a = tree(g, a);
        const BoxTree of_b = tree(g, b);
        for (const CollisionSearch search : kSearches)
            output(g, name_of(search),
                   CollisionPairs{.a = of_a,
                                  .b = of_b,
                                  .position_a = place_a.position,
                                  .position_b = place_b.position,
                                  .rotation_a = place_a.rotation,
                                  .rotation_b = place_b.rotation,
                                  .mirror_b = mirror_b,
                                  .search = search});
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (const CollisionSearch search : kSearches) {
            SCOPED_TRACE(name_of(search));
            expect_pairs(found(running, name_of(search)), expected, a.triangles.size(),
                         b.triangles.size());
        }
    }
    /// Of one mesh.
    void check_self(const HostMesh& mesh, const std::string& label) {
        SCOPED_TRACE(label);
        const Pairs expected = lattice_self_pairs(mesh);
        Graph g = graph();
        const BoxTree of = tree(g, mesh);
        for (const CollisionSearch search : kSearches)
            output(g, name_of(search), CollisionPairs{.a = of, .search = search});
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (const CollisionSearch search : kSearches) {
            SCOPED_TRACE(name_of(search));
            EXPECT_EQ(found(running, name_of(search)).pairs, expected);
        }
    }
};

} // namespace tuff::testing_gpu
