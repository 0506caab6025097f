// Configs that a host runs: their inputs are images and buffers of the host's.

#include "config_toys.hpp"
#include "gpu/execute/kernel_nodes.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

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
    EXPECT_THAT(missing.hint, HasSubstr("--input words=FILE"));
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

/// The bytes of the constant that an input or asset has become, or of its upload.
const std::vector<std::byte>& contents_of(const GraphDesc& graph, std::string_view name) {
    for (const ResourceDesc& resource : graph.resources)
        if (graph.name(resource.name) == name && resource.contents) return *resource.contents;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i)
        if (const auto* upload = std::get_if<UploadNode>(&payload_of(graph, NodeId{i}));
            upload && graph.name_of(NodeId{i}) == std::string(name) + "/upload")
            return *upload->bytes;
    throw std::runtime_error("nothing has contents of that name");
}

std::vector<std::byte> bytes_of(std::initializer_list<float> numbers) {
    const auto bytes = std::as_bytes(std::span(numbers.begin(), numbers.size()));
    return {bytes.begin(), bytes.end()};
}

TEST_F(ConfigImports, ContentsStandForThem) {
    Config config = parsed();
    const auto texels = std::make_shared<const std::vector<std::byte>>(std::size_t{32 * 16 * 8});
    const auto words = std::make_shared<const std::vector<std::byte>>(bytes_of({1, 2, 3}));
    ASSERT_TRUE(config.set_contents("scene", kImportedPicture, texels));
    EXPECT_THAT(config.open_inputs(), testing::ElementsAre("words (Buffer)"));
    ASSERT_TRUE(config.set_contents("words", BufferDesc{.size = 12, .stride = 4}, words));
    EXPECT_TRUE(config.open_inputs().empty());
    const auto built = build(config);
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(contents_of(built->graph, "words"), *words);

    const auto other = std::make_shared<const std::vector<std::byte>>(bytes_of({4, 5, 6}));
    ASSERT_TRUE(config.set_contents("words", BufferDesc{.size = 12, .stride = 4}, other));
    const auto next = build(config);
    EXPECT_EQ(contents_of(next->graph, "words"), *other);
    EXPECT_TRUE(same_structure(built->graph, next->graph)); // nothing is compiled for new contents

    const auto code = [](const Result<void>& r) { return r ? "" : r.error()[0].code; };
    EXPECT_EQ(code(config.set_contents("words", BufferDesc{.size = 16, .stride = 4}, other)),
              "config/wrong-size");
    EXPECT_EQ(code(config.set_contents("words", BufferDesc{}, nullptr)), "config/wrong-size");
    EXPECT_EQ(code(config.set_contents("words", kImportedPicture, texels)),
              "config/wrong-port-type");
    EXPECT_EQ(code(config.set_contents("word", BufferDesc{.size = 12}, other)),
              "config/unknown-port");
}

constexpr std::string_view kDefaults =
    R"({"tuff": 1, "assets": {"three": {"array": [1, 2, 3]}},
 "inputs": {"words": {"type": "Buffer", "default": "three"}},
 "outputs": {"same": "words"}})";

class ConfigInputFiles : public ConfigImports {
  protected:
    ConfigInputFiles() : folder_(test::empty_folder()) {
        write("inner.json", kDefaults);
        write("numbers.csv", "7\n8\n");
    }
    void write(const std::string& name, std::string_view text) const {
        std::ofstream(folder_ / name) << text;
    }
    Config loaded(std::string_view text) {
        auto config = Config::parse(text, folder_ / "test.json", registry_);
        if (!config) throw std::runtime_error(to_string(config.error()));
        return std::move(*config);
    }
    std::string code(std::string_view text) {
        auto config = Config::parse(text, folder_ / "test.json", registry_);
        return config ? "" : config.error()[0].code;
    }

    std::filesystem::path folder_;
};

