#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A registry, no shaders, and a folder for files.
class ConfigTest : public testing::Test {
  protected:
    ConfigTest() : folder_(test::empty_folder()) { toys::built_blurs().clear(); }

    Result<Config> parse(std::string_view text) {
        return Config::parse(text, folder_ / "test.json", registry_);
    }
    Config sound(std::string_view text) {
        Result<Config> config = parse(text);
        if (!config) throw std::runtime_error(to_string(config.error()));
        return std::move(*config);
    }
    ConfiguredGraph build(const Config& config, const FrameTime& frame = {}) {
        Result<ConfiguredGraph> built = config.build(shaders_, assets_, frame);
        if (!built) throw std::runtime_error(to_string(built.error()));
        return std::move(*built);
    }
    toys::Blur built_blur(const Config& config, const FrameTime& frame = {},
                          const std::string& label = {}) {
        build(config, frame);
        return toys::built_blurs().at(label);
    }
    void write(const std::string& name, std::string_view text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    std::filesystem::path folder_;
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

/// A config with a source `s` and a blur `b` of these parameters.
std::string blur_config(std::string_view parameters, std::string_view sections = {}) {
    std::string text = R"({"tuff": 1, "outputs": {"o": "b.result"}, )";
    text += sections;
    text += R"("nodes": {"s": {"pass": "toy/source"},
        "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {)";
    text += parameters;
    text += "}}}}";
    return text;
}

std::vector<std::string> node_names(const ConfiguredGraph& built) {
    std::vector<std::string> names;
    for (const ConfiguredNode& node : built.nodes)
        names.push_back(node.name);
    return names;
}

TEST_F(ConfigTest, ParametersOfEveryKindReachThePass) {
    const toys::Blur blur =
        built_blur(sound(blur_config(
                       R"x("sigma": 3, "radius": 4.0, "mode": "hard", "wrap": true, "label": "$$x",
           "names": ["one", "=select(1 > 0, 'two', 'three')", "$$3"],
           "weights": [[1, 2], [3, 4]], "camera": {"position": [1, 2.5, "$frame"]},
           "camera.angle": 60)x")),
                   {.frame = 7}, "$x");
    EXPECT_EQ(blur.sigma, 3.0f);
    EXPECT_EQ(blur.radius, 4);
    EXPECT_EQ(blur.mode, toys::Mode::hard);
    EXPECT_TRUE(blur.wrap);
    EXPECT_THAT(blur.weights, ElementsAre(1.0f, 2.0f, 3.0f, 4.0f));
    EXPECT_THAT(blur.names, ElementsAre("one", "two", "$3"));
    EXPECT_EQ(blur.camera.position, glm::vec3(1.0f, 2.5f, 7.0f));
    EXPECT_EQ(blur.camera.angle, 60.0f);
}

TEST_F(ConfigTest, ParametersThatAreNotGivenKeepTheirDefaults) {
    const toys::Blur blur = built_blur(sound(blur_config("")));
    EXPECT_EQ(blur.sigma, 2.0f);
    EXPECT_EQ(blur.radius, 3);
}

TEST_F(ConfigTest, CommentsTrailingCommasAndAByteOrderMarkAreAllowed) {
    write("main.json", "\xEF\xBB\xBF// a comment\n" + blur_config("/* here too */ \"sigma\": 1, "));
    const Result<Config> config = Config::load(folder_ / "main.json", registry_);
    ASSERT_TRUE(config.has_value()) << to_string(config.error());
}

TEST_F(ConfigTest, BuiltInValuesFollowTheFrame) {
    const Config config = sound(
        blur_config(R"("camera": {"position": ["$time", "$dt", "$width"]}, "radius": "$frame")",
                    R"("size": [320, 200], )"));
    EXPECT_TRUE(config.animated());
    const toys::Blur blur = built_blur(config, {.frame = 5, .time = 0.25, .dt = 0.05});
    EXPECT_EQ(blur.camera.position, glm::vec3(0.25f, 0.05f, 320.0f));
    EXPECT_EQ(blur.radius, 5);
}

TEST_F(ConfigTest, KeyframesInterpolateAndHoldAtTheirEnds) {
    const Config config = sound(blur_config(R"("sigma": "$k", "camera": {"position": "$v"})",
                                            R"("params": {"k": {"keys": [[1, 10], [3, 20]]},
                              "v": {"keys": [[0, [0, 0, 0]], [2, [2, 4, 6]]]}}, )"));
    EXPECT_TRUE(config.animated());
    EXPECT_EQ(built_blur(config, {.time = 0}).sigma, 10.0f);
    EXPECT_EQ(built_blur(config, {.time = 1}).sigma, 10.0f);
    EXPECT_EQ(built_blur(config, {.time = 1.5}).sigma, 12.5f);
    EXPECT_EQ(built_blur(config, {.time = 99}).sigma, 20.0f);
    EXPECT_EQ(built_blur(config, {.time = 1}).camera.position, glm::vec3(1.0f, 2.0f, 3.0f));
}

TEST_F(ConfigTest, KeyframesOfAWholeNumberAreRounded) {
    const Config config = sound(blur_config(R"("radius": {"keys": [[0, 1], [1, 4]]})"));
    EXPECT_EQ(built_blur(config, {.time = 0.5}).radius, 3); // 2.5 away from zero
}

TEST_F(ConfigTest, SettingReplacesDefaultsAndKeyframes) {
    Config config = sound(
        blur_config(R"("sigma": "$k", "label": "$t", "wrap": "$b", "camera": {"position": "$v"})",
                    R"("params": {"k": {"keys": [[0, 1], [1, 2]]}, "t": "text", "b": false,
            "v": {"default": [0, 1, 0], "doc": "where", "range": [0, 10]}}, )"));
    const std::vector<ConfigParameter> before = config.parameters();
    ASSERT_EQ(before.size(), 4u);
    EXPECT_EQ(before[1].name, "k");
    EXPECT_EQ(before[1].follows, "keyframes");
    EXPECT_EQ(before[3].doc, "where");
    EXPECT_EQ(before[3].high, 10.0);

    ASSERT_TRUE(config.set("k", "7"));
    ASSERT_TRUE(config.set("t", "hello"));
    ASSERT_TRUE(config.set("b", "true"));
    ASSERT_TRUE(config.set("v", "1,2,3"));
    const toys::Blur blur = built_blur(config, {.time = 1}, "hello");
    EXPECT_EQ(blur.sigma, 7.0f);
    EXPECT_TRUE(blur.wrap);
    EXPECT_EQ(blur.camera.position, glm::vec3(1.0f, 2.0f, 3.0f));
    EXPECT_EQ(config.parameters()[1].follows, "");
}

TEST_F(ConfigTest, SettingTheSizeChangesWidthAndHeight) {
    Config config = sound(R"({"tuff": 1, "size": [64, 64], "outputs": {"o": "s.result"},
        "nodes": {"s": {"pass": "toy/source", "params": {"size": ["$width", "$height"]}}}})");
    ASSERT_TRUE(config.set("width", "100"));
    const ConfiguredGraph built = build(config);
    const VersionId output = built.graph.outputs.at(0).version;
    EXPECT_EQ(built.graph.resource_of(output).image().extent, (Extent{100, 64, 1}));
}

TEST_F(ConfigTest, SettingsThatCannotBeAreRefusedAndChangeNothing) {
    Config config = sound(
        blur_config(R"("sigma": "$k")", R"("params": {"k": {"default": 1, "range": [0, 5]}}, )"));
    const auto code = [&](std::string_view name, std::string_view value) {
        const Result<void> set = config.set(name, value);
        return set ? std::string("none") : set.error().front().code;
    };
    EXPECT_EQ(code("kk", "1"), "config/unknown-parameter");
    EXPECT_EQ(code("k", "text"), "config/wrong-type");
    EXPECT_EQ(code("k", "[1, 2]"), "config/wrong-type");
    EXPECT_EQ(code("k", ""), "config/wrong-type");
    EXPECT_EQ(code("k", "1, 2"), "config/wrong-type");
    EXPECT_EQ(code("k", "$time"), "config/wrong-type");
    EXPECT_EQ(code("k", "6"), "config/out-of-range");
    EXPECT_EQ(code("width", "0"), "config/bad-size");
    EXPECT_EQ(code("width", "16385"), "config/bad-size");
    EXPECT_EQ(code("height", "many"), "config/bad-size");
    EXPECT_EQ(built_blur(config).sigma, 1.0f);
    EXPECT_THAT(config.set("kk", "1").error().front().hint, HasSubstr("\"k\""));
}

TEST_F(ConfigTest, ASettingThatThePassRefusesIsReportedWhereItIsUsed) {
    Config config = sound(blur_config(R"("sigma": "$k")", R"("params": {"k": 1}, )"));
    ASSERT_TRUE(config.set("k", "65"));
    const auto built = config.build(shaders_, assets_);
    ASSERT_FALSE(built.has_value());
    EXPECT_EQ(built.error().front().code, "pass/out-of-range");
    EXPECT_GT(built.error().front().where.line, 0);
}

TEST_F(ConfigTest, ParametersOfNodesAreSetByTheirPath) {
    Config config = sound(blur_config(R"("sigma": "$k", "wrap": true, "camera": {"angle": 9})",
                                      R"("params": {"k": 1}, )"));
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"b.sigma", "3.5"},
                                            {"b.mode", "hard"},
                                            {"b.label", "set"},
                                            {"b.weights", "1,2"},
                                            {"b.names", "left,right side"},
                                            {"b.camera.position", "[4, 5, 6]"}})
        ASSERT_TRUE(config.set(name, value)) << name;
    const toys::Blur blur = built_blur(config, {}, "set");
    EXPECT_EQ(blur.sigma, 3.5f) << "instead of what the file has";
    EXPECT_EQ(blur.mode, toys::Mode::hard);
    EXPECT_THAT(blur.weights, ElementsAre(1.0f, 2.0f));
    EXPECT_THAT(blur.names, ElementsAre("left", "right side"));
    EXPECT_EQ(blur.camera.position, glm::vec3(4.0f, 5.0f, 6.0f));
    EXPECT_TRUE(blur.wrap) << "as the file has it";
    EXPECT_EQ(blur.camera.angle, 9.0f);
}

