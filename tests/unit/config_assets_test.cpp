#include "config/build/generated_image.hpp"
#include "config_toys.hpp"
#include "core/format_module.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/image.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tuff {
namespace {

class ConfigAssets : public testing::Test {
  protected:
    ConfigAssets() : folder_(test::empty_folder()) {}

    /// Builds a config whose only output is the asset.
    Result<ConfiguredGraph> build(std::string_view asset) {
        const std::string text = "{\"tuff\": 1,\n \"assets\": {\"a\": " + std::string(asset) +
                                 "}, \"outputs\": {\"o\": \"a\"}}";
        Result<Config> config = Config::parse(text, folder_ / "test.json", registry_);
        if (!config) return propagate(std::move(config));
        return config->build(shaders_, assets_);
    }
    const ResourceDesc& only_resource(const Result<ConfiguredGraph>& built) {
        if (!built) throw std::runtime_error(to_string(built.error()));
        return built->graph.resources.at(0);
    }

    std::filesystem::path folder_;
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

TEST_F(ConfigAssets, AnImageFileBecomesAConstant) {
    HostImage image = make_image(Format::rgba8_unorm, {3, 2, 1});
    image.set_texel({1, 0, 0, 1}, 2, 1);
    ASSERT_TRUE(save_image(folder_ / "x.png", image));
    const auto built = build(R"({"image": "x.png", "srgb": true})");
    const ResourceDesc& resource = only_resource(built);
    EXPECT_EQ(resource.lifetime, Lifetime::constant);
    EXPECT_EQ(resource.image().format, Format::rgba8_srgb);
    EXPECT_EQ(resource.image().extent, (Extent{3, 2, 1}));
    EXPECT_EQ(*resource.contents, image.texels);
    EXPECT_THAT(assets_.files(), testing::ElementsAre(folder_ / "x.png"));
}

TEST_F(ConfigAssets, BuildingAgainSharesTheBytesUntilTheFileChanges) {
    ASSERT_TRUE(save_image(folder_ / "x.png", make_image(Format::rgba8_unorm, {2, 2, 1})));
    const auto first = only_resource(build(R"({"image": "x.png"})")).contents;
    EXPECT_EQ(first, only_resource(build(R"({"image": "x.png"})")).contents);
    EXPECT_FALSE(assets_.drop_changed());
    const auto time = std::filesystem::last_write_time(folder_ / "x.png");
    std::filesystem::last_write_time(folder_ / "x.png", time + std::chrono::seconds(2));
    EXPECT_TRUE(assets_.drop_changed());
    EXPECT_NE(first, only_resource(build(R"({"image": "x.png"})")).contents);
}

TEST_F(ConfigAssets, AVolumeIsThreeDimensional) {
    ASSERT_TRUE(save_image(folder_ / "v.npy", make_image(Format::r32_sfloat, {4, 3, 2})));
    const auto built = build(R"({"volume": "v.npy"})");
    const ResourceDesc& resource = only_resource(built);
    EXPECT_EQ(resource.image().shape, ImageShape::d3);
    EXPECT_EQ(resource.image().extent, (Extent{4, 3, 2}));
}

TEST_F(ConfigAssets, FailuresToLoadStandAtTheAsset) {
    const auto built = build(R"({"image": "none.png"})");
    ASSERT_FALSE(built.has_value());
    EXPECT_EQ(built.error()[0].code, "asset/not-found");
    EXPECT_EQ(built.error()[0].where.line, 2);
    EXPECT_EQ(built.error()[0].where.column, 18);
}

TEST_F(ConfigAssets, EqualAssetsEnterTheGraphOnce) {
    const Result<Config> config = Config::parse(R"({"tuff": 1,
        "assets": {"a": {"generate": "noise"}, "b": {"generate": "noise"},
                   "c": {"generate": "noise", "seed": 2}},
        "outputs": {"x": "a", "y": "b", "z": "c"}})",
                                                "test.json", registry_);
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    const auto built = config->build(shaders_, assets_);
    ASSERT_TRUE(built.has_value()) << to_string(built.error());
    // Each output is a copy, for assets do not belong to one execution.
    EXPECT_EQ(
        std::ranges::count(built->graph.resources, Lifetime::constant, &ResourceDesc::lifetime), 2);
    EXPECT_EQ(built->graph.resources.size(), 2u + 3u);
}

