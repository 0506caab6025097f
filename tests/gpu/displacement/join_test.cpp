#include "passes/bvh/lbvh_build.hpp"
#include "passes/displacement/join_shapes.hpp"
#include "passes/displacement/shapes.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/raytrace/whitted.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <tuff/scene_resources.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string>
#include <vector>

/// Surfaces with a map each in the same picture.
namespace tuff {
namespace {

using passes::JoinShapes;
using passes::RayShapes;

class JoinedSurfaces : public DisplacementTest {
  protected:
    static Scene with_map(unsigned seed, float high) {
        return {
            .patches = random_patches(12, seed), .map = random_map(9, 9, seed, high), .level = 3};
    }
    RayShapes shapes_with(Graph& g, const Scene& scene, std::uint32_t material,
                          const std::string& name) {
        g.push_scope(name);
        const RayShapes made =
            g.add(passes::DisplacedShapes{
                      .surface = add_surface(g, scene), .materials = {}, .material = material})
                .shapes;
        g.pop_scope();
        return made;
    }
};

// To the bit: one surface at a time, merged by the nearest hit, with what is known of surfaces.
TEST_F(JoinedSurfaces, AreHitWhereTheNearestOneIs) {
    const auto rays = random_rays(600, 9);
    std::vector<HitRecord> before(rays.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        before[i].t = i % 4 == 0 ? 3.0f : 1e30f; // a triangle, or none
        before[i].triangle = i % 4 == 0 ? 5u : ~0u;
    }
    Graph g = graph();
    const passes::SlotRays slots{.rays = add_records(g, "rays", rays),
                                 .queue = {},
                                 .count = {},
                                 .slots = static_cast<std::uint32_t>(rays.size())};
    const Buffer hits = add_records(g, "before", before);
    const std::array<RayShapes, 3> one{shapes_with(g, with_map(21, 0.3f), 1, "a"),
                                       shapes_with(g, with_map(22, 0.1f), 2, "b"),
                                       shapes_with(g, with_map(23, 0.2f), 3, "c")};
    const RayShapes two = g.add(JoinShapes{.first = one[0], .second = one[1], .shapes = {}}).shapes;
    const RayShapes all = g.add(JoinShapes{.first = two, .second = one[2], .shapes = {}}).shapes;
    EXPECT_EQ(all.material, 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string name = "one" + std::to_string(i);
        g.push_scope(name);
        g.output(name, one[i].closest(g, slots, hits));
        g.pop_scope();
    }
    g.output("all", all.closest(g, slots, hits));
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto joined = running.buffer<glm::uvec4>("all");
    std::array<std::vector<glm::uvec4>, 3> each;
    for (std::size_t i = 0; i < 3; ++i)
        each[i] = running.buffer<glm::uvec4>("one" + std::to_string(i));
    const auto is_shape = [](glm::uvec4 hit) { return hit.y != ~0u && hit.y >> 31 != 0; };
    std::array<std::size_t, 4> winners{};
    for (std::size_t i = 0; i < rays.size(); ++i) {
        std::size_t nearest = 3;
        float t = std::numeric_limits<float>::infinity();
        for (std::size_t k = 0; k < 3; ++k) {
            if (!is_shape(each[k][i]) || !(std::bit_cast<float>(each[k][i].x) < t)) continue;
            nearest = k;
            t = std::bit_cast<float>(each[k][i].x);
        }
        ++winners[nearest];
        ASSERT_EQ(joined[i], each[std::min<std::size_t>(nearest, 2)][i]) << i;
        if (nearest == 3) continue;
        for (std::size_t k = 0; k < RayShapes::kSurfaceQuads; ++k) {
            const std::size_t quad = rays.size() + RayShapes::kSurfaceQuads * i + k;
            ASSERT_EQ(joined[quad], each[nearest][quad]) << i << ", " << k;
        }
    }
    for (const std::size_t count : winners)
        EXPECT_GT(count, 20u);
}

// A surface in two parts gives the picture of the whole, to the bit, with reflections and shadows.
TEST_F(JoinedSurfaces, GiveThePictureOfOne) {
    TUFF_ONLY_ON(lavapipe);
    SceneBuilder builder;
    const std::uint32_t mirror =
        builder.material(SceneBuilder::plain({0.9f, 0.9f, 0.9f, 1.0f}, 1.0f, 0.0f));
    builder.quad(mirror, glm::mat4(2.5f, 0, 0, 0, 0, 2.5f, 0, 0, 0, 0, 1, 0, 0, 0, -2, 1));
    Camera camera;
    camera.position = {1.5f, 1.5f, 5.0f};
    camera.target = {0.0f, -0.2f, 0.0f};
    builder.camera(camera);
    const SceneData data = std::move(builder).finish();
    const Scene whole = with_map(24, 0.15f);
    Scene first = whole;
    Scene second = whole;
    first.patches.resize(5);
    second.patches.erase(second.patches.begin(), second.patches.begin() + 5);

    const auto add_picture = [&](Graph& g, const std::string& name, const auto& shapes) {
        passes::TraceWhitted pass;
        pass.scene = add_scene(g, name, pack_scene(SceneData(data)));
        pass.bvh =
            g.add(passes::LbvhBuild{.mesh = g.add(passes::Triangles{.scene = pass.scene}).mesh})
                .bvh;
        pass.width = pass.height = 48;
        pass.camera.mode = passes::CameraMode::file;
        pass.sun.intensity = 2.0f;
        pass.sun.elevation = 50.0f;
        pass.bounces = 1;
        pass.shapes = shapes;
        g.output(name, g.add(pass, name).color);
    };
    Graph g = graph();
    const RayShapes one = shapes_with(g, first, 0, "first");
    add_picture(g, "whole", shapes_with(g, whole, 0, "whole_surface"));
    add_picture(
        g, "joined",
        g.add(JoinShapes{.first = one, .second = shapes_with(g, second, 0, "second"), .shapes = {}})
            .shapes);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage expected = running.image("whole");
    const HostImage got = running.image("joined");
    std::set<float> shades;
    for (std::uint32_t y = 0; y < 48; ++y)
        for (std::uint32_t x = 0; x < 48; ++x) {
            ASSERT_EQ(got.texel(x, y), expected.texel(x, y)) << x << " " << y;
            shades.insert(got.texel(x, y)[0]);
        }
    EXPECT_GT(shades.size(), 100u);
}

} // namespace
} // namespace tuff