TEST_F(ConfigTest, ParametersOfUsedConfigsAndTheirNodesAreSetByTheirPath) {
    write("post.json", R"({"tuff": 1, "inputs": {"in": "Image"}, "outputs": {"out": "b.result"},
        "params": {"amount": {"default": 2, "range": [0, 5]}}, "nodes": {"b": {"pass": "toy/blur",
        "in": {"source": "in"}, "params": {"sigma": "$amount", "label": "used"}}}})");
    const std::string text = R"({"tuff": 1, "outputs": {"o": "p.out"}, "nodes": {
        "s": {"pass": "toy/source"},
        "p": {"use": "post.json", "in": {"in": "s.result"}, "params": {"amount": 3}LOOP}}})";
    for (const char* loop : {"", R"(, "repeat": 2, "carry": {"in": "out"})"}) {
        std::string written = text;
        written.replace(written.find("LOOP"), 4, loop);
        Config config = sound(written);
        EXPECT_EQ(built_blur(config, {}, "used").sigma, 3.0f);
        ASSERT_TRUE(config.set("p.amount", "4"));
        EXPECT_EQ(built_blur(config, {}, "used").sigma, 4.0f);
        ASSERT_TRUE(config.set("p/b.radius", "7"));
        EXPECT_EQ(built_blur(config, {}, "used").radius, 7);
        ASSERT_TRUE(config.set("p/b.sigma", "1"));
        EXPECT_EQ(built_blur(config, {}, "used").sigma, 1.0f);
        EXPECT_EQ(config.set("p.amount", "6").error().front().code, "config/out-of-range");
        EXPECT_EQ(config.set("p/c.sigma", "6").error().front().code, "config/unknown-parameter");
    }
}