TEST_F(ConfigAssets, SizesOfGeneratedImagesFollowParameters) {
    Result<Config> config = Config::parse(R"({"tuff": 1, "size": [30, 20], "params": {"h": 5},
        "assets": {"a": {"generate": "noise", "size": ["$width", "$h"]}},
        "outputs": {"x": "a"}})",
                                          "test.json", registry_);
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
    EXPECT_TRUE(config->warnings().empty());
    ASSERT_TRUE(config->set("h", "7").has_value());
    EXPECT_EQ(only_resource(config->build(shaders_, assets_)).image().extent, (Extent{30, 7, 1}));
}

TEST_F(ConfigAssets, ASizeThatIsNoSizeIsReportedOnceWhereItStands) {
    const Result<Config> config = Config::parse(R"({"tuff": 1,
        "assets": {"a": {"generate": "noise", "size": [4, 0]}}, "outputs": {"x": "a"}})",
                                                "test.json", registry_);
    ASSERT_FALSE(config.has_value());
    ASSERT_EQ(config.error().size(), 1u);
    EXPECT_EQ(config.error()[0].code, "config/bad-size");
    EXPECT_EQ(config.error()[0].where.line, 2);
}

TEST_F(ConfigAssets, ATextIsAPictureOfCoverage) {
    const auto built = build(R"({"text": "Tuff", "size": "=8*4", "padding": 3, "mips": true})");
    const ResourceDesc& resource = only_resource(built);
    EXPECT_EQ(resource.image().format, Format::r8_unorm);
    EXPECT_GT(resource.image().extent.width, 60u);
    EXPECT_GT(resource.image().mips, 5u);
    EXPECT_TRUE(assets_.files().empty());
    const auto boxed = build(R"({"text": "Tuff", "size": 20, "box": ["$width", 64]})");
    EXPECT_EQ(only_resource(boxed).image().extent, (Extent{1280, 64, 1}));
    // Another text, another picture.
    EXPECT_NE(*only_resource(build(R"({"text": "Tuff", "size": 32})")).contents,
              *only_resource(build(R"({"text": "Tufa", "size": 32})")).contents);
}

TEST_F(ConfigAssets, MistakesInTextsStandAtTheAsset) {
    const auto code_of = [&](std::string_view asset) {
        const auto built = build(asset);
        if (built) return std::string();
        EXPECT_EQ(built.error().size(), 1u) << to_string(built.error());
        EXPECT_EQ(built.error()[0].where.line, 2);
        return built.error()[0].code;
    };
    EXPECT_EQ(code_of(R"({"text": ""})"), "text/empty");
    EXPECT_EQ(code_of(R"({"text": "a", "size": 0})"), "config/out-of-range");
    EXPECT_EQ(code_of(R"({"text": "a", "size": [3, 4]})"), "config/wrong-type");
    EXPECT_EQ(code_of(R"({"text": "a", "align": "centre"})"), "config/bad-format");
    EXPECT_EQ(code_of(R"({"text": "a", "box": [3, 3]})"), "text/does-not-fit");
    EXPECT_EQ(code_of(R"({"text": "a", "font": "none.ttf"})"), "asset/not-found");
    EXPECT_EQ(code_of(R"({"text": "a", "font": ""})"), "config/bad-file");
    EXPECT_EQ(code_of(R"({"text": "a", "image": "b.png"})"), "config/bad-asset");
    EXPECT_EQ(code_of(R"({"text": "a", "colour": 1})"), "config/unknown-key");
    std::ofstream(folder_ / "bad.ttf") << "no font";
    EXPECT_EQ(code_of(R"({"text": "a", "font": "bad.ttf"})"), "text/bad-font");
}

