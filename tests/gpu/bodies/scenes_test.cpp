#include "passes/bodies/draw.hpp"
#include "passes/bodies/scene.hpp"
#include "tests/gpu/bodies/bodies_test.hpp"

#include <glm/geometric.hpp>

#include <cmath>

/// Scenes, what is wrong with them, and their pictures.
namespace tuff {
namespace {

using passes::BodyList;
using passes::DrawBodies;
using passes::MakeBodies;
using passes::ScenePreset;
using testing_gpu::BodyState;
using testing_gpu::Running;

class BodiesScenes : public testing_gpu::BodiesTest {
  protected:
    BodyList made(const MakeBodies& scene) {
        Graph g = graph();
        const auto list = passes::make_bodies(g, scene);
        EXPECT_TRUE(list);
        return list.value_or(BodyList{});
    }
    std::string code_of(const MakeBodies& scene) {
        Graph g = graph();
        g.add(scene);
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan || plan.error().empty() ? std::string() : plan.error()[0].code;
    }
};

TEST_F(BodiesScenes, HullsHaveTheMassOfTheirShape) {
    std::vector<glm::vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.emplace_back((i & 1) != 0 ? 3.0f : 1.0f, (i & 2) != 0 ? 4.0f : 0.0f,
                             (i & 4) != 0 ? 6.0f : 0.0f);
    corners.emplace_back(2.0f, 2.0f, 3.0f); // within
    const auto hull = passes::convex_hull(corners);
    ASSERT_TRUE(hull);
    EXPECT_EQ(hull->faces.size(), 6u);
    EXPECT_EQ(hull->vertices.size(), 8u);
    EXPECT_EQ(hull->directions.size(), 3u);
    EXPECT_NEAR(hull->mass.volume, 2.0 * 4.0 * 6.0, 1e-9);
    EXPECT_NEAR(glm::length(hull->mass.center - glm::dvec3(2.0, 2.0, 3.0)), 0.0, 1e-9);
    std::array<double, 3> inertia{hull->mass.inertia.x, hull->mass.inertia.y, hull->mass.inertia.z};
    std::ranges::sort(inertia);
    EXPECT_NEAR(inertia[0], 48.0 * (4.0 + 16.0) / 12.0, 1e-6);
    EXPECT_NEAR(inertia[1], 48.0 * (4.0 + 36.0) / 12.0, 1e-6);
    EXPECT_NEAR(inertia[2], 48.0 * (16.0 + 36.0) / 12.0, 1e-6);
}

TEST_F(BodiesScenes, TellWhatIsWrongWithThem) {
    EXPECT_EQ(code_of({.preset = ScenePreset::listed, .spheres = {1, 2, 3}}), "bodies/list-length");
    EXPECT_EQ(code_of({.preset = ScenePreset::listed, .boxes = std::vector<float>(11)}),
              "bodies/list-length");
    // Four points in a plane.
    EXPECT_EQ(code_of({.preset = ScenePreset::listed,
                       .hulls = {4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}}),
              "bodies/bad-hull");
    EXPECT_EQ(code_of({.preset = ScenePreset::listed, .hulls = {4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}}),
              "bodies/list-length");
    EXPECT_EQ(code_of({.preset = ScenePreset::stack, .count = 3}), "");
}

TEST_F(BodiesScenes, MassesAndMomentsThatAreNotPositiveAreMended) {
    BodyList list;
    list.sphere(0.5f, {.mass = -1.0f});
    list.sphere(0.5f, {.mass = std::numeric_limits<float>::quiet_NaN()});
    list.sphere(0.5f, {.mass = 0.0f});
    list.box(glm::vec3(0.5f), {});
    EXPECT_EQ(list.mended, 2u);
    list.set_inertia({-1.0f, 0.0f, 2.0f});
    EXPECT_EQ(list.mended, 4u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(list.places[i].w, 0.0f);
    EXPECT_EQ(list.shapes[3].inverse_inertia.z, 0.5f);
    EXPECT_EQ(list.shapes[3].inverse_inertia.x, 1.0f / (0.4f * 0.25f));
}

// Bad input: buffers that nobody has mended. Moments that are no numbers, negative or infinite are
// those of a sphere.
TEST_F(BodiesScenes, MomentsOnTheDeviceThatAreNoneAreThoseOfASphere) {
    BodyList list;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const glm::vec3 moments : {glm::vec3(nan, 1.0f, 1.0f), glm::vec3(-1.0f),
                                    glm::vec3(std::numeric_limits<float>::infinity())}) {
        list.sphere(0.5f, {.place = {3.0f * static_cast<float>(list.size()), 0.0f, 0.0f}});
        list.shapes.back().inverse_inertia = moments;
        // Hit off its middle, it turns as a good one does.
        list.sphere(0.25f, {.place = glm::vec3(list.places.back()) + glm::vec3(-0.9f, 0.2f, 0.0f),
                            .velocity = {4.0f, 0.0f, 0.0f}});
    }
    list.sphere(0.5f, {.place = {30.0f, 0.0f, 0.0f}});
    list.sphere(0.25f, {.place = {29.1f, 0.2f, 0.0f}, .velocity = {4.0f, 0.0f, 0.0f}});
    Simulate pass = few(20);
    pass.gravity = glm::vec3(0.0f);
    const BodyState state = simulated(list, pass);
    ASSERT_EQ(state.places.size(), 8u);
    EXPECT_GT(glm::length(state.motions[6].spin), 0.1f);
    EXPECT_EQ(state.status.reset, 0u);
    for (const std::size_t i : {0u, 2u, 4u})
        EXPECT_LT(glm::length(state.motions[i].spin - state.motions[6].spin), i == 0 ? 3.0f : 1e-4f)
            << i;
    EXPECT_TRUE(std::isfinite(glm::length(state.motions[0].spin)));
}

// Bad input: boxes that begin in one place come apart, and stay what they are.
TEST_F(BodiesScenes, BodiesThatBeginInOnePlaceComeApart) {
    BodyList list;
    list.plane({});
    for (int i = 0; i < 4; ++i)
        list.box(glm::vec3(0.25f), {.place = {0.0f, 0.3f, 0.0f}});
    const BodyState state = simulated(list, few(30), 10);
    ASSERT_EQ(state.places.size(), 5u);
    EXPECT_EQ(state.status.reset, 0u);
    for (std::size_t i = 1; i <= 4; ++i) {
        EXPECT_LT(glm::length(glm::vec3(state.places[i])), 10.0f) << i;
        EXPECT_GT(state.places[i].y, 0.2f) << i;
    }
    EXPECT_LT(state.status.penetration(), 0.05f);
}

// The six scenes of the chapter: as many bodies, and pairs that touch to one per cent.
TEST_F(BodiesScenes, OfTheChapterHaveItsBodiesAndPairs) {
    struct Chapter {
        ScenePreset preset;
        std::uint32_t count, rows, copies, bodies, pairs;
    };
    const std::array chapter{Chapter{ScenePreset::wall, 8, 2, 80, 1200, 1763},
                             Chapter{ScenePreset::terrace, 3, 0, 416, 6240, 13203},
                             Chapter{ScenePreset::wall, 40, 4, 80, 12640, 21904},
                             Chapter{ScenePreset::wall, 60, 4, 80, 19040, 33209},
                             Chapter{ScenePreset::ring, 24, 4, 100, 9600, 16684},
                             Chapter{ScenePreset::ring, 24, 4, 400, 38400, 67263}};
    for (const Chapter& c : chapter) {
        MakeBodies scene{.preset = c.preset, .count = c.count, .rows = c.rows, .copies = c.copies};
        if (c.preset == ScenePreset::wall) scene.gap = 0.006f;
        const BodyList all = made(scene);
        EXPECT_EQ(all.size(), c.bodies + 1);
        // A part of the copies says what all have: they do not touch each other.
        const std::uint32_t part = c.preset == ScenePreset::terrace ? 16 : 4;
        scene.copies = part;
        const BodyList list = made(scene);
        Simulate pass{.margin = 0.002f, .split = {16, 1, 16}};
        const BodyState state = simulated(list, pass);
        const double pairs = double(state.status.contacts) * c.copies / part;
        EXPECT_NEAR(pairs, c.pairs, 0.01 * c.pairs) << c.bodies;
        EXPECT_EQ(state.status.lost_pairs, 0u);
    }
}

TEST_F(BodiesScenes, BodiesThatBeginInEachOtherPartSlowly) {
    BodyList list;
    list.plane({});
    for (int i = 0; i < 8; ++i)
        list.box(glm::vec3(0.5f),
                 {.place = {0.1f * static_cast<float>(i), 0.6f, 0.05f * static_cast<float>(i)}});
    Simulate pass = few(30);
    const BodyState state = simulated(list, pass, 6);
    EXPECT_LT(state.status.penetration(), 0.05f);
    for (std::size_t i = 1; i <= 8; ++i) {
        EXPECT_LT(glm::length(glm::vec3(state.places[i])), 25.0f) << i;
        EXPECT_GT(state.places[i].y, 0.3f) << i;
    }
}

// Everything of every kind, on a floor, hills and in a bowl, comes to lie on or in it.
TEST_F(BodiesScenes, BlocksOfAllKindsComeToRest) {
    TUFF_ONLY_ON(lavapipe);
    for (const ScenePreset preset : {ScenePreset::grid, ScenePreset::terrain, ScenePreset::bowl}) {
        const BodyList list = made({.preset = preset, .count = 27, .seed = 4, .floor = true});
        Simulate pass{.steps = 30, .split = glm::uvec3(1)};
        pass.damping = 0.2f;
        const BodyState state = simulated(list, pass, 6);
        ASSERT_EQ(state.places.size(), list.size());
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list.places[i].w > 0.0f) {
                EXPECT_GT(state.places[i].y, 0.0f) << static_cast<int>(preset) << " " << i;
                EXPECT_LT(glm::length(state.motions[i].velocity), 3.0f)
                    << static_cast<int>(preset) << " " << i;
            }
        EXPECT_LT(state.status.penetration(), 0.08f) << static_cast<int>(preset);
        EXPECT_GT(state.status.contacts, 20u) << static_cast<int>(preset);
    }
}

TEST_F(BodiesScenes, PicturesShowBodiesWhereTheyAre) {
    for (const passes::BodyColor color : {passes::BodyColor::body, passes::BodyColor::set,
                                          passes::BodyColor::batch, passes::BodyColor::sleep}) {
        Graph g = graph();
        BodyList list;
        list.plane({});
        list.sphere(1.0f, {.place = {0.0f, 0.999f, 0.0f},
                           .mass = color == passes::BodyColor::body ? 0.0f : 1.0f});
        Simulate pass = few(1);
        pass.initial = list.upload(g);
        const Simulate done = g.add(pass);
        DrawBodies draw{.bodies = done.bodies, .contacts = done.contacts, .batches = done.batches};
        draw.width = 64;
        draw.height = 64;
        draw.smooth = false;
        draw.shadows = 256;
        draw.color = color;
        draw.camera.mode = passes::CameraMode::free;
        draw.camera.position = {0.0f, 1.0f, 8.0f};
        draw.camera.target = {0.0f, 1.0f, 0.0f};
        draw.camera.vertical_fov = 30.0f;
        Graph& graph_ref = g;
        g.output("picture", graph_ref.add(draw).result);
        const HostImage picture = run(std::move(g)).image("picture");
        ASSERT_FALSE(picture.empty());
        // The disc of a ball of radius 1 at distance 8, in 64 rows of 30 degrees.
        const double radius = std::tan(std::asin(1.0 / 8.0)) / std::tan(0.2617993877991494) * 32.0;
        const auto differs = [&](int x, int y) {
            const auto a =
                picture.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            const auto b = picture.texel(2, static_cast<std::uint32_t>(y));
            return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) > 0.02f;
        };
        EXPECT_TRUE(differs(32, 20));
        EXPECT_TRUE(differs(32 + static_cast<int>(radius) - 2, 31));
        EXPECT_TRUE(differs(32 - static_cast<int>(radius) + 2, 31));
        EXPECT_FALSE(differs(32 + static_cast<int>(radius) + 3, 25));
    }
}

