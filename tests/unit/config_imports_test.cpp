// Configs that a host runs: their inputs are images and buffers of the host's.

#include "config_toys.hpp"

#include <tuff/plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff {
namespace {

using testing::HasSubstr;

constexpr ImageDesc kImportedPicture{.format = Format::rgba16_sfloat, .extent = {32, 16, 1}};
const ImportState kDrawn{
    .first = {stage::kColorOutput, memory::kColorWrite, Layout::color_attachment},
    .last = {stage::kColorOutput, memory::kColorWrite, Layout::color_attachment}};

constexpr std::string_view kText =
    R"({"tuff": 1, "inputs": {"scene": "Image", "words": "Buffer"},
 "nodes": {"blur": {"pass": "toy/blur", "in": {"source": "scene"}}},
 "outputs": {"soft": "blur.result", "same": "words"}})";

class ConfigImports : public testing::Test {
  protected:
    Config parsed() {
        auto config = Config::parse(kText, "test.json", registry_);
        if (!config) throw std::runtime_error(to_string(config.error()));
        return std::move(*config);
    }
    Result<ConfiguredGraph> build(const Config& config) { return config.build(shaders_, assets_); }

    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

TEST_F(ConfigImports, AreTheInputsOfTheMainConfig) {
    Config config = parsed();
    ASSERT_TRUE(config.import_image("scene", kImportedPicture, kDrawn));
    ASSERT_TRUE(config.import_buffer("words", {.size = 64}, {}));
    const auto built = build(config);
    ASSERT_TRUE(built) << to_string(built.error());
    const GraphDesc& graph = built->graph;
    const auto scene = std::ranges::find_if(
        graph.resources, [&](const ResourceDesc& r) { return graph.name(r.name) == "scene"; });
    ASSERT_NE(scene, graph.resources.end());
    EXPECT_EQ(scene->lifetime, Lifetime::imported);
    EXPECT_EQ(scene->image(), kImportedPicture);
    EXPECT_EQ(scene->import, kDrawn);
    const auto plan = compile(graph, DeviceCaps{});
    EXPECT_TRUE(plan) << to_string(plan.error());
}

TEST_F(ConfigImports, AreAskedForWhenTheGraphIsBuilt) {
    Config config = parsed();
    ASSERT_TRUE(config.import_image("scene", kImportedPicture, kDrawn));
    const auto built = build(config);
    ASSERT_FALSE(built);
    ASSERT_EQ(built.error().size(), 1u) << to_string(built.error());
    const Diagnostic& missing = built.error()[0];
    EXPECT_EQ(missing.code, "config/unconnected-input");
    EXPECT_THAT(missing.message, HasSubstr("\"words\""));
    EXPECT_EQ(missing.where.line, 1);
    EXPECT_EQ(missing.where.column, 42);
    EXPECT_THAT(missing.hint, HasSubstr("import_image"));
}

TEST_F(ConfigImports, OfOtherNamesAndTypesAreRefused) {
    Config config = parsed();
    const auto unknown = config.import_image("scen", kImportedPicture, kDrawn);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error()[0].code, "config/unknown-port");
    EXPECT_THAT(unknown.error()[0].hint, HasSubstr("scene"));
    const auto wrong = config.import_buffer("scene", {.size = 64}, {});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error()[0].code, "config/wrong-port-type");
}

TEST_F(ConfigImports, ComeWithOutputsAsWhoeverReadsThemAsksFor) {
    Config config = parsed();
    ASSERT_TRUE(config.import_image("scene", kImportedPicture, kDrawn));
    ASSERT_TRUE(config.import_buffer("words", {.size = 64}, {}));
    ASSERT_TRUE(config.set_output_access("soft", Access::sampled));
    EXPECT_EQ(config.set_output_access("sof", Access::sampled).error()[0].code,
              "config/unknown-port");
    const auto built = build(config);
    ASSERT_TRUE(built) << to_string(built.error());
    for (const OutputDesc& output : built->graph.outputs)
        EXPECT_EQ(output.access,
                  built->graph.name(output.name) == "soft" ? Access::sampled : Access::copy_read);
}

} // namespace
} // namespace tuff
