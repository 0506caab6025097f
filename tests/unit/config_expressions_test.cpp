#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Configs whose values are computed, around a pass `toy/blur`.
class ConfigExpressions : public testing::Test {
  protected:
    ConfigExpressions() : folder_(test::empty_folder()) { toys::built_blurs().clear(); }

    /// A source `s` and a blur `b` of these parameters.
    static std::string text(std::string_view parameters, std::string_view declared = "{}",
                            std::string_view node = "") {
        return fmt::format(R"({{"tuff": 1, "size": [320, 200], "outputs": {{"o": "b.result"}},
 "params": {},
 "nodes": {{"s": {{"pass": "toy/source"}}, "b": {{"pass": "toy/blur", "in": {{"source": "s.result"}},
 {} "params": {{{}}}}}}}}})",
                           declared, node, parameters);
    }
    Result<Config> parse(std::string_view written) {
        return Config::parse(written, folder_ / "test.json", registry_);
    }
    Config sound(std::string_view written) {
        Result<Config> config = parse(written);
        if (!config) throw std::runtime_error(to_string(config.error()));
        return std::move(*config);
    }
    toys::Blur built(const Config& config, const FrameTime& frame = {},
                     const std::string& label = {}) {
        const Result<ConfiguredGraph> graph = config.build(shaders_, assets_, frame);
        if (!graph) throw std::runtime_error(to_string(graph.error()));
        return toys::built_blurs().at(label);
    }
    /// Of a config that is refused for one reason.
    Diagnostic refusal(std::string_view written) {
        const Result<Config> config = parse(written);
        if (config) {
            ADD_FAILURE() << "sound: " << written;
            return {.code = "none", .message = {}, .where = {}};
        }
        EXPECT_EQ(config.error().size(), 1u) << to_string(config.error());
        return config.error().front();
    }

    std::filesystem::path folder_;
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

TEST_F(ConfigExpressions, AreWorkedOutForThoseWhoShowParameters) {
    Config config =
        sound(text(R"x("sigma": "=2*$s", "radius": "=floor($width/100)", "label": "$frame_of")x",
                   R"({"s": 1.5, "frame_of": "first"})"));
    using Values = std::map<std::string, ParameterValue, std::less<>>;
    EXPECT_EQ(config.values(), (Values{{"s", 1.5},
                                       {"frame_of", std::string("first")},
                                       {"b.sigma", 3.0},
                                       {"b.radius", 3.0},
                                       {"b.label", std::string("first")}}));
    // What is set from outside counts, the size as well.
    ASSERT_TRUE(config.set("width", "640"));
    ASSERT_TRUE(config.set("s", "2"));
    EXPECT_EQ(config.values().at("b.radius"), ParameterValue(6.0));
    EXPECT_EQ(config.values().at("b.sigma"), ParameterValue(4.0));
    ASSERT_TRUE(config.set("b.sigma", "9"));
    EXPECT_EQ(config.values().at("b.sigma"), ParameterValue(std::int64_t{9}));
}

TEST_F(ConfigExpressions, OfTimeAreWorkedOutAtTheFrameAskedFor) {
    const Config config = sound(text(R"x("sigma": "=1+$time")x"));
    EXPECT_EQ(config.values().at("b.sigma"), ParameterValue(1.0));
    EXPECT_EQ(config.values({.frame = 60, .time = 2.0}).at("b.sigma"), ParameterValue(3.0));
}

TEST_F(ConfigExpressions, StandWhereverAValueStands) {
    const toys::Blur blur =
        built(sound(text(R"x("sigma": "=2*$s+1", "radius": "=floor($width/100)", "wrap": "=$s > 1",
               "mode": "=select($s > 1, 'hard', 'soft')", "label": "==x",
               "weights": [["=$s", 1], [2, "=-$s"]], "camera": {"angle": "=max(90, 4)"})x",
                         R"({"s": 2.5})")),
              {}, "=x");
    EXPECT_EQ(blur.sigma, 6.0f);
    EXPECT_EQ(blur.radius, 3);
    EXPECT_TRUE(blur.wrap);
    EXPECT_EQ(blur.mode, toys::Mode::hard);
    EXPECT_THAT(blur.weights, ElementsAre(2.5f, 1.0f, 2.0f, -2.5f));
    EXPECT_EQ(blur.camera.angle, 90.0f);
}

