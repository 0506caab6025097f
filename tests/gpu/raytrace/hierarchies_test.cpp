// Both tracers through the hierarchies of every builder and by every traversal: their pictures are
// those of brute force.

#include "passes/bvh/collapse.hpp"
#include "passes/bvh/hardware_build.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/refit.hpp"
#include "passes/bvh/restructure_treelets.hpp"
#include "passes/bvh/sah_build.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"
#include "tests/gpu/ways_of_rays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::Bvh;
using passes::PathTrace;
using passes::TraceWhitted;
using passes::Traversal;
using passes::TriangleMesh;
using testing_gpu::Running;

/// A hierarchy, and a way through it.
struct Way {
    std::string name;
    Bvh bvh;
    Traversal traversal = Traversal::automatic;
};

class HierarchiesTest : public RaytraceTest {
  protected:
    /// Mirrors, matt and see-through surfaces, two quads on each other, and a lamp. `rings` 0:
    /// without spheres.
    static SceneAsset world(std::uint32_t rings) {
        SceneBuilder scene;
        Camera camera;
        camera.position = {0.5f, 2.0f, 6.0f};
        camera.target = {0, 0.4f, 0};
        scene.camera(camera);
        const auto ground = scene.material(SceneBuilder::plain({0.5f, 0.6f, 0.5f, 1}, 0, 0.2f));
        const auto red = scene.material(SceneBuilder::plain({0.9f, 0.1f, 0.1f, 1}));
        const glm::mat4 flat = turned(-90, {1, 0, 0});
        scene.quad(ground, flat * scaled(5.0f));
        scene.quad(red, flat * scaled(1.5f)); // where both are, the first is hit
        if (rings > 0) {
            const auto mirror = scene.material(SceneBuilder::plain({0.9f, 0.8f, 0.6f, 1}, 1, 0));
            scene.sphere(mirror, moved(-1.2f, 0.7f, 0) * scaled(0.7f), rings);
            SceneMaterial glass = SceneBuilder::plain({0.2f, 0.4f, 0.9f, 0.5f});
            glass.alpha_mode = AlphaMode::blend;
            scene.sphere(scene.material(glass), moved(1.2f, 0.7f, 0.4f) * scaled(0.7f), rings);
        }
        SceneMaterial lamp = SceneBuilder::plain({0.1f, 0.1f, 0.1f, 1});
        lamp.emissive = {3, 6, 9};
        scene.quad(scene.material(lamp), moved(0, 1.5f, -2.5f) * scaled(0.8f));
        return pack_scene(std::move(scene).finish());
    }

    /// Brute force first, then all others of Tuff's.
    static std::vector<Way> ways(Graph& g, const Scene& scene) {
        const TriangleMesh mesh = g.add(passes::Triangles{.scene = scene}).mesh;
        std::vector<Way> all{{"brute force", passes::without_hierarchy(mesh)}};
        const auto both = [&](const std::string& name, const Bvh& bvh) {
            all.push_back({name + " by stack", bvh, Traversal::stack});
            all.push_back({name + " by trail", bvh, Traversal::bit_trail});
        };
        const Bvh fast = g.add(passes::LbvhBuild{.mesh = mesh}).bvh;
        both("lbvh", fast);
        both("60 bits by extents",
             g.add(passes::LbvhBuild{.mesh = mesh,
                                     .bits = passes::CodeBits::bits60,
                                     .interleave = passes::Interleave::extents})
                 .bvh);
        const Bvh good = g.add(passes::QualityBuild{.mesh = mesh}).bvh;
        both("improved", good);
        both("sah", g.add(passes::SahBuild{.scene = scene, .mesh = mesh}).bvh);
        both("refitted", g.add(passes::Refit{.source = fast, .mesh = mesh}).bvh);
        for (const auto& [name, source] : {std::pair("wide lbvh", fast), {"wide improved", good}})
            all.push_back(
                {name, g.add(passes::CollapseBvh{.source = source}).bvh, Traversal::stack});
        passes::ImplicitBuild heap{.mesh = mesh};
        both("heap", g.add(heap).bvh);
        heap.levels = 4; // large leaves
        heap.split = passes::HeapSplit::in_turn;
        heap.interleave = passes::Interleave::extents;
        both("low heap", g.add(heap).bvh);
        return all;
    }

