// Models and scenes of several parts as assets of a config.

#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/scene.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace tuff {
namespace {

class ConfigModels : public testing::Test {
  protected:
    ConfigModels() : folder_(test::empty_folder()) {
        std::ofstream(folder_ / "square.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    }
    ~ConfigModels() override { std::filesystem::remove_all(folder_); }

    /// Builds a config whose only output is the draws of the asset.
    Result<ConfiguredGraph> build(std::string_view asset, std::string_view member = "draws") {
        const std::string text = "{\"tuff\": 1,\n \"assets\": {\"a\": " + std::string(asset) +
                                 "}, \"outputs\": {\"o\": \"a." + std::string(member) + "\"}}";
        Result<Config> config = Config::parse(text, folder_ / "test.json", registry_);
        if (!config) return propagate(std::move(config));
        return config->build(shaders_, assets_);
    }
    std::string error_of(std::string_view asset) {
        const auto built = build(asset);
        return built ? "" : built.error().front().code;
    }
    /// The elements of the asset's buffer.
    template <typename T>
    std::vector<T> elements(std::string_view asset, std::string_view member) {
        const auto built = build(asset, member);
        if (!built) {
            ADD_FAILURE() << to_string(built.error());
            return {};
        }
        for (const ResourceDesc& resource : built->graph.resources) {
            const std::string_view name = built->graph.name(resource.name);
            if (!name.ends_with("/" + std::string(member))) continue;
            std::vector<T> values(resource.contents->size() / sizeof(T));
            std::memcpy(values.data(), resource.contents->data(), values.size() * sizeof(T));
            return values;
        }
        ADD_FAILURE() << "no buffer " << member;
        return {};
    }

    std::filesystem::path folder_;
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

TEST_F(ConfigModels, AModelOfAnyKindFeedsAScene) {
    const auto draws = elements<SceneDraw>(R"({"model": "square.obj"})", "draws");
    ASSERT_EQ(draws.size(), 1u);
    EXPECT_EQ(draws[0].index_count, 6u);
    EXPECT_EQ(error_of(R"({"model": "none.obj"})"), "asset/not-found");
    std::ofstream(folder_ / "bad.ply") << "ply\n";
    EXPECT_EQ(error_of(R"({"model": "bad.ply"})"), "mesh/corrupt");
    EXPECT_EQ(error_of(R"({"gltf": "square.obj"})").substr(0, 5), "gltf/");
}

TEST_F(ConfigModels, PartsArePlacedByScaleThenRotationThenTranslation) {
    const std::string_view scene = R"({"scene": [
        {"plane": [2, 4]},
        {"model": "square.obj", "scale": 2, "rotate": [0, 90, 0], "translate": [1, 2, 3],
         "material": {"base_color": [1, 0.5, 0.25, 1], "metallic": 1, "roughness": 0.125}}]})";
    const auto draws = elements<SceneDraw>(scene, "draws");
    ASSERT_EQ(draws.size(), 2u);
    const auto transforms = elements<SceneTransform>(scene, "transforms");
    const glm::vec4 corner = transforms[draws[1].transform].world * glm::vec4(1, 1, 0, 1);
    EXPECT_NEAR(corner.x, 1.0f, 1e-6f);
    EXPECT_NEAR(corner.y, 4.0f, 1e-6f);
    EXPECT_NEAR(corner.z, 1.0f, 1e-6f);
    const auto materials = elements<SceneMaterial>(scene, "materials");
    EXPECT_EQ(materials[draws[1].material].base_color, glm::vec4(1, 0.5f, 0.25f, 1));
    EXPECT_EQ(materials[draws[1].material].roughness, 0.125f);
    const auto starts = elements<std::uint32_t>(scene, "starts");
    EXPECT_THAT(starts, testing::ElementsAre(0u, 0u, 4u, 2u));
}

TEST_F(ConfigModels, AnyOfTheFilesThatChangesLoadsTheSceneAnew) {
    const std::string_view scene =
        R"({"scene": [{"plane": [1, 1]}, {"model": "square.obj"}, {"model": "square.obj"}]})";
    ASSERT_EQ(error_of(scene), "");
    EXPECT_THAT(assets_.files(), testing::ElementsAre(folder_ / "square.obj"));
    EXPECT_FALSE(assets_.drop_changed());
    const auto time = std::filesystem::last_write_time(folder_ / "square.obj");
    std::filesystem::last_write_time(folder_ / "square.obj", time + std::chrono::seconds(2));
    EXPECT_TRUE(assets_.drop_changed());
}

TEST_F(ConfigModels, AnArcadeIsThatOfItsSeed) {
    const auto vertices = [&](std::string_view scene) {
        return elements<std::uint32_t>(scene, "vertices");
    };
    const auto one = vertices(R"({"scene": [{"arcade": 1}]})");
    EXPECT_GT(one.size(), 16u * 100'000u);
    EXPECT_EQ(vertices(R"({"scene": [{"arcade": 1}]})"), one);
    EXPECT_NE(vertices(R"({"scene": [{"arcade": 4294967295}]})"), one);
    EXPECT_EQ(error_of(R"({"scene": [{"arcade": -1}]})"), "config/out-of-range");
    EXPECT_EQ(error_of(R"({"scene": [{"arcade": 1, "plane": [1, 1]}]})"), "config/bad-asset");
}

TEST_F(ConfigModels, AKnotIsThatOfItsWindingsAndATreeThatOfItsSeed) {
    const auto vertices = [&](std::string_view scene) {
        return elements<std::uint32_t>(scene, "vertices");
    };
    for (const std::string_view shape : {"knot", "tree"}) {
        SCOPED_TRACE(shape);
        const auto scene = [&](int number) {
            return fmt::format(R"({{"scene": [{{"{}": {}}}]}})", shape, number);
        };
        const auto one = vertices(scene(3));
        EXPECT_GE(one.size(), 16u * 10'000u);
        EXPECT_EQ(vertices(scene(3)), one);
        EXPECT_NE(vertices(scene(4)), one);
        EXPECT_EQ(error_of(scene(-1)), "config/out-of-range");
    }
    EXPECT_EQ(error_of(R"({"scene": [{"knot": 2}]})"), "config/out-of-range");
    EXPECT_EQ(error_of(R"({"scene": [{"knot": 9}]})"), "config/out-of-range");
    EXPECT_EQ(error_of(R"({"scene": [{"knot": 3, "tree": 1}]})"), "config/bad-asset");
}

TEST_F(ConfigModels, WrongPartsAreReported) {
    EXPECT_EQ(error_of(R"({"scene": []})"), "config/wrong-type");
    EXPECT_EQ(error_of(R"({"scene": "square.obj"})"), "config/wrong-type");
    EXPECT_EQ(error_of(R"({"scene": [{}]})"), "config/bad-asset");
    EXPECT_EQ(error_of(R"({"scene": [{"plane": [1, 1], "model": "square.obj"}]})"),
              "config/bad-asset");
    EXPECT_EQ(error_of(R"({"scene": [{"plane": [0, 1]}]})"), "config/out-of-range");
    EXPECT_EQ(error_of(R"({"scene": [{"plane": [1, 1], "scale": -1}]})"), "config/out-of-range");
    EXPECT_EQ(error_of(R"({"scene": [{"plane": [1, 1], "scale": "big"}]})"), "config/wrong-type");
    EXPECT_EQ(error_of(R"({"scene": [{"plane": [1, 1], "size": 1}]})"), "config/unknown-key");
    EXPECT_EQ(error_of(R"({"scene": [{"plane": [1, 1], "material": {"metallic": 2}}]})"),
              "config/out-of-range");
    EXPECT_EQ(error_of(R"({"scene": [{"model": ""}]})"), "config/bad-file");
    EXPECT_EQ(error_of(R"({"scene": [{"plane": [1, 1]}], "gltf": "a.glb"})"), "config/bad-asset");
}

} // namespace
} // namespace tuff
