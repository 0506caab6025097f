#include "passes/bvh/cast.hpp"
#include "passes/bvh/driver_build.hpp"
#include "passes/bvh/instances.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/statistics.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <cmath>
#include <string>

/// The device's own ray tracing, on those that have it; what is said of it on the others.
namespace tuff {
namespace {

using passes::Bvh;
using passes::CastRays;
using passes::DriverBuild;
using passes::RayQuestion;
using passes::Traversal;
using testing_gpu::HostHit;
using testing_gpu::Running;
using testing_gpu::Soup;

class DriverRays : public testing_gpu::BvhTest {
  protected:
    /// The codes of all that is wrong with rays through `bvh(graph, mesh)`.
    template <typename MakeBvh>
    std::vector<std::string> codes(const DeviceCaps& target, Traversal traversal, MakeBvh&& bvh) {
        const Soup soup = testing_gpu::random_soup(5);
        Graph g = graph();
        g.set_target(target);
        (void)g.add(CastRays{.bvh = bvh(g, mesh(g, soup)),
                             .rays = rays(g, testing_gpu::random_rays(4)),
                             .traversal = traversal});
        return codes_of(std::move(g));
    }
    static std::vector<std::string> codes_of(Graph&& g) {
        std::vector<std::string> all;
        for (const Diagnostic& diagnostic : std::move(g).finish().diagnostics)
            all.push_back(diagnostic.code);
        return all;
    }
};

/// What a device says that builds acceleration structures and, if `casts`, whose kernels cast rays.
DeviceCaps tracer(bool casts) {
    auto sizes = std::make_shared<AccelerationSizes>();
    sizes->bottom.push_back({.triangles = 100, .bytes = 4096, .scratch_bytes = 4096});
    sizes->top = {.triangles = 1, .bytes = 512, .scratch_bytes = 512};
    DeviceCaps caps;
    caps.acceleration_structures = true;
    caps.acceleration_sizes = sizes;
    caps.ray_query = casts;
    return caps;
}

TEST_F(DriverRays, AreRefusedWhereTheDeviceHasNone) {
    using testing::ElementsAre;
    const auto built = [](Graph& g, const passes::TriangleMesh& mesh) {
        return g.add(DriverBuild{.mesh = mesh}).bvh;
    };
    const auto none = [](Graph&, const passes::TriangleMesh& mesh) {
        return passes::without_hierarchy(mesh);
    };
    // The mesh itself remains, and rays try every triangle.
    EXPECT_THAT(codes({}, Traversal::automatic, built), ElementsAre("graph/no-acceleration"));
    EXPECT_THAT(codes({}, Traversal::driver, none), ElementsAre("bvh/no-such-traversal"));
    const DeviceCaps builds = tracer(false);
    const DeviceCaps casts = tracer(true);
    EXPECT_THAT(codes(builds, Traversal::driver, built), ElementsAre("bvh/no-ray-query"));
    EXPECT_THAT(codes(casts, Traversal::driver, built), ElementsAre());
    EXPECT_THAT(codes(casts, Traversal::trail, built), ElementsAre("bvh/no-such-traversal"));
}

TEST_F(DriverRays, GoThroughNoInstancesAndNoNodes) {
    using testing::ElementsAre;
    const auto instance = [&](Graph& g, const Bvh& of) {
        const std::vector<passes::MeshInstance> one(1);
        const auto bytes = testing_gpu::bytes_of(one);
        const Buffer buffer =
            g.constant_buffer("instances", {.size = bytes->size(), .stride = 16}, bytes);
        return g.add(passes::InstanceBvh{.meshes = {of}, .instances = buffer}).bvh;
    };
    for (const bool casts : {false, true}) {
        const DeviceCaps target = tracer(casts);
        EXPECT_THAT(codes(target, Traversal::automatic,
                          [&](Graph& g, const passes::TriangleMesh& mesh) {
                              return instance(g, g.add(DriverBuild{.mesh = mesh}).bvh);
                          }),
                    ElementsAre("bvh/wrong-layout"));
        EXPECT_THAT(codes(target, Traversal::driver,
                          [&](Graph& g, const passes::TriangleMesh& mesh) {
                              return instance(g, g.add(passes::LbvhBuild{.mesh = mesh}).bvh);
                          }),
                    ElementsAre("bvh/no-such-traversal"));
        Graph g = graph();
        g.set_target(target);
        const Bvh driver = g.add(DriverBuild{.mesh = mesh(g, testing_gpu::random_soup(5))}).bvh;
        (void)g.add(passes::MeasureBvh{.bvh = driver});
        EXPECT_THAT(codes_of(std::move(g)), ElementsAre("bvh/wrong-layout"));
    }
}

TEST_F(DriverRays, HitWhatAllTrianglesTriedHit) {
    if (!device().caps().ray_query) GTEST_SKIP() << "the device casts no rays by itself";
    const Soup soups[] = {
        testing_gpu::random_soup(700),    testing_gpu::clustered_soup(600),
        testing_gpu::duplicate_soup(300), testing_gpu::broken_soup(300),
        testing_gpu::flat_soup(12),       testing_gpu::sphere(3),
        testing_gpu::random_soup(1),      {.name = "empty", .positions = {}, .triangles = {}}};
    Graph g = graph();
    constexpr std::size_t kRays = 2000;
    for (std::size_t i = 0; i < std::size(soups); ++i) {
        const passes::TriangleMesh source = mesh(g, soups[i]);
        const Bvh driver = g.add(DriverBuild{.mesh = source}).bvh;
        const Bvh all = passes::without_hierarchy(source);
        const std::string name = std::to_string(i);
        const bool any_triangle = !soups[i].triangles.empty();
        const Buffer queries =
            rays(g, i % 2 == 0 || !any_triangle ? testing_gpu::random_rays(kRays)
                                                : testing_gpu::awkward_rays(soups[i], kRays));
        for (const RayQuestion question : {RayQuestion::closest, RayQuestion::any}) {
            const std::string kind = question == RayQuestion::closest ? " closest" : " any";
            g.output(name + kind + " all",
                     g.add(CastRays{.bvh = all, .rays = queries, .question = question}).hits);
            g.output(name + kind + " driver",
                     g.add(CastRays{.bvh = driver, .rays = queries, .question = question}).hits);
        }
    }
    Running running = run(std::move(g), 2);
    for (std::size_t i = 0; i < std::size(soups); ++i) {
        SCOPED_TRACE(soups[i].name);
        const std::string name = std::to_string(i);
        const auto wanted = running.buffer<HostHit>(name + " closest all");
        const auto got = running.buffer<HostHit>(name + " closest driver");
        ASSERT_EQ(got.size(), kRays);
        std::size_t off = 0;
        std::size_t hits = 0;
        for (std::size_t ray = 0; ray < kRays; ++ray) {
            hits += wanted[ray].triangle != ~0u;
            const bool same = wanted[ray].triangle == got[ray].triangle &&
                              (wanted[ray].t == got[ray].t || std::isnan(wanted[ray].t));
            off += !same;
        }
        // Rays are aimed at edges and corners, where the device's own arithmetic decides whether a
        // triangle is a candidate; those of random directions hit what all others hit.
        if (i % 2 == 0) {
            EXPECT_EQ(off, 0u);
        } else {
            EXPECT_LE(off, kRays / 10);
        }
        if (soups[i].triangles.size() > 1) {
            EXPECT_GT(hits, kRays / 50);
        }
        const auto any_wanted = running.buffer<std::uint32_t>(name + " any all");
        const auto any_got = running.buffer<std::uint32_t>(name + " any driver");
        std::size_t any_off = 0;
        for (std::size_t ray = 0; ray < kRays; ++ray)
            any_off += any_wanted[ray] != any_got[ray];
        EXPECT_LE(any_off, i % 2 == 0 ? 0u : kRays / 10);
    }
}

} // namespace
} // namespace tuff