TEST_F(ConfigAssets, ADrawingHasTheSizeThatTheConfigSays) {
    if (format_module("svg.so").empty()) GTEST_SKIP() << "built without librsvg";
    std::ofstream(folder_ / "x.svg") << R"(<svg xmlns="http://www.w3.org/2000/svg" width="8"
        height="6"><rect width="8" height="6" fill="red"/></svg>)";
    const auto own = build(R"({"image": "x.svg"})");
    EXPECT_EQ(only_resource(own).image().extent, (Extent{8, 6, 1}));
    EXPECT_EQ(only_resource(own).image().format, Format::rgba8_unorm);
    const auto sized = build(R"({"image": "x.svg", "size": [40, "=3*10"], "srgb": true})");
    EXPECT_EQ(only_resource(sized).image().extent, (Extent{40, 30, 1}));
    EXPECT_EQ(only_resource(sized).image().format, Format::rgba8_srgb);
    const auto covered = build(R"({"image": "x.svg", "coverage": true})");
    EXPECT_EQ(only_resource(covered).image().format, Format::r8_unorm);
    EXPECT_EQ(only_resource(covered).contents->front(), std::byte{255});
}

TEST_F(ConfigAssets, PicturesThatAreNotDrawnHaveTheirOwnSize) {
    ASSERT_TRUE(save_image(folder_ / "x.png", make_image(Format::rgba8_unorm, {3, 2, 1})));
    for (const char* more : {R"("size": [4, 4])", R"("coverage": true)"}) {
        const auto built = build(std::string(R"({"image": "x.png", )") + more + "}");
        ASSERT_FALSE(built);
        EXPECT_EQ(built.error()[0].code, "config/bad-asset");
    }
    const auto series = build(R"({"image": "x_%d.png", "frames": [1, 2], "size": [4, 4]})");
    ASSERT_FALSE(series);
    EXPECT_EQ(series.error()[0].code, "config/bad-asset");
}

TEST_F(ConfigAssets, MipsHalveDownToOneTexelAndKeepTheMean) {
    const auto built = build(R"({"generate": "checker", "size": [8, 4], "cell": 1, "mips": true,
                                 "format": "rgba32_sfloat"})");
    const ResourceDesc& resource = only_resource(built);
    EXPECT_EQ(resource.image().mips, 4u);
    ASSERT_EQ(resource.contents->size(), (32u + 8u + 2u + 1u) * 16u);
    float last = 0.0f;
    std::memcpy(&last, resource.contents->data() + 42 * 16, sizeof(last));
    EXPECT_EQ(last, 0.5f);
}

TEST(GeneratedImage, CheckerAlternatesFromWhite) {
    const HostImage image = generate_image({.size = {4, 4}, .cell = 2});
    EXPECT_EQ(image.texel(0, 0)[0], 1.0f);
    EXPECT_EQ(image.texel(2, 0)[0], 0.0f);
    EXPECT_EQ(image.texel(2, 3)[0], 1.0f);
}

TEST(GeneratedImage, GradientGivesTexelCentres) {
    const HostImage image = generate_image(
        {.generator = Generator::gradient, .size = {4, 2}, .format = Format::rgba32_sfloat});
    EXPECT_EQ(image.texel(3, 0), (std::array<float, 4>{0.875f, 0.25f, 0.0f, 1.0f}));
}

TEST(GeneratedImage, NoiseFollowsItsSeedAndIsUniform) {
    AssetSpec spec{.generator = Generator::noise,
                   .size = {128, 128},
                   .format = Format::rgba32_sfloat,
                   .seed = 3};
    const HostImage image = generate_image(spec);
    EXPECT_EQ(image.texels, generate_image(spec).texels);
    double mean = 0.0;
    double square = 0.0;
    for (std::uint32_t y = 0; y < 128; ++y)
        for (std::uint32_t x = 0; x < 128; ++x) {
            const double v = static_cast<double>(image.texel(x, y)[1]);
            mean += v / 16384.0;
            square += v * v / 16384.0;
        }
    EXPECT_NEAR(mean, 0.5, 0.01);
    EXPECT_NEAR(square - mean * mean, 1.0 / 12.0, 0.005);
    spec.seed = 4;
    EXPECT_NE(image.texels, generate_image(spec).texels);
}