TEST_F(ConfigTest, ParametersOfRepeatedPassesAreSetByTheirPath) {
    Config config = sound(R"({"tuff": 1, "outputs": {"o": "b.result"}, "nodes": {
        "s": {"pass": "toy/source"},
        "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "repeat": 2,
              "carry": {"source": "result"}}}})");
    ASSERT_TRUE(config.set("b.sigma", "8"));
    EXPECT_EQ(built_blur(config).sigma, 8.0f);
}

TEST_F(ConfigTest, SettingsOfNodesThatCannotBeAreRefusedAndChangeNothing) {
    Config config = sound(blur_config(R"("sigma": 3)"));
    const auto problem = [&](std::string_view name, std::string_view value) {
        const Result<void> set = config.set(name, value);
        return set ? Diagnostic{.code = "none", .message = {}, .where = {}} : set.error().front();
    };
    EXPECT_EQ(problem("c.sigma", "1").code, "config/unknown-parameter");
    EXPECT_THAT(problem("bb.sigma", "1").hint, HasSubstr("\"b\""));
    EXPECT_THAT(problem("b.sgima", "1").hint, HasSubstr("\"sigma\""));
    EXPECT_EQ(problem("b.", "1").code, "config/unknown-parameter");
    EXPECT_EQ(problem(".sigma", "1").code, "config/unknown-parameter");
    EXPECT_EQ(problem("b.sigma", "wide").code, "config/wrong-type");
    EXPECT_EQ(problem("b.sigma", "$time").code, "config/wrong-type");
    EXPECT_EQ(problem("b.sigma", "[1, 2]").code, "pass/wrong-type");
    EXPECT_EQ(problem("b.sigma", "65").code, "pass/out-of-range");
    EXPECT_EQ(problem("b.mode", "loud").code, "pass/unknown-choice");
    EXPECT_EQ(problem("b.sigma", "65").where.file, "--set b.sigma=65");
    EXPECT_EQ(built_blur(config).sigma, 3.0f);
}