TEST_F(BodiesScenes, PicturesShowTheRodsOfJoints) {
    Graph g = graph();
    BodyList list;
    list.sphere(0.05f, {.place = {0.0f, 2.0f, 0.0f}, .mass = 0.0f});
    list.sphere(0.2f, {.place = {0.0f, 0.0f, 0.0f}});
    list.joint(passes::JointKind::ball, 0, 1, {0.0f, 2.0f, 0.0f});
    DrawBodies draw{.bodies = list.upload(g), .width = 65, .height = 65, .smooth = false};
    draw.floor = false;
    draw.shadows = 64;
    draw.camera.mode = passes::CameraMode::free;
    draw.camera.position = {0.0f, 1.0f, 4.0f};
    draw.camera.target = {0.0f, 1.0f, 0.0f};
    g.output("picture", g.add(draw).result);
    const HostImage picture = run(std::move(g)).image("picture");
    ASSERT_FALSE(picture.empty());
    EXPECT_LT(picture.texel(32, 32)[1], 0.1f);
    EXPECT_GT(picture.texel(40, 32)[1], 0.3f);
}

TEST_F(BodiesScenes, PicturesOfSetsNeedBatches) {
    Graph g = graph();
    BodyList list;
    list.sphere(1.0f, {});
    g.add(DrawBodies{.bodies = list.upload(g), .color = passes::BodyColor::set});
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error()[0].code, "bodies/no-batches");
}

} // namespace
} // namespace tuff
