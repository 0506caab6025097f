// geometry/deform: what stands upright is moved, and its normals with it.

#include "passes/geometry/deform.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <cmath>
#include <numbers>

namespace tuff {
namespace {

/// What geometry/deform does to a point, in double precision.
glm::dvec3 moved_point(const passes::Deform& by, glm::dvec3 p) {
    const double phase =
        2.0 * std::numbers::pi *
        std::fmod(static_cast<double>(by.rate) * static_cast<double>(by.time), 1.0);
    const glm::dvec3 center(by.center);
    const double h = p.y - center.y;
    if (!(h > 0.0)) return p;
    const double angle =
        static_cast<double>(by.twist) * std::numbers::pi / 180.0 * std::sin(phase) * h;
    const double x = p.x - center.x;
    const double z = p.z - center.z;
    const double sway =
        std::sin(2.0 * std::numbers::pi / static_cast<double>(by.wave_length) * h - phase);
    const glm::dvec2 aside =
        glm::dvec2(by.bend) * std::sin(phase) * h * h + glm::dvec2(by.wave) * h * sway;
    return {center.x + std::cos(angle) * x + std::sin(angle) * z + aside.x, p.y,
            center.z + std::cos(angle) * z - std::sin(angle) * x + aside.y};
}

class DeformTest : public RaytraceTest {
  protected:
    /// Things of all kinds: mirrored and uneven ones, and a mesh that several nodes show.
    static SceneData scene() {
        SceneBuilder builder;
        const auto white = builder.material(SceneBuilder::plain());
        builder.quad(white, moved(0, -0.5f, 0) * turned(-90, {1, 0, 0}) * scaled(4.0f));
        builder.sphere(white, moved(0.3f, 1.0f, 0.2f) * scaled(0.8f), 6);
        builder.sphere(white, moved(-1, 0.7f, 0) * glm::scale(glm::mat4(1), {-0.5f, 0.9f, 0.3f}),
                       5);
        SceneData scene = std::move(builder).finish();
        SceneDraw again = scene.draws[1];
        again.transform = static_cast<std::uint32_t>(scene.transforms.size());
        scene.draws.push_back(again);
        scene.draw_bounds.push_back(scene.draw_bounds[1]);
        const glm::mat4 place = moved(1.5f, 0.4f, -1) * turned(40, {1, 2, 0}) * scaled(0.4f);
        scene.transforms.push_back({place, glm::transpose(glm::inverse(place))});
        return scene;
    }
    static passes::Deform dance() {
        passes::Deform pass;
        pass.time = 100.37f;
        pass.rate = 0.7f;
        pass.center = {0.1f, -0.25f, -0.2f};
        pass.twist = 80.0f;
        pass.bend = {0.2f, -0.1f};
        pass.wave = {0.1f, 0.15f};
        pass.wave_length = 0.9f;
        return pass;
    }
};

/// Points move by about 1 times sines and cosines, of which Vulkan grants devices an error of
/// 2^-11.
constexpr double kSine = 0x1p-11;

TEST_F(DeformTest, MovesPointsNormalsAndTangentsAsItSays) {
    const SceneData source = scene();
    Graph g = graph();
    passes::Deform pass = dance();
    pass.source = add_scene(g, "scene", pack_scene(source));
    pass = g.add(pass);
    g.output("vertices", pass.scene.vertices);
    g.output("draws", pass.scene.draws);
    testing_gpu::Running running = run(std::move(g));
    const auto vertices = running.buffer<Vertex>("vertices");
    const auto draws = running.buffer<SceneDraw>("draws");
    ASSERT_EQ(draws.size(), source.draws.size());
    std::size_t at = 0;
    std::size_t fixed = 0;
    for (std::size_t d = 0; d < draws.size(); ++d) {
        const SceneDraw& draw = source.draws[d];
        EXPECT_EQ(draws[d].vertex_offset, static_cast<std::int32_t>(at));
        EXPECT_EQ(draws[d].vertex_offset, pass.scene.data->draws[d].vertex_offset);
        EXPECT_EQ(draws[d].transform, 0u);
        EXPECT_EQ(draws[d].first_index, draw.first_index);
        EXPECT_EQ(draws[d].flags, draw.flags);
        const glm::dmat4 world(source.transforms[draw.transform].world);
        const glm::dmat3 normals = glm::transpose(glm::inverse(glm::dmat3(world)));
        for (std::uint32_t i = 0; i < draw.vertex_count; ++i, ++at) {
            const Vertex& from = source.vertices[static_cast<std::size_t>(draw.vertex_offset) + i];
            const glm::dvec3 place(world * glm::dvec4(glm::dvec3(from.position), 1.0));
            const glm::dvec3 expected = moved_point(pass, place);
            ASSERT_LT(glm::distance(glm::dvec3(vertices[at].position), expected), kSine) << at;
            fixed += place.y < static_cast<double>(pass.center.y);
            if (place.y < static_cast<double>(pass.center.y)) {
                ASSERT_LT(glm::distance(expected, place), 1e-12);
            }
            // The normal stays perpendicular to what was perpendicular to it.
            const glm::dvec3 normal = glm::normalize(normals * glm::dvec3(from.normal));
            glm::dvec3 u = glm::cross(normal, std::abs(normal.y) < 0.9 ? glm::dvec3(0, 1, 0)
                                                                       : glm::dvec3(1, 0, 0));
            u = glm::normalize(u);
            const glm::dvec3 v = glm::cross(normal, u);
            constexpr double kStep = 1e-5;
            const auto along = [&](glm::dvec3 direction) {
                return (moved_point(pass, place + kStep * direction) -
                        moved_point(pass, place - kStep * direction)) /
                       (2.0 * kStep);
            };
            const glm::dvec3 wanted = glm::normalize(glm::cross(along(u), along(v)));
            const double side = glm::dot(wanted, glm::dvec3(vertices[at].normal));
            if (std::abs(place.y - static_cast<double>(pass.center.y)) > 2.0 * kStep) {
                ASSERT_GT(side, 1.0 - 1e-5) << at;
            }
            EXPECT_EQ(vertices[at].uv0, from.uv0);
        }
    }
    EXPECT_GT(fixed, 0u);
    EXPECT_LT(fixed, at / 2);
}

TEST_F(DeformTest, WithoutMovementTheTrianglesAreTheSceneToTheBit) {
    Graph g = graph();
    const Scene source = add_scene(g, "scene", pack_scene(scene()));
    const auto still = g.add(passes::Deform{.source = source, .scene = {}});
    const auto expected = g.add(passes::Triangles{.scene = source}).mesh;
    const auto mesh = g.add(passes::Triangles{.scene = still.scene}).mesh;
    g.output("positions", mesh.positions);
    g.output("indices", mesh.indices);
    g.output("expected positions", expected.positions);
    g.output("expected indices", expected.indices);
    testing_gpu::Running running = run(std::move(g));
    EXPECT_EQ(running.buffer<float>("positions"), running.buffer<float>("expected positions"));
    EXPECT_EQ(running.buffer<std::uint32_t>("indices"),
              running.buffer<std::uint32_t>("expected indices"));
}

TEST_F(DeformTest, AnEmptySceneAndNoSceneAreWhatTheyAre) {
    Graph g = graph();
    const auto pass = g.add(
        passes::Deform{.source = add_scene(g, "scene", pack_scene(SceneData{})), .scene = {}});
    g.output("vertices", pass.scene.vertices);
    EXPECT_FALSE(run(std::move(g)).buffer<Vertex>("vertices").empty());

    Graph other = graph();
    other.output("vertices", other.add(passes::Deform{}).scene.vertices);
    const auto plan = compile(std::move(other).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "graph/unconnected");
}

} // namespace
} // namespace tuff