TEST_F(ConfigTest, TheOrderOfLinesPlaysNoPart) {
    const std::string_view a = R"("a": {"pass": "toy/blur", "in": {"source": "s.result"}})";
    const std::string_view b = R"("b": {"pass": "toy/blur", "in": {"source": "a.result"}})";
    const std::string_view s = R"("s": {"pass": "toy/source"})";
    const auto config = [&](std::string_view x, std::string_view y, std::string_view z) {
        return R"({"tuff": 1, "outputs": {"o": "b.result"}, "nodes": {)" + std::string(x) + "," +
               std::string(y) + "," + std::string(z) + "}}";
    };
    const ConfiguredGraph first = build(sound(config(s, a, b)));
    const ConfiguredGraph second = build(sound(config(b, a, s)));
    EXPECT_THAT(node_names(first), ElementsAre("s", "a", "b"));
    EXPECT_EQ(node_names(first), node_names(second));
    EXPECT_TRUE(same_structure(first.graph, second.graph));
    EXPECT_EQ(first.nodes[1].cost.bytes, 64.0);
}

TEST_F(ConfigTest, AHistoryIsReadBeforeItIsWrittenAndClosesNoCycle) {
    const ConfiguredGraph built = build(sound(R"({"tuff": 1, "outputs": {"o": "b.result"},
        "history": {"h": {"from": "b.result", "format": "rgba32_sfloat", "size": [64, 32],
                          "clear": [1, 2, 3, 4]}},
        "nodes": {"b": {"pass": "toy/blur", "in": {"source": "h"}}}})"));
    const auto& resources = built.graph.resources;
    const auto kept = std::ranges::count_if(
        resources, [](const ResourceDesc& r) { return r.lifetime == Lifetime::history; });
    EXPECT_EQ(kept, 2);
    const auto old =
        std::ranges::find_if(resources, [](const ResourceDesc& r) { return r.history_age == 1; });
    ASSERT_NE(old, resources.end());
    EXPECT_EQ(std::get<0>(old->history_clear), (std::array<float, 4>{1, 2, 3, 4}));
    // The copy that keeps the result for the next execution reads what the output names.
    const VersionId output = built.graph.outputs.at(0).version;
    EXPECT_TRUE(std::ranges::any_of(built.graph.accesses, [&](const AccessDesc& a) {
        return a.read == output && a.access == Access::copy_read;
    }));
}