TEST_F(ConfigExpressions, FollowTheFrame) {
    const Config config = sound(
        text(R"("sigma": "=10+$k", "radius": "=$frame % 4")", R"x({"k": "=5*sin(2*pi*$time)"})x"));
    EXPECT_TRUE(config.animated());
    for (const std::int64_t frame : {0, 1, 5, 7}) {
        const double time = static_cast<double>(frame) / 8.0;
        const toys::Blur blur = built(config, {.frame = frame, .time = time});
        EXPECT_EQ(blur.sigma, static_cast<float>(10.0 + 5.0 * std::sin(2.0 * M_PI * time)));
        EXPECT_EQ(blur.radius, frame % 4);
    }
}

TEST_F(ConfigExpressions, ParametersReferToParametersInAnyOrder) {
    Config config = sound(text(R"("sigma": "$a")", R"({"a": "=$b+1", "b": "=2*$c", "c": 3,
        "d": {"default": "=$a", "range": [0, 20]}, "unused": 1})"));
    EXPECT_EQ(built(config).sigma, 7.0f);
    ASSERT_TRUE(config.set("c", "4"));
    EXPECT_EQ(built(config).sigma, 9.0f) << "what is bound follows what is set";
    const std::vector<ConfigParameter> shown = config.parameters();
    EXPECT_EQ(shown[0].value, ParameterValue(9.0));
    EXPECT_EQ(shown[0].follows, "=$b+1");
    EXPECT_EQ(shown[2].follows, "");
    ASSERT_TRUE(config.set("a", "=2*8"));
    EXPECT_EQ(built(config).sigma, 16.0f) << "a setting takes the place of the expression";
    EXPECT_EQ(config.parameters()[0].follows, "");
    EXPECT_EQ(config.set("a", "=$c").error().front().code, "config/wrong-type");
    ASSERT_EQ(config.warnings().size(), 2u) << to_string(config.warnings());
}

TEST_F(ConfigExpressions, CyclesAreErrorsThatNameThem) {
    const Diagnostic found =
        refusal(text(R"("sigma": "$a")", R"({"a": "=$b+1", "b": "$c", "c": ["=2*$a"]})"));
    EXPECT_EQ(found.code, "config/cycle");
    EXPECT_THAT(found.message, HasSubstr("$a -> $b -> $c -> $a"));
    EXPECT_EQ(found.where.line, 2);
    EXPECT_EQ(refusal(text(R"("sigma": "$a")", R"({"a": "=$a"})")).code, "config/cycle");
}

