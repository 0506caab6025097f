#include "passes/bodies/move_nodes.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/bodies/bodies_test.hpp"

#include <tuff/scene_resources.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Nodes of a scene that rigid bodies carry.
namespace tuff {
namespace {

using passes::Bodies;
using passes::BodyList;
using passes::MoveNodes;
using testing_gpu::Running;

/// Quads at different places, with names.
SceneData named_scene(const std::vector<std::string>& names) {
    SceneBuilder builder;
    const std::uint32_t material = builder.material(SceneBuilder::plain());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto n = static_cast<float>(i);
        glm::mat4 world = glm::translate(glm::mat4(1.0f), {n, 2.0f * n, -n});
        world = glm::rotate(world, 0.3f * n, glm::normalize(glm::vec3(1.0f, n, 2.0f)));
        builder.quad(material, glm::scale(world, {1.0f + n, 2.0f, 0.5f}));
    }
    SceneData scene = std::move(builder).finish();
    scene.transform_names = names;
    return scene;
}

/// Boxes that have turned and moved.
BodyList turned_boxes(std::uint32_t count, float by) {
    BodyList list;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto n = static_cast<float>(i);
        list.box(glm::vec3(0.5f),
                 {.place = {by * n, 1.0f + by, n - by},
                  .turn = glm::angleAxis(by * (0.4f + n), glm::normalize(glm::vec3(n, 1, by)))});
    }
    return list;
}

glm::dmat4 pose_of(const BodyList& list, std::size_t body) {
    const glm::vec4 q = list.turns[body];
    return glm::translate(glm::dmat4(1.0), glm::dvec3(list.places[body])) *
           glm::mat4_cast(glm::dquat(q.w, q.x, q.y, q.z));
}

class MoveNodesTest : public testing_gpu::BodiesTest {
  protected:
    std::vector<SceneTransform> moved(const SceneData& scene, const BodyList& now,
                                      const BodyList* initial, MoveNodes pass) {
        Graph g = graph();
        pass.source = add_scene(g, "scene", pack_scene(SceneData(scene)));
        pass.bodies = now.upload(g);
        if (initial) pass.initial = initial->upload(g);
        const Scene result = g.add(std::move(pass)).scene;
        EXPECT_FALSE(result.bounds_hold);
        EXPECT_FALSE(result.vertices_move);
        g.output("transforms", result.transforms);
        return run(std::move(g)).buffer<SceneTransform>("transforms");
    }
    static void expect_near(const SceneTransform& got, const glm::dmat4& world,
                            const std::string& what) {
        const glm::dmat3 normal = glm::transpose(glm::inverse(glm::dmat3(world)));
        for (int c = 0; c < 4; ++c)
            EXPECT_LT(glm::distance(glm::dvec4(got.world[c]), world[c]), 1e-5) << what;
        for (int c = 0; c < 3; ++c)
            EXPECT_LT(glm::distance(glm::dvec3(got.normal[c]), normal[c]), 2e-5) << what;
    }
};

TEST_F(MoveNodesTest, NodesKeepTheirPlacesRelativeToTheirBodies) {
    const SceneData scene = named_scene({"floor", "crate 1", "wall", "crate 2", "lid"});
    const BodyList before = turned_boxes(5, 0.5f);
    const BodyList now = turned_boxes(5, 1.7f);
    const auto got = moved(scene, now, &before, {.nodes = {"lid", "crate*"}, .first = 2});
    ASSERT_EQ(got.size(), 5u);
    const std::pair<std::size_t, std::size_t> carried[] = {{4, 2}, {1, 3}, {3, 4}};
    for (const auto& [node, body] : carried)
        expect_near(got[node],
                    pose_of(now, body) * glm::inverse(pose_of(before, body)) *
                        glm::dmat4(scene.transforms[node].world),
                    fmt::format("node {}", node));
    for (const std::size_t still : {0u, 2u}) {
        EXPECT_EQ(got[still].world, scene.transforms[still].world) << still;
        EXPECT_EQ(got[still].normal, scene.transforms[still].normal) << still;
    }
}

TEST_F(MoveNodesTest, WithoutABeginningMeshesLieInTheirBodies) {
    const SceneData scene = named_scene({"a", "b", ""});
    const BodyList now = turned_boxes(2, 1.1f);
    const auto got = moved(scene, now, nullptr, {});
    ASSERT_EQ(got.size(), 3u);
    for (std::size_t i = 0; i < 2; ++i)
        expect_near(got[i],
                    pose_of(now, i) *
                        glm::scale(glm::dmat4(1.0), {1.0 + static_cast<double>(i), 2.0, 0.5}),
                    fmt::format("node {}", i));
    EXPECT_EQ(got[2].world, scene.transforms[2].world) << "a node without a name";
}