TEST_F(ConfigTest, AHistoryMustFitWhatItKeeps) {
    const auto built = sound(R"({"tuff": 1, "outputs": {"o": "s.result"},
 "history": {"h": {"from": "s.result", "format": "rgba8_unorm", "size": [64, 32]}},
 "nodes": {"s": {"pass": "toy/source"}, "m": {"pass": "toy/mix", "in": {"sources": "h"}}}})")
                           .build(shaders_, assets_);
    ASSERT_FALSE(built.has_value());
    EXPECT_EQ(built.error().front().code, "config/history-mismatch");
    EXPECT_EQ(built.error().front().where.line, 2);
    EXPECT_EQ(built.error().front().where.column, 28);
}

TEST_F(ConfigTest, AnOutputThatIsOverwrittenIsCopiedFirst) {
    const ConfiguredGraph built = build(sound(R"({"tuff": 1,
        "outputs": {"before": "s.result", "after": {"from": "t.result", "file": "t.png"}},
        "nodes": {"s": {"pass": "toy/source"},
                  "t": {"pass": "toy/stamp", "in": {"target": "s.result"}}}})"));
    ASSERT_EQ(built.graph.outputs.size(), 2u);
    for (const OutputDesc& output : built.graph.outputs)
        EXPECT_FALSE(built.graph.versions[output.version.index].next);
    const auto name = [&](std::size_t i) { return built.graph.name(built.graph.outputs[i].name); };
    EXPECT_EQ(name(0), "after");
    EXPECT_EQ(name(1), "before");
    EXPECT_EQ(built.outputs[0].file, "t.png");
    EXPECT_NE(built.graph.versions[built.graph.outputs[0].version.index].resource,
              built.graph.versions[built.graph.outputs[1].version.index].resource);
}

TEST_F(ConfigTest, ListInputsTakeWiresInOrder) {
    const ConfiguredGraph built = build(sound(R"({"tuff": 1, "outputs": {"o": "m.result"},
        "nodes": {"b": {"pass": "toy/source"}, "a": {"pass": "toy/source"},
                  "m": {"pass": "toy/mix", "in": {"sources": ["b.result", "a.result"]}}}})"));
    const auto mix = std::ranges::find_if(
        built.graph.nodes, [&](const NodeDesc& n) { return built.graph.name(n.name) == "m/mix"; });
    ASSERT_NE(mix, built.graph.nodes.end());
    const auto source = [&](std::uint32_t i) {
        const AccessDesc& access = built.graph.accesses[mix->first_access + i];
        const ResourceId id = built.graph.versions[access.read.index].resource;
        return built.graph.name_of(id);
    };
    EXPECT_EQ(source(0), "b/fill");
    EXPECT_EQ(source(1), "a/fill");
}