TEST_F(ConfigExpressions, ChainsOfParametersMayBeLong) {
    std::string declared = R"({"p0": 0)";
    for (int i = 1; i < 20'000; ++i)
        declared += fmt::format(R"(, "p{}": "=$p{}")", i, i - 1);
    declared += R"(, "a": "=$p19999+5"})";
    EXPECT_EQ(built(sound(text(R"("sigma": "$a")", declared))).sigma, 5.0f);
}

TEST_F(ConfigExpressions, ErrorsPointIntoTheText) {
    const auto at = [&](std::string_view sigma) {
        const Diagnostic found = refusal(text(fmt::format("\n\"sigma\": \"={}\"", sigma),
                                              R"({"zero": 0, "list": [1, 2], "on": true})"));
        EXPECT_EQ(found.where.line, 5);
        return fmt::format("{} {}+{}", found.code, found.where.column, found.where.length);
    };
    // The text begins at column 10, its expression at 12.
    EXPECT_EQ(at("1 + * 2"), "config/bad-expression 16+1");
    EXPECT_EQ(at("1 + nine(2)"), "config/bad-expression 16+4");
    EXPECT_EQ(at("1 + $ten"), "config/unknown-parameter 16+4");
    EXPECT_EQ(at("1 + 2/$zero"), "config/not-a-number 17+6");
    EXPECT_EQ(at("1 + $list"), "config/wrong-type 16+5");
    EXPECT_EQ(at("1 + sqrt(-1)"), "config/not-a-number 16+8");
    EXPECT_EQ(at("$iteration"), "config/unknown-parameter 12+10");
    // With escapes the whole text is marked, and the message counts.
    const Diagnostic escaped = refusal(text(R"("sigma": "=1 \u002b * 2")"));
    EXPECT_THAT(escaped.message, HasSubstr("character 6 of \"=1 + * 2\""));
}

TEST_F(ConfigExpressions, FractionsAreRefusedWhereWholeNumbersAreAsked) {
    const Diagnostic found = refusal(text(R"("radius": "=$width/64+0.5")"));
    EXPECT_EQ(found.code, "pass/wrong-type");
    EXPECT_THAT(found.message, HasSubstr("whole numbers, not 5.5"));
    EXPECT_THAT(found.hint, HasSubstr("floor"));
    EXPECT_EQ(refusal(text("", "{}", R"("repeat": "=5/2", "carry": {"source": "result"},)")).code,
              "config/out-of-range");
}

TEST_F(ConfigExpressions, ValuesThatLeaveTheirRangeNameFrameParameterAndValue) {
    const Config config = sound(text(R"("sigma": "=4*$frame")"));
    const auto refused = config.build(shaders_, assets_, {.frame = 17, .time = 0.5});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().front().message, HasSubstr("\"sigma\" is 68 texels"));
    EXPECT_THAT(refused.error().front().message, HasSubstr("at frame 17"));
    EXPECT_EQ(refused.error().front().where.line, 4);

    const Config divides = sound(text(R"x("sigma": "=1/(3-$frame)")x"));
    const auto by_zero = divides.build(shaders_, assets_, {.frame = 3, .time = 0.1});
    ASSERT_FALSE(by_zero);
    EXPECT_THAT(by_zero.error().front().message, HasSubstr("divided by zero at frame 3"));

    EXPECT_THAT(
        refusal(text(R"("sigma": "=2*$k")", R"({"k": {"keys": [[0, 1], [2, 40]]}})")).message,
        HasSubstr("80 texels, outside its range at 2 s"));
}

TEST_F(ConfigExpressions, KeyframesEase) {
    const auto at = [&](std::string_view easing, double time) {
        return built(sound(text(fmt::format(
                         R"("sigma": {{"keys": [[0, 10], [1, 20], [3, 60]], "easing": "{}"}})",
                         easing))),
                     {.time = time})
            .sigma;
    };
    EXPECT_FLOAT_EQ(at("linear", 0.25), 12.5f);
    EXPECT_FLOAT_EQ(at("smooth", 0.25), 10.0f + 10.0f * 0.15625f);
    EXPECT_FLOAT_EQ(at("step", 0.99), 10.0f);
    EXPECT_FLOAT_EQ(at("step", 1.0), 20.0f);
    EXPECT_FLOAT_EQ(at("ease-in", 0.5), 10.0f + 10.0f * 0.125f);
    EXPECT_FLOAT_EQ(at("ease-out", 0.5), 10.0f + 10.0f * 0.875f);
    EXPECT_FLOAT_EQ(at("ease-in-out", 0.25), 10.0f + 10.0f * 0.0625f);
    EXPECT_FLOAT_EQ(at("ease-in-out", 0.75), 10.0f + 10.0f * 0.9375f);
    for (const char* easing :
         {"linear", "smooth", "step", "ease-in", "ease-out", "ease-in-out", "cubic"}) {
        EXPECT_FLOAT_EQ(at(easing, -1), 10.0f) << easing;
        EXPECT_FLOAT_EQ(at(easing, 1), 20.0f) << easing;
        EXPECT_FLOAT_EQ(at(easing, 9), 60.0f) << easing;
    }
}