TEST_F(MoveNodesTest, BoundsHoldNodesWhereverTheirBodiesAreExpected) {
    const SceneData scene = named_scene({"a", "floor", "b", "c"});
    for (const bool keeps_placement : {false, true}) {
        // Bodies in the middles of their meshes, which go to the corners of where they may be.
        BodyList before;
        for (const std::size_t node : {0u, 2u, 3u})
            before.box(glm::vec3(0.5f), {.place = scene.draw_bounds[node].center()});
        for (int corner = 0; corner < 8; ++corner) {
            BodyList now = turned_boxes(3, 0.7f + 0.5f * static_cast<float>(corner));
            Graph g = graph();
            Bodies bodies = now.upload(g);
            bodies.low = {-31.0f, -12.0f, -25.0f};
            bodies.high = {40.0f, 17.0f, 29.0f};
            const glm::vec3 place(corner & 1 ? 40.0f : -31.0f, corner & 2 ? 17.0f : -12.0f,
                                  corner & 4 ? 29.0f : -25.0f);
            for (glm::vec4& at : now.places)
                at = glm::vec4(place, at.w);
            const Bodies there = now.upload(g);
            bodies.places = there.places;
            MoveNodes pass{.source = add_scene(g, "scene", pack_scene(SceneData(scene))),
                           .bodies = bodies,
                           .nodes = {"a", "b", "c"}};
            if (keeps_placement) pass.initial = before.upload(g);
            const Scene result = g.add(std::move(pass)).scene;
            const std::shared_ptr<const SceneData> data = result.data;
            g.output("transforms", result.transforms);
            const auto got = run(std::move(g)).buffer<SceneTransform>("transforms");
            ASSERT_EQ(got.size(), scene.transforms.size());
            EXPECT_EQ(data->draw_bounds[1].min, scene.draw_bounds[1].min) << "does not move";
            EXPECT_EQ(data->draw_bounds[1].max, scene.draw_bounds[1].max) << "does not move";
            for (const SceneDraw& draw : scene.draws) {
                const auto d = static_cast<std::size_t>(&draw - scene.draws.data());
                const Bounds& box = data->draw_bounds[d];
                for (std::uint32_t v = 0; v < draw.vertex_count; ++v) {
                    const glm::vec3 p(
                        got[draw.transform].world *
                        glm::vec4(scene.vertices[static_cast<std::size_t>(draw.vertex_offset) + v]
                                      .position,
                                  1.0f));
                    for (int axis = 0; axis < 3; ++axis) {
                        EXPECT_LE(box.min[axis], p[axis] + 1e-5f) << d << " corner " << corner;
                        EXPECT_GE(box.max[axis], p[axis] - 1e-5f) << d << " corner " << corner;
                        EXPECT_LE(data->bounds.min[axis], box.min[axis]);
                        EXPECT_GE(data->bounds.max[axis], box.max[axis]);
                    }
                }
                // A mesh is no longer than 4.5; boxes about turned boxes are larger.
                EXPECT_LT(box.max.x - box.min.x, 71.0f + 2.0f * 16.0f) << d;
            }
        }
    }
}

TEST_F(MoveNodesTest, FallingBodiesCarryTheirNodes) {
    const SceneData scene = named_scene({"a"});
    BodyList list;
    list.box(glm::vec3(0.5f), {.place = {0.0f, 50.0f, 0.0f}});
    Graph g = graph();
    const Bodies start = list.upload(g);
    Simulate pass = few(10);
    pass.dt = 0.01f;
    pass.initial = start;
    const Bodies now = g.add(pass).bodies;
    const Scene source = add_scene(g, "scene", pack_scene(SceneData(scene)));
    g.output("transforms",
             g.add(MoveNodes{.source = source, .bodies = now, .initial = start}).scene.transforms);
    Running running = run(std::move(g), 3);
    const auto got = running.buffer<SceneTransform>("transforms");
    ASSERT_EQ(got.size(), 1u);
    // Thirty steps of semi-implicit Euler: g dt^2 (1 + 2 + ... + 30).
    EXPECT_NEAR(got[0].world[3].y, -9.81 * 1e-4 * 465.0, 1e-3);
}

TEST_F(MoveNodesTest, NamesAndBodiesThatAreMissingAreNamed) {
    const SceneData scene = named_scene({"a", "b"});
    const auto codes = [&](MoveNodes pass, std::uint32_t bodies, std::uint32_t initial) {
        Graph g = graph();
        pass.source = add_scene(g, "scene", pack_scene(SceneData(scene)));
        pass.bodies = turned_boxes(bodies, 1.0f).upload(g);
        if (initial > 0) pass.initial = turned_boxes(initial, 1.0f).upload(g);
        (void)g.add(std::move(pass));
        return std::move(g).finish().diagnostics;
    };
    EXPECT_TRUE(codes({}, 2, 2).empty());
    const Diagnostics unknown = codes({.nodes = {"crate*"}}, 2, 0);
    ASSERT_EQ(unknown.size(), 1u);
    EXPECT_EQ(unknown[0].code, "bodies/no-such-node");
    EXPECT_THAT(unknown[0].hint, testing::HasSubstr("\"a\", \"b\""));
    for (const Diagnostics& few_bodies :
         {codes({}, 1, 0), codes({.first = 1}, 2, 0), codes({}, 2, 3)}) {
        ASSERT_EQ(few_bodies.size(), 1u);
        EXPECT_EQ(few_bodies[0].code, "bodies/too-few");
    }
}

} // namespace
} // namespace tuff