TEST_F(ConfigTest, MembersOfABundleCanBeOutputs) {
    Config config = sound(R"({"tuff": 1, "outputs": {"o": "g.grid.cells"},
        "nodes": {"g": {"pass": "toy/grid"}}})");
    EXPECT_EQ(build(config).graph.outputs.size(), 1u);
    const auto built = sound(R"({"tuff": 1, "outputs": {"o": "g.grid.sells"},
        "nodes": {"g": {"pass": "toy/grid"}}})")
                           .build(shaders_, assets_);
    ASSERT_FALSE(built.has_value());
    EXPECT_EQ(built.error().front().code, "config/unknown-port");
    EXPECT_THAT(built.error().front().hint, HasSubstr("cells"));
}

TEST_F(ConfigTest, MoreOutputsCanBeAskedFor) {
    write("post.json", R"({"tuff": 1, "inputs": {"in": "Image"}, "outputs": {"out": "b.result"},
        "nodes": {"b": {"pass": "toy/blur", "in": {"source": "in"}}}})");
    Config config = sound(R"({"tuff": 1, "outputs": {"o": "p.out"},
        "nodes": {"s": {"pass": "toy/source"}, "g": {"pass": "toy/grid"},
                  "p": {"use": "post.json", "in": {"in": "s.result"}}}})");
    const auto code = [&](std::string_view wire) {
        const Result<void> added = config.add_output(wire);
        return added ? std::string("none") : added.error().front().code;
    };
    EXPECT_EQ(code("s.result"), "none");
    EXPECT_EQ(code("s.result"), "none");
    EXPECT_EQ(code("p/b.result"), "none");
    EXPECT_EQ(code("g.grid.cells"), "none");
    EXPECT_EQ(code("q/b.result"), "config/unknown-wire");
    EXPECT_EQ(code("x.result"), "config/unknown-wire");
    EXPECT_EQ(code("s.resul"), "config/unknown-port");
    EXPECT_EQ(code("g.grid"), "config/wrong-port-type");
    EXPECT_EQ(code(""), "config/unknown-wire");
    EXPECT_EQ(build(config).graph.outputs.size(), 4u);
}

TEST_F(ConfigTest, AUsedConfigIsANode) {
    write("post.json", R"({"tuff": 1, "inputs": {"in": "Image"}, "outputs": {"out": "b.result"},
        "params": {"amount": {"default": 1, "range": [0, 9]}},
        "nodes": {"b": {"pass": "toy/blur", "in": {"source": "in"},
                        "params": {"sigma": "$amount", "label": "used"}}}})");
    const Config config = sound(R"({"tuff": 1, "outputs": {"o": "twice.out"},
        "params": {"a": 4},
        "nodes": {"s": {"pass": "toy/source"},
                  "once": {"use": "post.json", "in": {"in": "s.result"}},
                  "twice": {"use": "post.json", "in": {"in": "once.out"},
                            "params": {"amount": "$a"}}}})");
    const ConfiguredGraph built = build(config);
    EXPECT_THAT(node_names(built), ElementsAre("s", "once/b", "twice/b"));
    EXPECT_EQ(toys::built_blurs().at("used").sigma, 4.0f);
    EXPECT_EQ(config.files().size(), 2u);
}

TEST_F(ConfigTest, MistakesInAndAroundUsedConfigsHavePlaces) {
    write("post.json", R"({"tuff": 1, "inputs": {"in": "Image"}, "outputs": {"out": "b.resul"},
 "params": {"amount": {"default": 1, "range": [0, 9]}},
 "nodes": {"b": {"pass": "toy/blur", "in": {"source": "in"}, "params": {"sigma": "$amount"}}}})");
    const auto config = parse(R"({"tuff": 1, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source"}, "g": {"pass": "toy/grid"},
  "a": {"use": "post.json", "in": {"inn": "s.result"}},
  "b": {"use": "post.json", "in": {"in": "g.grid"}, "params": {"amount": 10}},
  "c": {"use": "post.json", "in": {"in": "s.result"}, "params": {"amuont": 1}}}})");
    ASSERT_FALSE(config.has_value());
    std::vector<std::string> found;
    for (const Diagnostic& d : config.error())
        found.push_back(std::filesystem::path(d.where.file).filename().string() + ":" +
                        std::to_string(d.where.line) + " " + d.code);
    EXPECT_THAT(found,
                testing::UnorderedElementsAre(
                    "post.json:1 config/unknown-port", "test.json:3 config/unknown-port",
                    "test.json:3 config/missing-input", "test.json:4 config/wrong-port-type",
                    "test.json:4 config/out-of-range", "test.json:5 config/unknown-parameter"))
        << to_string(config.error());
}