TEST_F(ConfigExpressions, CubicKeyframesGoThroughTheirKeysWithoutAKinkAndStayBetweenThem) {
    const Config config = sound(text(
        R"("sigma": {"keys": [[0, 0], [1, 1], [3, 30], [4, 30], [5, 2]], "easing": "cubic"})"));
    const auto at = [&](double time) {
        return static_cast<double>(built(config, {.time = time}).sigma);
    };
    constexpr double kStep = 1e-3;
    for (const double key : {1.0, 3.0, 4.0})
        EXPECT_NEAR((at(key) - at(key - kStep)) / kStep, (at(key + kStep) - at(key)) / kStep, 0.1)
            << key;
    double before = 0.0;
    for (double time = 0.0; time <= 4.0; time += 1.0 / 64) {
        EXPECT_GE(at(time), before - 1e-5) << "rises at " << time;
        EXPECT_LE(at(time), 30.0 + 1e-5);
        before = at(time);
    }
}

TEST_F(ConfigExpressions, KeyframesLoop) {
    const auto at = [&](std::string_view loop, double time) {
        return built(
                   sound(text(
                       R"("sigma": "$k")",
                       fmt::format(
                           R"({{"k": {{"keys": [[1, 10], [3, 30]], "loop": "{}", "range": [0, 50]}}}})",
                           loop))),
                   {.time = time})
            .sigma;
    };
    EXPECT_FLOAT_EQ(at("hold", 7.5), 30.0f);
    EXPECT_FLOAT_EQ(at("repeat", 3.5), 15.0f);
    EXPECT_FLOAT_EQ(at("repeat", 7.5), 15.0f);
    EXPECT_FLOAT_EQ(at("repeat", 0.5), 25.0f) << "before the first, too";
    EXPECT_FLOAT_EQ(at("ping-pong", 3.5), 25.0f);
    EXPECT_FLOAT_EQ(at("ping-pong", 5.5), 15.0f);
    EXPECT_FLOAT_EQ(at("ping-pong", 0.5), 15.0f);
    EXPECT_EQ(refusal(text(R"("sigma": {"keys": [[0, 1]], "loop": "again"})")).code,
              "config/bad-keys");
    EXPECT_EQ(refusal(text(R"("sigma": {"keys": [[0, 1]], "easing": 3})")).code, "config/bad-keys");
}

TEST_F(ConfigExpressions, IterationsOfAPassHaveTheirNumber) {
    built(
        sound(text(R"x("label": "=select($iteration == 0, 'a', select($iteration == 1, 'b', 'c'))",
                       "sigma": "=4*$iteration+1")x",
                   "{}", R"("repeat": 3, "carry": {"source": "result"},)")),
        {}, "a");
    EXPECT_EQ(toys::built_blurs().at("a").sigma, 1.0f);
    EXPECT_EQ(toys::built_blurs().at("b").sigma, 5.0f);
    EXPECT_EQ(toys::built_blurs().at("c").sigma, 9.0f);
    EXPECT_THAT(refusal(text(R"("sigma": "=40*$iteration")", "{}",
                             R"("repeat": 3, "carry": {"source": "result"},)"))
                    .message,
                HasSubstr("in iteration 2"));
}

TEST_F(ConfigExpressions, IterationsOfAUsedConfigHaveTheirNumber) {
    std::ofstream(folder_ / "step.json") << R"x({"tuff": 1, "inputs": {"input": "Image"},
        "params": {"sigma": 1}, "outputs": {"output": "y.result"}, "nodes": {
        "y": {"pass": "toy/blur", "in": {"source": "input"},
              "params": {"sigma": "$sigma", "radius": "=$iteration",
                         "label": "=select($iteration == 0, 'a', 'b')"}}}})x";
    built(sound(R"x({"tuff": 1, "outputs": {"o": "b.output"}, "nodes": {
        "s": {"pass": "toy/source"},
        "b": {"use": "step.json", "in": {"input": "s.result"}, "repeat": 2,
              "params": {"sigma": "=10*$iteration+3"}, "carry": {"input": "output"}}}})x"),
          {}, "a");
    EXPECT_EQ(toys::built_blurs().at("a").sigma, 3.0f);
    EXPECT_EQ(toys::built_blurs().at("a").radius, 0);
    EXPECT_EQ(toys::built_blurs().at("b").sigma, 13.0f);
    EXPECT_EQ(toys::built_blurs().at("b").radius, 1);
}

