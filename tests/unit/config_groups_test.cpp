// Parameters that several passes take together.

#include "config_toys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tuff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class ConfigGroups : public testing::Test {
  protected:
    /// A config with two nodes; `groups` and the camera of the second are given.
    Result<Config> parse(std::string_view groups, std::string_view second = R"("$eye")") {
        return Config::parse(R"({"tuff": 1, "groups": )" + std::string(groups) +
                                 R"(, "params": {"half": 0.5},
 "assets": {"a": {"generate": "checker"}},
 "nodes": {"x": {"pass": "toy/blur", "in": {"source": "a"}, "params": {"label": "x", "camera": "$eye"}},
           "y": {"pass": "toy/blur", "in": {"source": "x.result"}, "params": {"label": "y", "camera": )" +
                                 std::string(second) + R"(}}},
 "outputs": {"o": "y.result"}})",
                             "test.json", registry_);
    }
    std::string mistakes(std::string_view groups, std::string_view second = R"("$eye")") {
        const auto config = parse(groups, second);
        if (!config) return to_string(config.error());
        AssetCache assets;
        const auto built = config->build(shaders_, assets);
        return built ? "" : to_string(built.error());
    }
    /// The angles of both nodes.
    std::vector<float> angles(const Config& config, FrameTime frame = {}) {
        AssetCache assets;
        toys::built_blurs().clear();
        const auto built = config.build(shaders_, assets, frame);
        EXPECT_TRUE(built) << (built ? "" : to_string(built.error()));
        std::vector<float> angles;
        for (const auto& [label, blur] : toys::built_blurs())
            angles.push_back(blur.camera.angle);
        return angles;
    }

    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
};

TEST_F(ConfigGroups, AllPassesTakeIt) {
    const auto config = parse(R"({"eye": {"angle": 40}})");
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_THAT(angles(*config), ElementsAre(40.0f, 40.0f));
}

TEST_F(ConfigGroups, ItsMembersAreSetComputedAndMoved) {
    auto config = parse(R"({"eye": {"angle": "=20+100*$half+$frame"}})");
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_TRUE(config->animated());
    EXPECT_THAT(angles(*config, {.frame = 3}), ElementsAre(73.0f, 73.0f));
    ASSERT_TRUE(config->set("half", "0.1"));
    EXPECT_THAT(angles(*config), ElementsAre(30.0f, 30.0f));
    ASSERT_TRUE(config->set("eye.angle", "90"));
    EXPECT_THAT(angles(*config, {.frame = 3}), ElementsAre(90.0f, 90.0f));
    ASSERT_TRUE(config->set("y.camera.angle", "15"));
    EXPECT_THAT(angles(*config), ElementsAre(90.0f, 15.0f));
}

TEST_F(ConfigGroups, ExpressionsNameItsMembers) {
    const auto config = parse(R"({"eye": {"angle": 40}})", R"({"angle": "=$eye.angle/2+1.5"})");
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_THAT(angles(*config), ElementsAre(40.0f, 21.5f));
}

TEST_F(ConfigGroups, MistakesAreToldWhereTheyStand) {
    EXPECT_THAT(mistakes(R"({"eye": {"angel": 40}})"),
                AllOf(HasSubstr("config/unknown-parameter"), HasSubstr("camera.angel")));
    EXPECT_THAT(mistakes(R"({"eye": {"angle": 400}})"), HasSubstr("pass/out-of-range"));
    EXPECT_THAT(mistakes(R"({"eye": {"angle": 40}})", R"("$ear")"), HasSubstr("test.json:4"));
    EXPECT_THAT(mistakes(R"({"eye": 3})"),
                AllOf(HasSubstr("config/wrong-type"), HasSubstr("must be an object")));
    EXPECT_THAT(mistakes(R"({"eye": {"angle": 40}, "half": {"angle": 1}})"),
                AllOf(HasSubstr("config/bad-name"), HasSubstr("\"half\"")));
    EXPECT_THAT(mistakes(R"({"eye": {"angle": "$eye.angle"}})"), HasSubstr("config/"));
    EXPECT_THAT(mistakes(R"({"eye": {"angle": "=1+"}})"), HasSubstr("config/bad-expression"));
}

} // namespace
} // namespace tuff
