#include "passes/bvh/cast.hpp"
#include "passes/bvh/hardware_build.hpp"
#include "passes/bvh/morton.hpp"
#include "passes/bvh/statistics.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

/// The device's own hierarchy, on devices that build one; what is said of it on the others.
namespace tuff {
namespace {

using passes::HardwareBuild;
using testing_gpu::Running;
using testing_gpu::Soup;

class DriverHierarchy : public testing_gpu::BvhTest {
  protected:
    std::vector<std::string> codes(const DeviceCaps& target) {
        Graph g = graph();
        g.set_target(target);
        (void)g.add(HardwareBuild{.mesh = mesh(g, testing_gpu::random_soup(5))});
        std::vector<std::string> all;
        for (const Diagnostic& diagnostic : std::move(g).finish().diagnostics)
            all.push_back(diagnostic.code);
        return all;
    }
};

/// What a device says that builds acceleration structures over so many triangles.
DeviceCaps builder_of(std::uint32_t triangles) {
    auto sizes = std::make_shared<AccelerationSizes>();
    sizes->bottom.push_back({.triangles = triangles, .bytes = 4096, .scratch_bytes = 4096});
    sizes->top = {.triangles = 1, .bytes = 512, .scratch_bytes = 512};
    DeviceCaps caps;
    caps.acceleration_structures = true;
    caps.acceleration_sizes = sizes;
    return caps;
}

TEST_F(DriverHierarchy, IsRefusedWhereTheDeviceBuildsNone) {
    using testing::ElementsAre;
    EXPECT_THAT(codes({}), ElementsAre("graph/no-acceleration"));
    EXPECT_THAT(codes(builder_of(4)), ElementsAre("graph/no-acceleration"));
    EXPECT_THAT(codes(builder_of(5)), ElementsAre());
}

// Where there is none, rays go on through the triangles themselves: one mistake is told once.
TEST_F(DriverHierarchy, IsTracedOnlyWhereTheDeviceSendsRays) {
    using testing::ElementsAre;
    const auto codes_of = [&](const DeviceCaps& target, passes::Traversal traversal) {
        Graph g = graph();
        g.set_target(target);
        const passes::Bvh bvh =
            g.add(HardwareBuild{.mesh = mesh(g, testing_gpu::random_soup(5)), .bvh = {}}).bvh;
        const Buffer queries = rays(g, testing_gpu::random_rays(4));
        g.output("hits",
                 g.add(passes::CastRays{.bvh = bvh, .rays = queries, .traversal = traversal}).hits);
        std::vector<std::string> all;
        if (const auto plan = compile(std::move(g).finish(), target); !plan)
            for (const Diagnostic& diagnostic : plan.error())
                all.push_back(diagnostic.code);
        return all;
    };
    using passes::Traversal;
    DeviceCaps caps = builder_of(5);
    EXPECT_THAT(codes_of({}, Traversal::automatic), ElementsAre("graph/no-acceleration"));
    EXPECT_THAT(codes_of(caps, Traversal::automatic), ElementsAre("graph/no-ray-query"));
    EXPECT_THAT(codes_of(caps, Traversal::brute_force), ElementsAre());
    EXPECT_THAT(codes_of(caps, Traversal::stack), testing::Contains("bvh/no-such-traversal"));
    caps.ray_tracing_pipelines = true;
    EXPECT_THAT(codes_of(caps, Traversal::automatic), ElementsAre());
    EXPECT_THAT(codes_of(caps, Traversal::device), ElementsAre());
    caps.ray_tracing_pipelines = false;
    caps.ray_query = true;
    EXPECT_THAT(codes_of(caps, Traversal::automatic), ElementsAre());
    EXPECT_THAT(codes_of(caps, Traversal::device), ElementsAre());
}

TEST_F(DriverHierarchy, HasNoNodesToMeasure) {
    Graph g = graph();
    g.set_target(builder_of(5));
    const passes::Bvh bvh =
        g.add(HardwareBuild{.mesh = mesh(g, testing_gpu::random_soup(5)), .bvh = {}}).bvh;
    static_cast<void>(g.add(passes::MeasureBvh{.bvh = bvh}));
    const Diagnostics all = std::move(g).finish().diagnostics;
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].code, "bvh/wrong-layout");
}

TEST_F(DriverHierarchy, IsBuiltOfTrianglesThatRaysCanHit) {
    const Soup soup = testing_gpu::broken_soup(300);
    Graph g = graph();
    ComputeNodeBuilder node = g.compute("bvh/driver_triangles");
    const passes::TriangleMesh source = mesh(g, soup);
    bind_mesh(node, source);
    g.output("corners", node.write("corners_of", g.buffer("corners", {.size = 300 * 36})));
    node.dispatch_each(source.triangle_count);
    Running running = run(std::move(g), 1);
    const auto corners = running.buffer<float>("corners");
    ASSERT_EQ(corners.size(), 2700u);
    for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
        if (testing_gpu::kind_of(soup, i) != testing_gpu::Kind::proper) {
            for (std::size_t k = 0; k < 9; ++k)
                ASSERT_EQ(corners[9 * i + k], 0.0f);
            continue;
        }
        const auto wanted = soup.corners(i);
        for (std::size_t k = 0; k < 9; ++k)
            ASSERT_EQ(corners[9 * i + k], wanted[k / 3][static_cast<int>(k % 3)]);
    }
}

TEST_F(DriverHierarchy, IsBuilt) {
    if (!device().caps().acceleration_structures) GTEST_SKIP() << "the device builds none";
    for (const Soup& soup : {testing_gpu::random_soup(700), testing_gpu::broken_soup(300)}) {
        Graph g = graph();
        g.output("top", g.add(HardwareBuild{.mesh = mesh(g, soup)}).top);
        const auto top = run(std::move(g), 2).buffer<std::uint32_t>("top");
        EXPECT_TRUE(std::ranges::any_of(top, [](std::uint32_t word) { return word != 0; }));
    }
}

} // namespace
} // namespace tuff
