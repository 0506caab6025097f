#include "passes/bvh/cast.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/refit.hpp"
#include "passes/bvh/statistics.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <glm/common.hpp>

#include <bit>
#include <cstring>

/// Hierarchies over triangles that move, and how good they are.
namespace tuff {
namespace {

using passes::Bvh;
using passes::BvhStatistics;
using passes::CastRays;
using passes::ImplicitBuild;
using passes::LbvhBuild;
using passes::MeasureBvh;
using passes::Refit;
using testing_gpu::HostBvh;
using testing_gpu::HostHit;
using testing_gpu::output_bvh;
using testing_gpu::read_bvh;
using testing_gpu::Running;
using testing_gpu::Soup;

class RefitTest : public testing_gpu::BvhTest {};

/// Triangles that can be hit are bent; the others, which share no corners with them, stay.
Soup moved(const Soup& before) {
    Soup after = before;
    for (std::size_t i = 0; i < before.triangles.size(); ++i) {
        if (testing_gpu::kind_of(before, i) != testing_gpu::Kind::proper) continue;
        for (glm::length_t c = 0; c < 3; ++c) {
            const glm::vec3 p = before.positions[before.triangles[i][c]];
            after.positions[before.triangles[i][c]] =
                glm::vec3(p.y + 0.3f * p.x * p.x, p.z - p.x, p.x * 1.5f);
        }
    }
    return after;
}

std::vector<Soup> refitted_soups() {
    return {testing_gpu::random_soup(0),     testing_gpu::random_soup(1),
            testing_gpu::random_soup(2),     testing_gpu::random_soup(700),
            testing_gpu::broken_soup(300),   testing_gpu::duplicate_soup(300),
            testing_gpu::clustered_soup(999)};
}

std::string name_of(const Soup& soup) {
    return soup.name + " " + std::to_string(soup.triangles.size());
}

/// A hit on the mesh itself, a hit in the hierarchy.
void output_hits(Graph& g, const std::string& name, const Bvh& bvh, Buffer rays) {
    g.output(name + ".all",
             g.add(CastRays{.bvh = passes::without_hierarchy(bvh.mesh), .rays = rays}).hits);
    g.output(name + ".hits", g.add(CastRays{.bvh = bvh, .rays = rays}).hits);
}
testing::AssertionResult same_hits(Running& running, const std::string& name) {
    const auto all = running.buffer<glm::uvec4>(name + ".all");
    const auto hits = running.buffer<glm::uvec4>(name + ".hits");
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i >= hits.size() || all[i] != hits[i])
            return testing::AssertionFailure() << name << ", ray " << i;
    return testing::AssertionSuccess();
}

TEST_F(RefitTest, BoxesAreThoseOfTheMovedTriangles) {
    Graph g = graph();
    for (const Soup& before : refitted_soups()) {
        const std::string name = name_of(before);
        const Soup after = moved(before);
        // What is broken stays broken.
        for (std::size_t i = 0; i < before.triangles.size(); ++i)
            ASSERT_EQ(testing_gpu::kind_of(before, i), testing_gpu::kind_of(after, i)) << i;
        const Buffer queries = rays(g, testing_gpu::awkward_rays(after, 300));
        const passes::TriangleMesh then = mesh(g, before);
        const passes::TriangleMesh now = mesh(g, after);
        const Bvh built = g.add(LbvhBuild{.mesh = then}).bvh;
        const Bvh bvh = g.add(Refit{.source = built, .mesh = now}).bvh;
        output_bvh(g, name, bvh);
        output_hits(g, name + " binary", bvh, queries);
        const Bvh heap = g.add(ImplicitBuild{.mesh = then}).bvh;
        output_hits(g, name + " heap", g.add(Refit{.source = heap, .mesh = now}).bvh, queries);
    }
    Running running = run(std::move(g), 2);
    for (const Soup& before : refitted_soups()) {
        const std::string name = name_of(before);
        EXPECT_EQ(testing_gpu::fault_in(read_bvh(running, name), moved(before)), "") << name;
        EXPECT_TRUE(same_hits(running, name + " binary"));
        EXPECT_TRUE(same_hits(running, name + " heap"));
    }
}

TEST_F(RefitTest, OfUnmovedTrianglesIsTheHierarchyItself) {
    const Soup soup = testing_gpu::clustered_soup(800);
    Graph g = graph();
    const Bvh built = g.add(LbvhBuild{.mesh = mesh(g, soup)}).bvh;
    output_bvh(g, "built", built);
    output_bvh(g, "refitted", g.add(Refit{.source = built, .mesh = built.mesh}).bvh);
    Running running = run(std::move(g));
    const HostBvh before = read_bvh(running, "built");
    const HostBvh after = read_bvh(running, "refitted");
    EXPECT_EQ(std::memcmp(&before.status, &after.status, sizeof before.status), 0);
    EXPECT_EQ(before.leaves, after.leaves);
    for (std::size_t i = 0; i < std::size_t{before.status.nodes} * 4; ++i)
        ASSERT_EQ(before.nodes[i], after.nodes[i]) << i;
}

TEST_F(RefitTest, SpoiltTrianglesAreNotHitAndComeBack) {
    const Soup before = testing_gpu::random_soup(300);
    Soup spoilt = before;
    for (std::size_t i = 0; i < spoilt.positions.size(); i += 31)
        spoilt.positions[i].y = std::numeric_limits<float>::quiet_NaN();
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < spoilt.triangles.size(); ++i)
        if (testing_gpu::kind_of(spoilt, i) != testing_gpu::Kind::proper) ++count;
    for (const bool heap : {false, true}) {
        Graph g = graph();
        const Buffer queries = rays(g, testing_gpu::awkward_rays(before, 600));
        const passes::TriangleMesh source = mesh(g, before);
        const Bvh built =
            heap ? g.add(ImplicitBuild{.mesh = source}).bvh : g.add(LbvhBuild{.mesh = source}).bvh;
        const Bvh bad = g.add(Refit{.source = built, .mesh = mesh(g, spoilt)}, "bad").bvh;
        const Bvh good = g.add(Refit{.source = bad, .mesh = source}, "good").bvh;
        output_hits(g, "bad", bad, queries);
        output_hits(g, "good", good, queries);
        g.output("bad.status", bad.status);
        g.output("good.status", good.status);
        Running running = run(std::move(g));
        EXPECT_TRUE(same_hits(running, "bad"));
        EXPECT_TRUE(same_hits(running, "good"));
        EXPECT_EQ(running.buffer<passes::BvhStatus>("bad.status")[0].spoilt, count);
        EXPECT_EQ(running.buffer<passes::BvhStatus>("good.status")[0].spoilt, 0u);
    }
}

