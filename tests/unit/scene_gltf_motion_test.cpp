#include "tests/common/animated_model.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/scene.hpp>
#include <tuff/scene_motion.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

/// What the reader of glTF makes of animations, skins and morph targets that are sound, and of
/// those that are not.
namespace tuff {
namespace {

using test::AnimatedModel;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class GltfMotion : public testing::Test {
  protected:
    void SetUp() override { folder_ = test::empty_folder(); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Result<SceneData> load(const AnimatedModel& model) const {
        return load_gltf(model.write(folder_));
    }
    /// The one error of a model that `spoil` has changed.
    Diagnostic error_of(const std::function<void(AnimatedModel&)>& spoil) const {
        AnimatedModel model = test::random_model(1);
        spoil(model);
        const auto scene = load(model);
        EXPECT_FALSE(scene);
        if (scene) return {};
        EXPECT_EQ(scene.error().size(), 1u);
        EXPECT_TRUE(scene.error().front().where.known());
        return scene.error().front();
    }

  private:
    std::filesystem::path folder_;
};

AnimatedModel::Channel& first_of(AnimatedModel& model, const std::string& path) {
    for (AnimatedModel::Channel& channel : model.clips.front().channels)
        if (channel.path == path && channel.times.size() > 1) return channel;
    ADD_FAILURE() << "no channel moves " << path;
    return model.clips.front().channels.front();
}

TEST_F(GltfMotion, ASoundFileGivesClipsJointsAndTargets) {
    const AnimatedModel model = test::random_model(1);
    const auto scene = load(model);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_TRUE(scene->warnings.empty()) << to_string(scene->warnings);
    ASSERT_TRUE(scene->motion);
    const SceneMotion& motion = *scene->motion;
    ASSERT_EQ(motion.clips.size(), 2u);
    EXPECT_EQ(motion.clips[0].name, "one");
    EXPECT_EQ(motion.nodes.size(), model.nodes.size());
    for (std::size_t i = 0; i < motion.nodes.size(); ++i)
        EXPECT_LT(motion.nodes[i].parent, static_cast<std::int32_t>(i));
    EXPECT_EQ(motion.joints.size(), model.skins[0].joints.size());
    EXPECT_EQ(motion.weight_groups, 3u);
    EXPECT_EQ(motion.weights.size(), 3u + 2u + 3u);
    EXPECT_EQ(motion.places.size(), scene->transforms.size());
    EXPECT_EQ(scene->transforms.size(), scene->draws.size() + 1) << "that of the file";
    // The morphed mesh is shown twice, each with vertices of its own; the rigid one shares them.
    EXPECT_EQ(motion.ranges.size(), 5u);
    EXPECT_EQ(scene->vertices.size(), 60u * 6u);
}

TEST_F(GltfMotion, AFileWithoutAnyHasNone) {
    AnimatedModel model = test::random_model(1);
    model.clips.clear();
    model.skins.clear();
    for (AnimatedModel::Mesh& mesh : model.meshes)
        mesh.targets.clear(), mesh.target_weights.clear();
    for (AnimatedModel::Node& node : model.nodes)
        node.skin = -1;
    const auto scene = load(model);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_FALSE(scene->motion);
    EXPECT_EQ(scene->transforms.size(), scene->draws.size());
}

TEST_F(GltfMotion, KeysThatAreNotNumbersAreRefused) {
    for (const float bad : {kNan, std::numeric_limits<float>::infinity()}) {
        EXPECT_EQ(error_of([&](auto& m) { first_of(m, "rotation").values[1] = bad; }).code,
                  "gltf/not-finite");
        EXPECT_EQ(error_of([&](auto& m) { first_of(m, "translation").times[1] = bad; }).code,
                  "gltf/not-finite");
    }
}

TEST_F(GltfMotion, TimesThatDoNotIncreaseAreRefused) {
    const Diagnostic equal = error_of([](auto& m) {
        auto& times = first_of(m, "translation").times;
        times[1] = times[0];
    });
    EXPECT_EQ(equal.code, "gltf/animation");
    EXPECT_THAT(equal.message, testing::HasSubstr("animation 0 'one'"));
    EXPECT_THAT(equal.message, testing::HasSubstr("do not increase"));
    EXPECT_EQ(error_of([](auto& m) { first_of(m, "scale").times[1] = -1.0f; }).code,
              "gltf/animation");
}

TEST_F(GltfMotion, ChannelsOfTheWrongShapeAreRefused) {
    EXPECT_EQ(error_of([](auto& m) { first_of(m, "translation").times.pop_back(); }).code,
              "gltf/animation");
    EXPECT_EQ(error_of([](auto& m) { first_of(m, "scale").interpolation = "SMOOTH"; }).code,
              "gltf/animation");
    EXPECT_EQ(error_of([](auto& m) {
                  auto& channel = first_of(m, "rotation");
                  channel.interpolation = "LINEAR";
                  channel.values.assign(4 * channel.times.size(), 0.0f);
              }).code,
              "gltf/animation")
        << "a rotation of length 0";
}

TEST_F(GltfMotion, JointsOutOfRangeAreRefused) {
    const Diagnostic found = error_of([](auto& m) { m.meshes[0].joints[7][2] = 200; });
    EXPECT_EQ(found.code, "gltf/index-out-of-range");
    EXPECT_THAT(found.message, testing::HasSubstr("vertex 7 follows joint 200"));
    // Where its weight is 0, nobody follows it.
    AnimatedModel model = test::random_model(1);
    model.meshes[0].joints[7] = {0, 1, 2, 200, 0, 0, 0, 0};
    model.meshes[0].weights[7] = {0.5f, 0.25f, 0.25f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    EXPECT_TRUE(load(model));
}

TEST_F(GltfMotion, SkinsWithoutJointsOrWithTooFewMatricesAreRefused) {
    EXPECT_EQ(error_of([](auto& m) { m.skins[0].joints.clear(); }).code, "gltf/skin");
    EXPECT_EQ(error_of([](auto& m) { m.skins[0].inverse_bind.pop_back(); }).code, "gltf/skin");
    EXPECT_EQ(error_of([](auto& m) { m.skins[0].inverse_bind[0][5] = kNan; }).code,
              "gltf/not-finite");
    EXPECT_EQ(error_of([](auto& m) { m.nodes[12].skin = 3; }).code, "gltf/schema");
    AnimatedModel bare = test::random_model(1);
    bare.skins[0].inverse_bind.clear();
    const auto scene = load(bare);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->motion->joints[0].inverse_bind[1], glm::vec4(0, 1, 0, 0));
}

TEST_F(GltfMotion, WeightsAreScaledToTheSumOneAndThatIsSaidOnce) {
    AnimatedModel model = test::random_model(1);
    for (std::size_t v = 0; v < 10; ++v)
        for (float& weight : model.meshes[0].weights[v])
            weight *= 3.0f;
    model.meshes[0].weights[10].fill(0.0f);
    const auto scene = load(model);
    ASSERT_TRUE(scene) << to_string(scene.error());
    ASSERT_EQ(scene->warnings.size(), 1u);
    EXPECT_EQ(scene->warnings[0].code, "gltf/joint-weights");
    EXPECT_THAT(scene->warnings[0].message, testing::HasSubstr("11 vertices"));
    const MotionRange& range = *std::ranges::find_if(
        scene->motion->ranges, [](const MotionRange& r) { return r.influence_sets == 1; });
    for (std::size_t v = 0; v < range.vertex_count; ++v) {
        float sum = 0.0f;
        for (std::size_t i = 0; i < 4; ++i)
            sum += std::bit_cast<float>(
                scene->motion->influences[range.first_influence + 6 * v + 2 + i]);
        EXPECT_NEAR(sum, 1.0f, 1e-6f) << v;
    }
}

TEST_F(GltfMotion, AClipOfOneKeyHasNoLengthAndLoads) {
    AnimatedModel model = test::random_model(1);
    model.clips[0].channels.resize(1);
    model.clips[0].channels[0] = {.node = 0,
                                  .path = "translation",
                                  .interpolation = "LINEAR",
                                  .times = {0.0f},
                                  .values = {1.0f, 2.0f, 3.0f}};
    const auto scene = load(model);
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->motion->clips[0].duration, 0.0f);
}

TEST_F(GltfMotion, ChainsThatKernelsWouldWalkForEverAreRefused) {
    EXPECT_EQ(error_of([](AnimatedModel& m) {
                  for (int i = 0; i < 1100; ++i)
                      m.nodes.push_back({.parent = static_cast<int>(m.nodes.size()) - 1});
              }).code,
              "gltf/too-large");
}

} // namespace
} // namespace tuff