TEST_F(ConfigTest, AnInputOfUnknownTypeIsRefused) {
    write("post.json", R"({"tuff": 1, "inputs": {"in": "Imag"}, "outputs": {"out": "in"}})");
    const auto config = parse(R"({"tuff": 1, "outputs": {"o": "u.out"},
        "nodes": {"s": {"pass": "toy/source"},
                  "u": {"use": "post.json", "in": {"in": "s.result"}}}})");
    ASSERT_FALSE(config.has_value());
    EXPECT_EQ(config.error()[0].code, "config/unknown-port-type");
    EXPECT_EQ(config.error()[0].where.column, 30);
    EXPECT_THAT(config.error()[0].hint, HasSubstr("Image"));
}

TEST_F(ConfigTest, AFaultyParameterIsReportedOnceAndNotWhereItIsUsed) {
    const auto config = parse(blur_config(R"("sigma": "$k")", R"("params": {"k": null}, )"));
    ASSERT_FALSE(config.has_value());
    ASSERT_EQ(config.error().size(), 1u) << to_string(config.error());
    EXPECT_EQ(config.error()[0].code, "config/wrong-type");
}

/// Each keeps what the other held an execution ago: a circle, but none within an execution.
TEST_F(ConfigTest, HistoriesMayKeepEachOtherAndThemselves) {
    const ConfiguredGraph built = build(sound(R"({"tuff": 1, "outputs": {"o": "b.result"},
        "history": {"x": {"from": "y", "format": "rgba32_sfloat", "size": [64, 32]},
                    "y": {"from": "x", "format": "rgba32_sfloat", "size": [64, 32]},
                    "z": {"from": "z", "format": "rgba32_sfloat", "size": [64, 32]}},
        "nodes": {"b": {"pass": "toy/blur", "in": {"source": "x"}}}})"));
    const Result<Plan> plan = compile(built.graph, DeviceCaps{});
    ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
    EXPECT_EQ(plan->order.size(), 4u); // the blur and three copies
}

TEST_F(ConfigTest, ConfigsThatUseEachOtherAreRefused) {
    write("a.json", R"({"tuff": 1, "outputs": {"o": "b.o"}, "nodes": {"b": {"use": "b.json"}}})");
    write("b.json", R"({"tuff": 1, "outputs": {"o": "a.o"}, "nodes": {"a": {"use": "a.json"}}})");
    const auto config = Config::load(folder_ / "a.json", registry_);
    ASSERT_FALSE(config.has_value());
    ASSERT_EQ(config.error().size(), 1u) << to_string(config.error());
    EXPECT_EQ(config.error()[0].code, "config/use-cycle");
    EXPECT_THAT(config.error()[0].message, HasSubstr("a.json -> b.json -> a.json"));
}

TEST_F(ConfigTest, AWireThatOnlyRunsThroughUsedConfigsInACircleIsRefused) {
    write("pass.json", R"({"tuff": 1, "inputs": {"i": "Image"}, "outputs": {"o": "i"}})");
    const auto config = parse(R"({"tuff": 1, "outputs": {"o": "a.o"}, "nodes": {
        "a": {"use": "pass.json", "in": {"i": "b.o"}},
        "b": {"use": "pass.json", "in": {"i": "a.o"}}}})");
    ASSERT_FALSE(config.has_value());
    EXPECT_EQ(config.error()[0].code, "config/cycle");
}