TEST(GeneratedImage, ZonePlateIsBrightInTheMiddleAndSymmetric) {
    const HostImage image = generate_image(
        {.generator = Generator::zone_plate, .size = {65, 65}, .format = Format::rgba32_sfloat});
    EXPECT_EQ(image.texel(32, 32)[0], 1.0f);
    EXPECT_EQ(image.texel(10, 20)[0], image.texel(54, 44)[0]);
}

TEST_F(ConfigAssets, AnArrayBecomesAConstantBuffer) {
    std::ofstream(folder_ / "x.csv") << "a,b,c\n1,2,3\n4,5,6\n";
    const auto built = build(R"({"array": "x.csv", "type": "i32"})");
    const ResourceDesc& resource = only_resource(built);
    EXPECT_EQ(resource.lifetime, Lifetime::constant);
    EXPECT_EQ(resource.buffer().size, 24u);
    EXPECT_EQ(resource.buffer().stride, 12u);
    std::array<std::int32_t, 6> numbers{};
    std::memcpy(numbers.data(), resource.contents->data(), sizeof numbers);
    EXPECT_THAT(numbers, testing::ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(built->graph.outputs.at(0).elements.name(), "ivec3");
    EXPECT_THAT(assets_.files(), testing::ElementsAre(folder_ / "x.csv"));
}

TEST_F(ConfigAssets, AnArrayMayStandInTheConfig) {
    const auto built = build(R"({"array": [[1, "=1+1"], ["$width", 4]], "type": "u16"})");
    const ResourceDesc& resource = only_resource(built);
    std::array<std::uint16_t, 4> numbers{};
    ASSERT_EQ(resource.contents->size(), sizeof numbers);
    std::memcpy(numbers.data(), resource.contents->data(), sizeof numbers);
    EXPECT_THAT(numbers, testing::ElementsAre(1, 2, 1280, 4));
    EXPECT_EQ(built->graph.outputs.at(0).elements.bytes(), 4u);
    const auto shaped = build(R"({"array": [1, 2, 3, 4, 5, 6], "shape": ["=4/2", 3]})");
    EXPECT_EQ(shaped->graph.outputs.at(0).elements.name(), "vec3");
}

TEST_F(ConfigAssets, ArraysThatAreWrongAreToldAtTheirPlace) {
    const auto told = [&](std::string_view asset) {
        const auto built = build(asset);
        if (built || built.error()[0].where.line != 2) return std::string("not told");
        return built.error()[0].code;
    };
    EXPECT_EQ(told(R"({"array": "none.csv"})"), "asset/not-found");
    EXPECT_EQ(told(R"({"array": ""})"), "config/bad-file");
    EXPECT_EQ(told(R"({"array": []})"), "config/wrong-type");
    EXPECT_EQ(told(R"({"array": 3})"), "config/wrong-type");
    EXPECT_EQ(told(R"({"array": [1, 2], "type": "u33"})"), "config/bad-format");
    EXPECT_EQ(told(R"({"array": [1, -2], "type": "u32"})"), "config/out-of-range");
    EXPECT_EQ(told(R"({"array": [1, 0.5], "type": "i8"})"), "config/out-of-range");
    EXPECT_EQ(told(R"({"array": [1e39]})"), "config/out-of-range");
    EXPECT_EQ(told(R"({"array": [1, 2, 3], "shape": [2, 2]})"), "array/wrong-shape");
    EXPECT_EQ(told(R"({"array": [1], "shape": [0]})"), "config/out-of-range");
    EXPECT_EQ(told(R"({"array": [1], "image": "x.png"})"), "config/bad-asset");
}

} // namespace
} // namespace tuff
