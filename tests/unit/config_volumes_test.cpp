// Volumes in configs: what stands beside the file, and where the texels of outputs lie.
#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/volume.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ConfigVolumes : public testing::Test {
  protected:
    ConfigVolumes() : folder_(test::empty_folder()) {}

    void write(const std::string& name, std::string_view bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }
    Result<Config> parse(std::string_view asset, std::string_view output = "\"a\"",
                         const ConfigOptions& options = {}) {
        return Config::parse(fmt::format("{{\"tuff\": 1, \"params\": {{\"s\": 2}},\n"
                                         " \"assets\": {{\"a\": {}}},\n"
                                         " \"outputs\": {{\"o\": {}}}}}",
                                         asset, output),
                             folder_ / "test.json", registry_, options);
    }
    Result<ConfiguredGraph> build(std::string_view asset, std::string_view output = "\"a\"",
                                  const ConfigOptions& options = {}) {
        Result<Config> config = parse(asset, output, options);
        if (!config) return propagate(std::move(config));
        return config->build(shaders_, assets_);
    }
    VolumeGeometry geometry(const Result<ConfiguredGraph>& built) {
        if (!built) throw std::runtime_error(to_string(built.error()));
        return built->outputs.at(0).geometry.value();
    }
    /// The code of the one error, which stands in a line of the config.
    std::string refusal(std::string_view asset, std::string_view output = "\"a\"",
                        const ConfigOptions& options = {}) {
        const auto built = build(asset, output, options);
        if (built) return "built";
        EXPECT_EQ(built.error().size(), 1u) << to_string(built.error());
        EXPECT_GT(built.error()[0].where.line, 1) << to_string(built.error());
        return built.error()[0].code;
    }

    std::filesystem::path folder_;
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

TEST_F(ConfigVolumes, BytesAreReadAsTheConfigSays) {
    write("v.raw", std::string("##\x01\x02\x03\x04", 6));
    const auto built = build(R"({"volume": "v.raw", "type": "i16", "size": ["$s", 1, 1],
                                 "byte_order": "big", "offset": 2})");
    ASSERT_TRUE(built) << to_string(built.error());
    const ResourceDesc& resource = built->graph.resources.at(0);
    EXPECT_EQ(resource.image().shape, ImageShape::d3);
    EXPECT_EQ(resource.image().extent, (Extent{2, 1, 1}));
    float second = 0;
    std::memcpy(&second, resource.contents->data() + 4, sizeof second);
    EXPECT_EQ(second, 0x0304);
}

TEST_F(ConfigVolumes, OutputsLieWhereTheVolumeLiesThatTheyAreMadeFrom) {
    const VolumeGeometry placed{.spacing = {0.5, 1, 2}, .origin = {1, 2, 3}};
    ASSERT_TRUE(save_volume(folder_ / "v.nrrd", make_image(Format::r8_unorm, {2, 2, 2}), placed));
    EXPECT_EQ(geometry(build(R"({"volume": "v.nrrd"})")), placed);
    EXPECT_THAT(geometry(build(R"({"volume": "v.nrrd", "spacing": ["$s", 3, 3]})")).spacing,
                ElementsAre(2, 3, 3));
    const VolumeGeometry own =
        geometry(build(R"({"volume": "v.nrrd"})", R"({"from": "a", "origin": [7, 8, "=9*$s"]})"));
    EXPECT_THAT(own.origin, ElementsAre(7, 8, 18));
    EXPECT_EQ(own.spacing, placed.spacing);
}

TEST_F(ConfigVolumes, ADetachedHeaderBringsItsDataIntoHotReload) {
    write("v.nhdr", "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 2 1 1\nencoding: raw\n"
                    "data file: v.bytes\n");
    write("v.bytes", "ab");
    ASSERT_TRUE(build(R"({"volume": "v.nhdr"})"));
    EXPECT_THAT(assets_.files(), ElementsAre(folder_ / "v.bytes", folder_ / "v.nhdr"));
    std::filesystem::create_directories(folder_ / "in");
    std::filesystem::rename(folder_ / "v.nhdr", folder_ / "in/v.nhdr");
    write("in/w.nhdr", "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 2 1 1\nencoding: raw\n"
                       "data file: ../v.bytes\n");
    EXPECT_EQ(refusal(R"({"volume": "in/w.nhdr"})", "\"a\"", {.confined_to = {folder_ / "in"}}),
              "asset/outside");
}

TEST_F(ConfigVolumes, WhatIsLostIsTold) {
    const double numbers[] = {0.1, 0.5};
    write("v.raw", {reinterpret_cast<const char*>(numbers), sizeof numbers});
    const auto built = build(R"({"volume": "v.raw", "type": "f64", "size": [2, 1, 1]})");
    ASSERT_TRUE(built) << to_string(built.error());
    ASSERT_EQ(built->graph.diagnostics.size(), 1u);
    EXPECT_EQ(built->graph.diagnostics[0].code, "volume/precision");
    EXPECT_EQ(built->graph.diagnostics[0].where.line, 2);
}

TEST_F(ConfigVolumes, MistakesBesideTheFileStandWhereTheyAre) {
    write("v.raw", "abcd");
    const auto with = [&](std::string_view rest) {
        return refusal(fmt::format(R"({{"volume": "v.raw", {}}})", rest));
    };
    EXPECT_EQ(with(R"("type": "u8")"), "config/missing-key");
    EXPECT_EQ(with(R"("size": [1, 1, 1])"), "config/missing-key");
    EXPECT_EQ(with(R"("type": "u9", "size": [1, 1, 1])"), "config/bad-format");
    EXPECT_EQ(with(R"("type": "u8", "size": [1, 1, 1], "byte_order": "middle")"),
              "config/bad-format");
    EXPECT_EQ(with(R"("type": "u8", "size": [1, 1])"), "config/wrong-type");
    EXPECT_EQ(with(R"("type": "u8", "size": [1, 1, 1.5])"), "config/out-of-range");
    EXPECT_EQ(with(R"("type": "u8", "size": [1, 1, 5])"), "volume/corrupt");
    EXPECT_EQ(with(R"("type": "u8", "size": [1, 1, 4], "spacing": [1, -1, 1])"),
              "config/out-of-range");
    EXPECT_EQ(with(R"("type": "u8", "size": [1, 1, 4], "frame": -1)"), "config/out-of-range");
    EXPECT_EQ(with(R"("type": "u8", "size": [1, 1, 4], "channels": 5)"), "config/out-of-range");
    EXPECT_EQ(with(R"("type": "u8", "size": [1, 1, 4], "srgb": true)"), "config/unknown-key");
    EXPECT_EQ(with(R"("array": "x")"), "volume/unknown-format");
    EXPECT_EQ(refusal(R"({"volume": "none.nrrd"})"), "asset/not-found");
    EXPECT_EQ(refusal(R"({"volume": "v.raw", "type": "u8", "size": [1, 1, 4]})",
                      R"({"from": "a", "spacing": [1, 1]})"),
              "config/wrong-type");
}

} // namespace
} // namespace tuff