TEST_F(ConfigInputFiles, DefaultsStandForWhatNothingIsConnectedTo) {
    const Config config = loaded(kDefaults);
    EXPECT_TRUE(config.open_inputs().empty());
    EXPECT_TRUE(config.warnings().empty());
    const auto built = build(config);
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(contents_of(built->graph, "three"), bytes_of({1, 2, 3}));
}

TEST_F(ConfigInputFiles, DefaultsOfUsedAndRepeatedConfigsDoToo) {
    const auto built = build(loaded(R"({"tuff": 1, "assets": {"two": {"array": [5, 6]}}, "nodes": {
        "plain": {"use": "inner.json"}, "given": {"use": "inner.json", "in": {"words": "two"}},
        "often": {"use": "inner.json", "repeat": 2, "carry": {"words": "same"}}},
        "outputs": {"a": "plain.same", "b": "given.same", "c": "often.same"}})"));
    ASSERT_TRUE(built) << to_string(built.error());
    const auto is_default = [](const ResourceDesc& resource) {
        return resource.contents && *resource.contents == bytes_of({1, 2, 3});
    };
    EXPECT_EQ(std::ranges::count_if(built->graph.resources, is_default), 1); // it enters once
    EXPECT_EQ(contents_of(built->graph, "two"), bytes_of({5, 6}));
    EXPECT_EQ(built->outputs.size(), 3u);
}

TEST_F(ConfigInputFiles, FilesStandForInputsAndAssets) {
    Config config = loaded(kDefaults);
    ASSERT_TRUE(config.set_file("words", folder_ / "numbers.csv"));
    const auto built = build(config);
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(contents_of(built->graph, "words"), bytes_of({7, 8}));

    Config other = loaded(R"({"tuff": 1, "assets": {"a": {"array": "gone.csv", "type": "f32"}},
                              "outputs": {"o": "a"}})");
    EXPECT_FALSE(build(other));
    ASSERT_TRUE(other.set_file("a", folder_ / "numbers.csv"));
    const auto replaced = build(other);
    ASSERT_TRUE(replaced) << to_string(replaced.error());
    EXPECT_EQ(contents_of(replaced->graph, "a"), bytes_of({7, 8}));
}

TEST_F(ConfigInputFiles, MistakesAreTold) {
    Config config = loaded(kDefaults);
    const auto unknown = config.set_file("wrds", "x.csv");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error()[0].code, "config/unknown-input");
    EXPECT_THAT(unknown.error()[0].hint, HasSubstr("words"));
    ASSERT_TRUE(config.set_file("words", folder_ / "none.csv"));
    const auto built = build(config);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error()[0].code, "asset/not-found");
    EXPECT_EQ(built.error()[0].where.line, 2); // the input

    EXPECT_EQ(code(R"({"tuff": 1, "inputs": {"i": {"type": "Buffer", "default": "x"}},
                       "outputs": {"o": "i"}})"),
              "config/unknown-wire");
    EXPECT_EQ(code(R"({"tuff": 1, "assets": {"x": {"generate": "noise"}},
                       "inputs": {"i": {"type": "Buffer", "default": "x"}}, "outputs": {"o": "i"}})"),
              "config/wrong-port-type");
    EXPECT_EQ(code(R"({"tuff": 1, "inputs": {"i": {"default": "x"}}, "outputs": {"o": "i"}})"),
              "config/missing-key");
}

TEST_F(ConfigInputFiles, OfConfinedConfigsMayLieAnywhere) {
    std::filesystem::create_directory(folder_ / "inside");
    auto config = Config::parse(kDefaults, folder_ / "inside/test.json", registry_,
                                {.confined_to = {folder_ / "inside"}});
    ASSERT_TRUE(config);
    ASSERT_TRUE(config->set_file("words", folder_ / "numbers.csv")); // the user's own word
    EXPECT_TRUE(build(*config));
}

} // namespace
} // namespace tuff