TEST_F(ConfigTest, ConfigsThatMultiplyAreStopped) {
    const std::string outputs = R"({"tuff": 1, "outputs": {"o": "s.result"}, "nodes": {)";
    const std::string source = R"("s": {"pass": "toy/source"})";
    for (int level = 0; level < 24; ++level) {
        const std::string next = "\"l" + std::to_string(level + 1) + ".json\"";
        write("l" + std::to_string(level) + ".json", outputs + source +
                                                         ", \"a\": {\"use\": " + next +
                                                         "}, \"b\": {\"use\": " + next + "}}}");
    }
    write("l24.json", outputs + source + "}}");
    const auto config = Config::load(folder_ / "l0.json", registry_);
    ASSERT_FALSE(config.has_value());
    EXPECT_EQ(config.error()[0].code, "config/too-large");
}

TEST_F(ConfigTest, AllMistakesAreReportedTogetherInOrder) {
    const auto config = parse(R"({"tuff": 1, "size": [0, 0],
 "outputs": {"o": "x.result"},
 "nodes": {"b": {"pass": "toy/blur", "params": {"sigma": -1, "nothing": 1}},
  "c": {"pass": "toy/none"}}})");
    ASSERT_FALSE(config.has_value());
    std::vector<std::string> codes;
    for (const Diagnostic& d : config.error())
        codes.push_back(d.code);
    EXPECT_THAT(codes,
                ElementsAre("config/bad-size", "config/unknown-wire", "config/missing-input",
                            "pass/out-of-range", "config/unknown-parameter", "config/unknown-pass"))
        << to_string(config.error());
}

TEST_F(ConfigTest, ComplaintsOfAPassGetThePlaceOfItsNode) {
    const std::string_view text = R"({"tuff": 1, "outputs": {"o": "c.result"},
 "params": {"f": false},
 "nodes": {"a": {"pass": "toy/source"}, "c": {"pass": "toy/complain", "params": {"fatal": "$f"}}}})";
    Config config = sound(text);
    const ConfiguredGraph built = build(config);
    ASSERT_EQ(built.graph.diagnostics.size(), 1u);
    EXPECT_EQ(built.graph.diagnostics[0].code, "toy/odd");
    EXPECT_EQ(built.graph.diagnostics[0].where.line, 3);
    EXPECT_EQ(built.graph.diagnostics[0].where.column, 41);

    ASSERT_TRUE(config.set("f", "true"));
    const auto failed = config.build(shaders_, assets_);
    ASSERT_FALSE(failed.has_value());
    EXPECT_TRUE(std::ranges::any_of(failed.error(), [](const Diagnostic& d) {
        return d.code == "toy/bad" && d.where.line == 3 && d.where.column == 41;
    })) << to_string(failed.error());
}

TEST_F(ConfigTest, UnusedThingsAreWarnedOf) {
    const Config config = sound(R"({"tuff": 1, "outputs": {"o": "s.result"}, "params": {"p": 1},
        "assets": {"a": {"generate": "noise"}},
        "history": {"h": {"from": "s.result", "format": "rgba8_unorm", "size": [8, 8]}},
        "nodes": {"s": {"pass": "toy/source"}}})");
    std::vector<std::string> codes;
    for (const Diagnostic& d : config.warnings())
        codes.push_back(d.code);
    EXPECT_THAT(codes, ElementsAre("config/unused-parameter", "config/unused-asset",
                                   "config/unused-history"));
}

TEST_F(ConfigTest, MissingAndUnreadableFilesAreReported) {
    const auto missing = Config::load(folder_ / "none.json", registry_);
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error()[0].code, "config/not-found");
    const auto folder = Config::load(folder_, registry_);
    ASSERT_FALSE(folder.has_value());
    EXPECT_EQ(folder.error()[0].code, "config/unreadable");
}

} // namespace
} // namespace tuff
