#include "passes/bodies/scene.hpp"
#include "tests/gpu/bodies/bodies_test.hpp"

#include <glm/geometric.hpp>

#include <cmath>
#include <cstring>
#include <limits>

/// What graph configs say of bodies: joints as texts, and ground from pictures and volumes.
namespace tuff {
namespace {

using passes::BodyList;
using passes::JointKind;
using passes::JointRecord;
using passes::MakeBodies;
using passes::ScenePreset;
using testing_gpu::BodyState;
using testing_gpu::Running;

class BodiesLists : public testing_gpu::BodiesTest {
  protected:
    /// Two still boxes and two balls: bodies 0 to 3.
    static MakeBodies with_joints(std::vector<std::string> joints) {
        return {.preset = ScenePreset::listed,
                .floor = false,
                .spheres = {0, 3, 0, 0, 0, 0, 0, 0.1f, 4, 3, 0, 0, 0, 0, 0, 0.1f,
                            1, 3, 0, 1, 0, 0, 0, 0.1f, 5, 3, 0, 1, 0, 0, 0, 0.1f},
                .joints = std::move(joints)};
    }
    /// In layers above the origin.
    static MakeBodies balls_and_rods() {
        MakeBodies scene{.preset = ScenePreset::listed, .floor = false};
        for (int i = 0; i < 8; ++i) {
            const float x = 0.5f * static_cast<float>(i % 2) - 0.25f;
            const float y = 0.6f + 0.5f * static_cast<float>(i / 4);
            const float z = 0.5f * static_cast<float>(i / 2 % 2) - 0.2f;
            if (i % 3 == 0)
                scene.capsules.insert(scene.capsules.end(), {x, y, z, 1, 0, 0, 0, 0.1f, 0.15f});
            else
                scene.spheres.insert(scene.spheres.end(), {x, y, z, 1, 0, 0, 0, 0.24f});
        }
        return scene;
    }
    std::string code_of(const MakeBodies& scene) {
        Graph g = graph();
        g.add(scene);
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan || plan.error().empty() ? std::string() : plan.error()[0].code;
    }
    static Image image_of(Graph& g, Extent extent, ImageShape shape,
                          const std::vector<float>& values) {
        auto bytes = std::make_shared<std::vector<std::byte>>(values.size() * sizeof(float));
        std::memcpy(bytes->data(), values.data(), bytes->size());
        return g.constant_image(
            "ground", {.format = Format::r32_sfloat, .extent = extent, .shape = shape}, bytes);
    }
    /// The state after some steps of what a scene makes, and its ground.
    BodyState after(Graph g, const passes::Bodies& bodies, std::vector<std::string>& warnings) {
        Simulate pass = few(10);
        pass.initial = bodies;
        output(g, g.add(pass));
        Running running = run(std::move(g));
        if (!running) return {};
        const auto all = running->warnings();
        EXPECT_TRUE(all);
        for (const Diagnostic& warning : all.value_or(Diagnostics{}))
            warnings.push_back(warning.code);
        return state_of(running);
    }
    /// What `scene` makes in `g` moves as the bodies of `list` do, to the bit and without a
    /// warning.
    void expect_as_of(const BodyList& list, Graph host, const MakeBodies& scene, Graph g) {
        std::vector<std::string> warnings;
        const passes::Bodies on_host = list.upload(host);
        const BodyState expected = after(std::move(host), on_host, warnings);
        const passes::Bodies bodies = g.add(scene).bodies;
        const BodyState state = after(std::move(g), bodies, warnings);
        ASSERT_EQ(state.places.size(), list.size());
        EXPECT_EQ(state.places, expected.places);
        EXPECT_EQ(state.turns, expected.turns);
        EXPECT_GT(state.status.contacts, 3u);
        EXPECT_EQ(warnings, std::vector<std::string>{});
    }
};

TEST_F(BodiesLists, TextsAreTheJointsThatTheyDescribe) {
    const MakeBodies scene = with_joints(
        {"ball 0 2 at 0.5 3 0", "hinge 1 3 limits -0.5 1 axis 0 0 2 motor 2 100 at 4, 3, 0",
         "slider 2 3 axis 1 0 0"});
    Graph g = graph();
    const auto made = passes::make_bodies(g, scene);
    ASSERT_TRUE(made);
    MakeBodies without = scene;
    without.joints.clear();
    auto expected = passes::make_bodies(g, without);
    ASSERT_TRUE(expected);
    expected->joint(JointKind::ball, 0, 2, {0.5f, 3.0f, 0.0f});
    JointRecord& hinge =
        expected->joint(JointKind::hinge, 1, 3, {4.0f, 3.0f, 0.0f}, {0.0f, 0.0f, 1.0f});
    hinge.parts = 3;
    hinge.low = -0.5f;
    hinge.high = 1.0f;
    hinge.speed = 2.0f;
    hinge.strength = 100.0f;
    expected->joint(JointKind::slider, 2, 3, {5.0f, 3.0f, 0.0f}, {1.0f, 0.0f, 0.0f});
    ASSERT_EQ(made->joints.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(std::memcmp(&made->joints[i], &expected->joints[i], sizeof(JointRecord)), 0) << i;
    EXPECT_EQ(made->largest, expected->largest);
    // The ball hangs from its point.
    std::vector<std::string> warnings;
    Graph hung = graph();
    const passes::Bodies bodies = hung.add(with_joints({"ball 0 2 at 0 3 0"})).bodies;
    const BodyState state = after(std::move(hung), bodies, warnings);
    ASSERT_EQ(state.places.size(), 4u);
    EXPECT_NEAR(glm::length(glm::vec3(state.places[2]) - glm::vec3(0.0f, 3.0f, 0.0f)), 1.0f, 0.01f);
    EXPECT_LT(state.places[2].y, 2.95f);
}

// Bad input: texts that are no joints.
TEST_F(BodiesLists, SayWhatIsWrongWithAJoint) {
    for (const char* text : {"",
                             "weld 0 2",
                             "ball",
                             "ball 0",
                             "ball 0 x",
                             "ball 2 2",
                             "ball 0 4",
                             "ball 0 -1",
                             "ball 0 4294967296",
                             "ball 0 1",
                             "ball 0 2 at 1 2",
                             "ball 0 2 at nan 0 0",
                             "ball 0 2 at inf 0 0",
                             "ball 0 2 at 1e50 0 0",
                             "ball 0 2 axis 0 1 0",
                             "hinge 0 2 axis 0 0 0",
                             "hinge 0 2 limits 1 -1",
                             "hinge 0 2 motor 1 -1",
                             "hinge 0 2 limits 0",
                             "hinge 0 2 at 0 0 0 at 0 0 0",
                             "hinge 0 2 twist 1"})
        EXPECT_EQ(code_of(with_joints({text})), "bodies/joint-list") << text;
    EXPECT_EQ(code_of(with_joints({"hinge 2 3"})), "");
    MakeBodies scene = with_joints({});
    scene.spheres[1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(code_of(scene), "pass/out-of-range");
}

// The same ground from the device and from the host: the same bits.
TEST_F(BodiesLists, HeightsFromAPictureAreThoseOfTheHost) {
    constexpr std::uint32_t kSide = 17;
    std::vector<float> values;
    for (std::uint32_t i = 0; i < kSide * kSide; ++i)
        values.push_back(0.25f * std::sin(0.9f * static_cast<float>(i % kSide)) +
                         0.02f * static_cast<float>(i / kSide));
    values[3] = 0.6f; // the highest
    MakeBodies scene = balls_and_rods();
    scene.heights_ground = {
        .position = {0.0f, -0.2f, 0.1f}, .size = {8.0f, 6.0f}, .scale = 2.0f, .highest = 1.2f};
    Graph host = graph();
    auto list = passes::make_bodies(host, scene);
    ASSERT_TRUE(list);
    std::vector<float> metres = values;
    for (float& value : metres)
        value *= 2.0f;
    list->heights({kSide, kSide}, {8.0f, 6.0f}, metres,
                  {.place = {0.0f, -0.2f, 0.1f}, .mass = 0.0f});

    Graph g = graph();
    scene.heights = image_of(g, {kSide, kSide}, ImageShape::d2, values);
    expect_as_of(*list, std::move(host), scene, std::move(g));
}

TEST_F(BodiesLists, AFieldFromAVolumeIsThatOfTheHost) {
    constexpr glm::uvec3 kPoints(11, 12, 13);
    std::vector<float> texels; // distances to a ball, in texels
    for (std::uint32_t i = 0; i < kPoints.x * kPoints.y * kPoints.z; ++i) {
        const glm::vec3 at(i % kPoints.x, i / kPoints.x % kPoints.y, i / (kPoints.x * kPoints.y));
        texels.push_back(glm::length(at - 0.5f * glm::vec3(kPoints - 1u)) - 4.0f);
    }
    MakeBodies scene = balls_and_rods();
    scene.field_ground = {.position = {0.1f, -0.5f, 0.0f}, .spacing = 0.25f};
    Graph host = graph();
    auto list = passes::make_bodies(host, scene);
    ASSERT_TRUE(list);
    std::vector<float> metres = texels;
    for (float& value : metres)
        value *= 0.25f;
    list->distances(kPoints, 0.25f, metres, {.place = {0.1f, -0.5f, 0.0f}, .mass = 0.0f});

    Graph g = graph();
    scene.field = image_of(g, {kPoints.x, kPoints.y, kPoints.z}, ImageShape::d3, texels);
    expect_as_of(*list, std::move(host), scene, std::move(g));
}

// Bad input: ground of the wrong kind, and with numbers that are none.
TEST_F(BodiesLists, SayWhatIsWrongWithTheGround) {
    const auto code_with = [&](Extent extent, ImageShape shape, bool deep, Format format) {
        Graph g = graph();
        const Image image = g.image("ground", {.format = format, .extent = extent, .shape = shape});
        MakeBodies scene{.preset = ScenePreset::listed};
        (deep ? scene.field : scene.heights) = g.clear(image, {});
        g.add(scene);
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.empty() ? std::string() : desc.diagnostics[0].code;
    };
    constexpr Format kFloat = Format::r32_sfloat;
    EXPECT_EQ(code_with({8, 8}, ImageShape::d2, false, kFloat), "");
    EXPECT_EQ(code_with({8, 8, 8}, ImageShape::d3, true, kFloat), "");
    EXPECT_EQ(code_with({8, 8, 8}, ImageShape::d3, false, kFloat), "bodies/bad-ground");
    EXPECT_EQ(code_with({8, 8}, ImageShape::d2, true, kFloat), "bodies/bad-ground");
    EXPECT_EQ(code_with({8, 8}, ImageShape::d2, false, Format::r32_uint), "bodies/bad-ground");
    EXPECT_EQ(code_with({8, 1}, ImageShape::d2, false, kFloat), "bodies/bad-ground");
    EXPECT_EQ(code_with({8192, 8192}, ImageShape::d2, false, kFloat), "bodies/bad-ground");

    std::vector<float> values(25, 0.0f);
    values[12] = std::numeric_limits<float>::quiet_NaN(); // where the ball lies
    values[7] = -std::numeric_limits<float>::infinity();
    values[0] = 11.0f;
    Graph g = graph();
    MakeBodies scene{
        .preset = ScenePreset::listed, .floor = false, .spheres = {0, 0.5f, 0, 1, 0, 0, 0, 0.5f}};
    scene.heights = image_of(g, {5, 5}, ImageShape::d2, values);
    const passes::Bodies bodies = g.add(scene).bodies;
    std::vector<std::string> warnings;
    const BodyState state = after(std::move(g), bodies, warnings);
    EXPECT_EQ(warnings,
              (std::vector<std::string>{"bodies/ground-not-finite", "bodies/ground-too-high"}));
    EXPECT_NEAR(state.places[0].y, 0.5f, 0.01f);
}

} // namespace
} // namespace tuff