TEST_F(RefitTest, ReportsAnotherMesh) {
    Graph g = graph();
    const Bvh built = g.add(LbvhBuild{.mesh = mesh(g, testing_gpu::random_soup(5))}).bvh;
    static_cast<void>(g.add(Refit{.source = built, .mesh = mesh(g, testing_gpu::random_soup(4))}));
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "bvh/mesh-mismatch");
}

double area(glm::dvec3 size) {
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

/// The same as the pass, from the root down and in double precision.
struct Measured {
    double cost = 0.0;
    std::uint32_t levels = 0;
};
Measured measure(const HostBvh& bvh) {
    if (bvh.status.leaves == 0) return {};
    const auto corner = [](const glm::uvec4& quad) {
        return glm::dvec3(std::bit_cast<float>(quad.x), std::bit_cast<float>(quad.y),
                          std::bit_cast<float>(quad.z));
    };
    const glm::dvec3 size(bvh.status.high[0] - bvh.status.low[0],
                          bvh.status.high[1] - bvh.status.low[1],
                          bvh.status.high[2] - bvh.status.low[2]);
    Measured result{.cost = 1.0, .levels = 1};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack{{bvh.status.root, 1u}};
    while (!stack.empty()) {
        const auto [node, level] = stack.back();
        stack.pop_back();
        result.levels = std::max(result.levels, level);
        if ((node & passes::BvhStatus::kLeafBit) != 0) continue;
        for (const std::size_t child : {0u, 2u}) {
            const glm::uvec4* at = &bvh.nodes[std::size_t{node} * 4 + child];
            result.cost += area(corner(at[1]) - corner(at[0])) / area(size);
            stack.emplace_back(at[0].w, level + 1);
        }
    }
    return result;
}

TEST_F(RefitTest, StatisticsAreThoseOfTheTree) {
    constexpr int kLevels = 16;
    Graph g = graph();
    for (const Soup& soup : refitted_soups()) {
        const std::string name = name_of(soup);
        const passes::TriangleMesh source = mesh(g, soup);
        const Bvh built = g.add(LbvhBuild{.mesh = source}).bvh;
        output_bvh(g, name, built);
        g.output(name + " binary", g.add(MeasureBvh{.bvh = built}).result);
        // With enough levels, a heap is the same tree.
        const Bvh heap = g.add(ImplicitBuild{.mesh = source, .levels = kLevels}).bvh;
        g.output(name + " heap", g.add(MeasureBvh{.bvh = heap}).result);
    }
    Running running = run(std::move(g));
    std::size_t same_trees = 0;
    for (const Soup& soup : refitted_soups()) {
        const HostBvh bvh = read_bvh(running, name_of(soup));
        const Measured expected = measure(bvh);
        for (const char* kind : {" binary", " heap"}) {
            const std::string name = name_of(soup) + kind;
            SCOPED_TRACE(name);
            const auto got = running.buffer<BvhStatistics>(name)[0];
            EXPECT_EQ(got.triangles, bvh.status.leaves);
            if (expected.levels > kLevels && kind == std::string(" heap")) continue;
            ++same_trees;
            EXPECT_NEAR(got.cost, expected.cost, 1e-5 * expected.cost);
            EXPECT_EQ(got.levels, expected.levels);
            EXPECT_EQ(got.nodes, bvh.status.nodes);
            EXPECT_EQ(got.leaves, bvh.status.leaves);
            EXPECT_EQ(got.largest_leaf, bvh.status.leaves == 0 ? 0u : 1u);
        }
    }
    EXPECT_GT(same_trees, 10u);
}

} // namespace
} // namespace tuff