TEST_F(ConfigExpressions, NumbersOfAssetsAndHistoriesAreComputed) {
    const Config config = sound(R"({"tuff": 1, "params": {"n": 4},
        "assets": {"a": {"generate": "checker", "size": ["=4*$n", "=$n"], "cell": "=$n/2"},
                   "c": {"generate": "constant", "color": ["=$n/8", 0, 0, 1], "format": "rgba32_sfloat",
                         "size": [1, 1]}},
        "history": {"h": {"from": "b.result", "format": "rgba8_unorm", "size": ["=4*$n", 4],
                          "clear": ["=$n/16", 0, 0, 0]}},
        "outputs": {"o": "b.result"}, "nodes": {
            "b": {"pass": "toy/blur", "in": {"source": "a"}, "params": {"label": "x"}},
            "m": {"pass": "toy/mix", "in": {"sources": ["c", "h"]}}}})");
    const auto graph = config.build(shaders_, assets_);
    ASSERT_TRUE(graph) << to_string(graph.error());
    for (const ResourceDesc& resource : graph->graph.resources) {
        const std::string_view name = graph->graph.name(resource.name);
        if (name == "a") {
            EXPECT_EQ(resource.image().extent, (Extent{16, 4, 1}));
            const auto* texels = reinterpret_cast<const std::uint8_t*>(resource.contents->data());
            EXPECT_NE(texels[0], texels[4 * 2]) << "squares of two texels";
            EXPECT_EQ(texels[0], texels[4 * 1]);
        }
        if (name == "c") {
            float red = 0.0f;
            std::memcpy(&red, resource.contents->data(), sizeof(red));
            EXPECT_EQ(red, 0.5f);
        }
        if (resource.lifetime == Lifetime::history) {
            EXPECT_EQ(std::get<0>(resource.history_clear)[0], 0.25f);
        }
    }
    EXPECT_EQ(refusal(R"({"tuff": 1, "outputs": {"o": "a"},
        "assets": {"a": {"generate": "checker", "cell": "=5/2"}}})")
                  .code,
              "config/out-of-range");
    EXPECT_EQ(refusal(R"({"tuff": 1, "outputs": {"o": "a"},
        "assets": {"a": {"generate": "noise", "seed": "=0-1"}}})")
                  .code,
              "config/out-of-range");
    EXPECT_EQ(sound(R"({"tuff": 1, "size": ["=16*40", 4], "outputs": {"o": "a"},
        "assets": {"a": {"generate": "noise"}}})")
                  .width(),
              640u);
    EXPECT_EQ(refusal(R"({"tuff": 1, "size": ["=$x", 4], "outputs": {"o": "a"},
        "assets": {"a": {"generate": "noise"}}})")
                  .code,
              "config/unknown-parameter");
}

// --- when and else -------------------------------------------------------------------------------

TEST_F(ConfigExpressions, ANodeThatIsOffIsReplacedByItsElse) {
    Config config = sound(R"x({"tuff": 1, "params": {"debug": false},
        "outputs": {"o": "m.result"}, "nodes": {"s": {"pass": "toy/source"},
        "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "when": "$debug",
              "else": "s.result", "params": {"sigma": "=select($debug, 3, 1/0)"}},
        "m": {"pass": "toy/blur", "in": {"source": "b.result"}, "params": {"label": "m"}}}})x");
    const auto names = [&] {
        std::vector<std::string> result;
        const auto graph = config.build(shaders_, assets_);
        if (!graph) return std::vector{to_string(graph.error())};
        for (const ConfiguredNode& node : graph->nodes)
            result.push_back(node.name);
        return result;
    };
    EXPECT_THAT(names(), ElementsAre("s", "m"));
    ASSERT_TRUE(config.set("debug", "true"));
    EXPECT_THAT(names(), ElementsAre("s", "b", "m"));
}

