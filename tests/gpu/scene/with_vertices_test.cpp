#include "passes/geometry/triangles.hpp"
#include "passes/scene/with_vertices.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/scene_resources.hpp>

#include <glm/gtc/matrix_transform.hpp>
#include <glm/vec3.hpp>

/// scene/with_vertices: a scene takes the vertices that it is given.
namespace tuff {
namespace {

using passes::SceneWithVertices;
using passes::Triangles;
using testing_gpu::Running;

class WithVertices : public testing_gpu::GpuTest {
  protected:
    /// A sphere of that size, which its node moves aside.
    static SceneAsset sphere(float size, std::uint32_t bands) {
        SceneBuilder scene;
        const std::uint32_t material = scene.material(SceneBuilder::plain({1, 1, 1, 1}, 0, 1));
        scene.sphere(material, glm::translate(glm::mat4(1.0f), {3.0f, 0.0f, 0.0f}), bands);
        SceneData data = std::move(scene).finish();
        for (Vertex& vertex : data.vertices)
            vertex.position *= size;
        return pack_scene(std::move(data));
    }
};

TEST_F(WithVertices, TheSceneHasThemWhereItsNodesAre) {
    Graph g = graph();
    const Scene small = add_scene(g, "small", sphere(1.0f, 6));
    const Scene large = add_scene(g, "large", sphere(2.0f, 6));
    const Scene mixed = g.add(SceneWithVertices{.source = small, .vertices = large.vertices}).scene;
    EXPECT_TRUE(mixed.vertices_move);
    EXPECT_FALSE(mixed.bounds_hold);
    g.output("small", g.add(Triangles{.scene = small}, "small mesh").mesh.positions);
    g.output("large", g.add(Triangles{.scene = large}, "large mesh").mesh.positions);
    g.output("mixed", g.add(Triangles{.scene = mixed}, "mixed mesh").mesh.positions);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto expected = running.buffer<glm::vec3>("large");
    EXPECT_GT(expected.size(), 20u);
    EXPECT_EQ(running.buffer<glm::vec3>("mixed"), expected);
    EXPECT_NE(running.buffer<glm::vec3>("small"), expected);
}

TEST_F(WithVertices, FewerThanTheSceneHasAreRefused) {
    Graph g = graph();
    const Scene fine = add_scene(g, "fine", sphere(1.0f, 6));
    const Scene coarse = add_scene(g, "coarse", sphere(1.0f, 3));
    const Scene none = g.add(SceneWithVertices{.source = fine, .vertices = coarse.vertices}).scene;
    EXPECT_FALSE(none);
    const GraphDesc desc = std::move(g).finish();
    ASSERT_EQ(desc.diagnostics.size(), 1u);
    EXPECT_EQ(desc.diagnostics[0].code, "primitives/too-short");
}

} // namespace
} // namespace tuff