    /// Where two pictures of one size differ first by more than this share, and in how many pixels;
    /// "" where they do not.
    static std::string difference(const HostImage& got, const HostImage& expected, float share) {
        std::string first;
        std::uint32_t off = 0;
        for (std::uint32_t y = 0; y < expected.extent.height; ++y)
            for (std::uint32_t x = 0; x < expected.extent.width; ++x) {
                const auto a = got.texel(x, y);
                const auto b = expected.texel(x, y);
                bool same = true;
                for (std::size_t c = 0; c < 4; ++c)
                    same &= std::abs(a[c] - b[c]) <= share * std::abs(b[c]);
                if (same || off++ > 0) continue;
                first = fmt::format("{}, {}: {} instead of {}", x, y, fmt::join(a, " "),
                                    fmt::join(b, " "));
            }
        return off == 0 ? "" : fmt::format("{} pixels; {}", off, first);
    }
    /// The pass by each of the ways, in one graph, as "0", "1", ...
    template <typename Pass>
    static void trace_all(Graph& g, Pass pass, const Scene& scene, const std::vector<Way>& ways) {
        pass.scene = scene;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            pass.bvh = ways[i].bvh;
            pass.traversal = ways[i].traversal;
            g.output(std::to_string(i), g.add(pass).color);
        }
    }
    template <typename Pass>
    void expect_pictures_of_brute_force(Pass pass, std::uint32_t rings) {
        Graph g = graph();
        const Scene scene = add_scene(g, "scene", world(rings));
        const std::vector<Way> all = ways(g, scene);
        trace_all(g, pass, scene, all);
        Running running = run(std::move(g));
        if (!running) return;
        const HostImage expected = running.image("0");
        ASSERT_FALSE(expected.empty());
        // There alone the last bits of lookups in the surroundings depend on what memory held.
        const float share = device().caps().name.contains("llvmpipe") ? 0x1p-20f : 0.0f;
        EXPECT_GT(mean(expected).y, 0.05) << "nothing is seen";
        for (std::size_t i = 1; i < all.size(); ++i)
            EXPECT_EQ(difference(running.image(std::to_string(i)), expected, share), "")
                << all[i].name;
    }
};

template <typename Pass>
Pass lit(Pass pass) {
    pass.sun = {.azimuth = 35.0f, .elevation = 40.0f, .intensity = 1.5f};
    pass.ambient = glm::vec3(0.2f, 0.3f, 0.4f);
    pass.bounces = 3;
    return pass;
}

// Of equal t the lower triangle is hit whatever leads to it, so there is nothing to make allowance
// for: not even where two quads lie on each other, or rays pass an edge.
TEST_F(HierarchiesTest, WhittedsPicturesAreThoseOfBruteForceToTheBit) {
    TUFF_ONLY_ON(lavapipe);
    TraceWhitted pass = lit(dark<TraceWhitted>(16));
    expect_pictures_of_brute_force(pass, 0);
    pass.width = pass.height = 37;
    expect_pictures_of_brute_force(pass, 7);
    pass.width = 24;
    expect_pictures_of_brute_force(pass, 24);
}

TEST_F(HierarchiesTest, PathsPicturesAreThoseOfBruteForceToTheBit) {
    TUFF_ONLY_ON(lavapipe);
    PathTrace pass = lit(dark<PathTrace>(16));
    pass.samples = 2;
    expect_pictures_of_brute_force(pass, 0);
    pass.width = pass.height = 37;
    expect_pictures_of_brute_force(pass, 7);
}

// The device takes any triangle of those at one place, and meets edges by a rule of its own. Here
// none but the red quad and the ground are at one place: pixels that see it, some of them in the
// mirror, may have the ground's color.
TEST_F(HierarchiesTest, TheDevicesOwnHierarchyDiffersInTiesAlone) {
    const std::vector<DeviceCaps> device_ways = testing_gpu::ways_of_rays(device().caps());
    if (device_ways.empty()) GTEST_SKIP() << "the device sends no rays of its own";
    for (const DeviceCaps& way : device_ways) {
        SCOPED_TRACE(way.ray_query ? "ray queries" : "ray-tracing pipeline");
        Graph g = graph();
        g.set_target(way);
        const Scene scene = add_scene(g, "scene", world(7));
        const TriangleMesh mesh = g.add(passes::Triangles{.scene = scene}).mesh;
        trace_all(g, lit(dark<TraceWhitted>(37)), scene,
                  {{"brute force", passes::without_hierarchy(mesh)},
                   {"device", g.add(passes::HardwareBuild{.mesh = mesh}).bvh, Traversal::device}});
        Running running = run(std::move(g));
        if (!running) continue;
        const HostImage ours = running.image("0");
        const HostImage theirs = running.image("1");
        ASSERT_FALSE(ours.empty());
        std::uint32_t off = 0;
        for (std::uint32_t y = 0; y < 37; ++y)
            for (std::uint32_t x = 0; x < 37; ++x)
                off += at(ours, x, y) != at(theirs, x, y);
        RecordProperty("off", static_cast<int>(off));
        EXPECT_LT(off, 37 * 37 / 8);
    }
}

} // namespace
} // namespace tuff