TEST_F(ConfigExpressions, LoopsAndUsedConfigsAreSwitchedAsAWhole) {
    std::ofstream(folder_ / "post.json") << R"({"tuff": 1, "inputs": {"input": "Image"},
        "outputs": {"output": "y.result"}, "nodes": {
        "y": {"pass": "toy/blur", "in": {"source": "input"}}}})";
    Config config = sound(R"({"tuff": 1, "params": {"n": 0}, "outputs": {"o": "u.output"},
        "nodes": {"s": {"pass": "toy/source"},
        "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "repeat": 2,
              "carry": {"source": "result"}, "when": "=$n > 0", "else": {"result": "s.result"}},
        "u": {"use": "post.json", "in": {"input": "b.result"}, "when": "=$n > 1",
              "else": "b.result"}}})");
    const auto count = [&] {
        const auto graph = config.build(shaders_, assets_);
        return graph ? std::to_string(graph->nodes.size()) : to_string(graph.error());
    };
    EXPECT_EQ(count(), "1");
    ASSERT_TRUE(config.set("n", "1"));
    EXPECT_EQ(count(), "3");
    ASSERT_TRUE(config.set("n", "2"));
    EXPECT_EQ(count(), "4");
}

TEST_F(ConfigExpressions, WhatIsOffWithoutAnElseIsLeftOutWhereItCanBe) {
    const auto graph = sound(R"({"tuff": 1, "outputs": {"o": "m.result"}, "nodes": {
        "s": {"pass": "toy/source"}, "d": {"pass": "toy/source", "when": false},
        "m": {"pass": "toy/mix", "in": {"sources": ["s.result", "d.result"]}}}})")
                           .build(shaders_, assets_);
    ASSERT_TRUE(graph) << to_string(graph.error());
    EXPECT_EQ(graph->nodes.size(), 2u);

    const auto refused = sound(R"({"tuff": 1, "outputs": {"o": "b.result"}, "nodes": {
        "s": {"pass": "toy/source", "when": false},
        "b": {"pass": "toy/blur", "in": {"source": "s.result"}}}})")
                             .build(shaders_, assets_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "config/no-such-result");
    EXPECT_THAT(refused.error().front().hint, HasSubstr("else"));
    EXPECT_EQ(refused.error().front().where.line, 3);
}

TEST_F(ConfigExpressions, MistakesOfSwitchesAreReported) {
    const auto code = [&](std::string_view member) {
        return refusal(text("", R"({"n": 1})", member)).code;
    };
    EXPECT_EQ(code(R"("when": "$n", "else": "s.result",)"), "config/wrong-type");
    EXPECT_EQ(code(R"("when": 1, "else": "s.result",)"), "config/wrong-type");
    EXPECT_EQ(code(R"("else": "s.result",)"), "config/bad-node");
    EXPECT_EQ(code(R"("when": "=$n > 1", "else": "x.result",)"), "config/unknown-wire");
    EXPECT_EQ(code(R"("when": "=$n > 1", "else": {"resalt": "s.result"},)"), "config/unknown-port");
    EXPECT_EQ(code(R"("when": "=$n > 1", "else": 3,)"), "config/wrong-type");
    EXPECT_EQ(code(R"("when": "=$n > 1", "else": "b.result",)"), "config/cycle");
}

TEST_F(ConfigExpressions, TheValuesThatTheSchemaNames) {
    const std::string schema = json_schema(registry_);
    for (const char* word : {"ping-pong", "ease-in-out", "\"formula\"", "\"when\"", "\"else\""})
        EXPECT_THAT(schema, HasSubstr(word));
}

} // namespace
} // namespace tuff
