#include "passes/bvh/cast.hpp"
#include "passes/bvh/restructure_treelets.hpp"
#include "passes/bvh/statistics.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <fmt/format.h>

/// Hierarchies of higher quality.
namespace tuff {
namespace {

using passes::Bvh;
using passes::BvhStatistics;
using passes::CastRays;
using passes::LbvhBuild;
using passes::MeasureBvh;
using passes::QualityBuild;
using passes::Traversal;
using testing_gpu::output_bvh;
using testing_gpu::read_bvh;
using testing_gpu::Running;
using testing_gpu::Soup;

class ImproveTest : public testing_gpu::BvhTest {};

TEST_F(ImproveTest, HoldsEachTriangleOnceInBoxesOfTheirOwn) {
    std::vector<Soup> soups;
    for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 5u, 8u, 9u, 33u, 300u, 2500u})
        soups.push_back(testing_gpu::random_soup(count));
    soups.push_back(testing_gpu::broken_soup(400));
    soups.push_back(testing_gpu::duplicate_soup(300));
    soups.push_back(testing_gpu::clustered_soup(1500));
    soups.push_back(testing_gpu::flat_soup(10));
    soups.push_back(testing_gpu::line_soup(300));
    const auto name_of = [](const Soup& soup) {
        return soup.name + " " + std::to_string(soup.triangles.size());
    };
    Graph g = graph();
    for (const Soup& soup : soups) {
        const passes::TriangleMesh source = mesh(g, soup);
        const Bvh bvh = g.add(QualityBuild{.mesh = source, .rounds = 3}).bvh;
        output_bvh(g, name_of(soup), bvh);
        const Buffer queries = rays(g, testing_gpu::awkward_rays(soup, 300));
        const auto cast = [&](const std::string& way, const Bvh& over, Traversal traversal) {
            g.output(name_of(soup) + way,
                     g.add(CastRays{.bvh = over, .rays = queries, .traversal = traversal}).hits);
        };
        cast(" all", passes::without_hierarchy(source), Traversal::automatic);
        cast(" stack", bvh, Traversal::stack);
        cast(" bit_trail", bvh, Traversal::bit_trail);
    }
    Running running = run(std::move(g), 2);
    for (const Soup& soup : soups) {
        const std::string name = name_of(soup);
        SCOPED_TRACE(name);
        EXPECT_EQ(testing_gpu::fault_in(read_bvh(running, name), soup), "");
        const auto expected = running.buffer<glm::uvec4>(name + " all");
        EXPECT_EQ(running.buffer<glm::uvec4>(name + " stack"), expected);
        EXPECT_EQ(running.buffer<glm::uvec4>(name + " bit_trail"), expected);
    }
}

TEST_F(ImproveTest, CostsLessThanTheFastBuild) {
    // How much there is to gain depends on the mesh: most where distances differ, little where
    // triangles lie evenly, which halving space suits. Of soups like the first, a tenth of the cost
    // is leaves', which no tree changes; trees made on the host cost 0.92 of the fast build's by a
    // full sweep of the surface area heuristic, 0.96 by joining the closest of all again and again,
    // and 0.95 by one round of the method that the kernel has.
    const std::pair<Soup, float> meshes[] = {{testing_gpu::random_soup(4000, 1, 0.1f), 0.96f},
                                             {testing_gpu::clustered_soup(4000), 0.85f},
                                             {testing_gpu::sphere(4), 0.98f}};
    for (const auto& [soup, share] : meshes) {
        SCOPED_TRACE(soup.name);
        Graph g = graph();
        const passes::TriangleMesh source = mesh(g, soup);
        const auto measure = [&](const std::string& name, const Bvh& bvh) {
            g.output(name, g.add(MeasureBvh{.bvh = bvh}, name).result);
        };
        measure("lbvh", g.add(LbvhBuild{.mesh = source}, "fast").bvh);
        measure("one", g.add(QualityBuild{.mesh = source, .rounds = 1}, "first").bvh);
        measure("two", g.add(QualityBuild{.mesh = source, .rounds = 2}, "second").bvh);
        Running running = run(std::move(g));
        const auto lbvh = running.buffer<BvhStatistics>("lbvh")[0];
        const auto one = running.buffer<BvhStatistics>("one")[0];
        const auto two = running.buffer<BvhStatistics>("two")[0];
        EXPECT_LT(one.cost, share * lbvh.cost);
        EXPECT_LE(two.cost, one.cost * 1.0001f);
        EXPECT_LE(two.levels, 96u);
        RecordProperty(soup.name, fmt::format("{} {} {}", lbvh.cost, one.cost, two.cost));
    }
}

TEST_F(ImproveTest, IsTheSameInEveryRun) {
    Graph g = graph();
    output_bvh(g, "bvh",
               g.add(QualityBuild{.mesh = mesh(g, testing_gpu::clustered_soup(3000))}).bvh);
    Running running = run(std::move(g));
    const auto first = read_bvh(running, "bvh");
    for (int i = 0; i < 2; ++i) {
        running.execute();
        const auto again = read_bvh(running, "bvh");
        EXPECT_EQ(first.leaves, again.leaves);
        for (std::size_t k = 0; k < std::size_t{first.status.nodes} * 4; ++k)
            ASSERT_EQ(first.nodes[k], again.nodes[k]) << k;
    }
}

} // namespace
} // namespace tuff
