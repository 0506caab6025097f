#include "config_toys.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace tuff {
namespace {

/// Texts that no user writes: none may end the process or take long.
class HostileConfig : public testing::Test {
  protected:
    Diagnostics errors_of(std::string_view text) {
        const Result<Config> config = Config::parse(text, "hostile.json", registry_);
        return config ? Diagnostics{} : config.error();
    }
    PassRegistry registry_ = toys::make_registry();
};

TEST_F(HostileConfig, DeepBracketsAreRefusedAtTheBracket) {
    const std::string lists(100'000, '[');
    const Diagnostics errors = errors_of(lists);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].code, "config/too-deep");
    EXPECT_EQ(errors[0].where.column, 65);

    std::string objects;
    for (int i = 0; i < 100'000; ++i)
        objects += "{\"a\":";
    EXPECT_EQ(errors_of(objects).at(0).code, "config/too-deep");
}

TEST_F(HostileConfig, BracketsInTextsAndCommentsDoNotCount) {
    const std::string brackets(1000, '[');
    const Diagnostics errors = errors_of("{\"tuff\": 1, // " + brackets + "\n/*" + brackets +
                                         "*/ \"description\": \"\\\"" + brackets + "\"}");
    ASSERT_EQ(errors.size(), 1u) << to_string(errors);
    EXPECT_EQ(errors[0].code, "config/no-outputs");
}

TEST_F(HostileConfig, TenMegabytesOfGarbageAreOneError) {
    std::mt19937 random(1);
    std::string bytes(10 << 20, '\0');
    for (char& c : bytes)
        c = static_cast<char>(random() & 0xFF);
    EXPECT_EQ(errors_of(bytes).size(), 1u);
    for (char& c : bytes)
        c = static_cast<char>(' ' + random() % 95);
    EXPECT_EQ(errors_of(bytes).size(), 1u);
}

TEST_F(HostileConfig, EveryTruncationIsAnErrorWithAPlace) {
    const std::string text = R"({"tuff": 1, // comment
 "size": [8, 8], "params": {"a": {"keys": [[0, 1.5e1]]}}, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source", "params": {"size": ["$width", 4]}}}})";
    ASSERT_EQ(to_string(errors_of(text)), "");
    for (std::size_t length = 0; length < text.size(); ++length) {
        const Diagnostics errors = errors_of(text.substr(0, length));
        ASSERT_FALSE(errors.empty()) << length;
        EXPECT_GT(errors[0].where.line, 0) << length;
    }
}

TEST_F(HostileConfig, NoSingleByteChangeEndsTheProcess) {
    const std::string text = R"({"tuff": 1, "assets": {"n": {"generate": "noise", "size": [4, 4]}},
 "history": {"h": {"from": "b.result", "format": "rgba8_unorm", "size": [8, 8]}},
 "outputs": {"o": {"from": "b.result", "file": "x.png"}},
 "nodes": {"b": {"pass": "toy/blur", "in": {"source": "n"}, "params": {"weights": [1, 2]}}}})";
    std::mt19937 random(2);
    for (int i = 0; i < 3000; ++i) {
        std::string changed = text;
        changed[random() % changed.size()] = static_cast<char>(random() & 0xFF);
        to_string(errors_of(changed));
    }
}

TEST_F(HostileConfig, ErrorsBeyondCountingAreSummedUp) {
    std::string text = "{\"tuff\": 1, \"outputs\": {\"o\": \"x.y\"}";
    for (int i = 0; i < 5000; ++i)
        text += ",\n\"k" + std::to_string(i) + "\": 0";
    const Diagnostics errors = errors_of(text + "}");
    ASSERT_LT(errors.size(), 300u);
    EXPECT_EQ(errors.back().code, "config/more-problems");
    EXPECT_THAT(errors.back().message, testing::HasSubstr("4745"));
}

/// "n0" reads nothing or the last, each other node reads the one before.
std::string chain(int count, bool closed) {
    std::string text = "{\"tuff\": 1, \"outputs\": {\"o\": \"n0.result\"}, \"nodes\": {";
    for (int i = 0; i < count; ++i) {
        const bool first = i == 0 && !closed;
        const std::string before = "n" + std::to_string((i + count - 1) % count);
        text +=
            (i ? ",\n\"n" : "\n\"n") + std::to_string(i) + "\": " +
            (first ? "{\"pass\": \"toy/source\"}"
                   : "{\"pass\": \"toy/blur\", \"in\": {\"source\": \"" + before + ".result\"}}");
    }
    return text + "}}";
}

TEST_F(HostileConfig, AHundredThousandNodesInARowAreAConfig) {
    EXPECT_EQ(to_string(errors_of(chain(100'000, false))), "");
}

TEST_F(HostileConfig, ParametersThatReferToTwoOthersEachAreLookedAtOnce) {
    // Followed one by one, the ways from the first to the last would be 2^64.
    std::string chain;
    for (int i = 0; i < 64; ++i)
        chain += fmt::format(R"("a{0}": "=0.5*$a{1}+0.5*$b{1}", "b{0}": "=0.5*$a{1}+0.5*$b{1}", )",
                             i, i + 1);
    for (const bool changes : {false, true}) {
        const Result<Config> config = Config::parse(
            R"({"tuff": 1, "size": [8, 8], "params": {)" + chain + R"("a64": 1, "b64": )" +
                (changes ? R"("=1+0*$time")" : "1") + R"(}, "nodes": {"s": {"pass": "toy/source"},
                "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {"sigma": "$a0"}}},
                "outputs": {"o": "b.result"}})",
            "hostile.json", registry_);
        ASSERT_TRUE(config) << to_string(config.error());
        AssetCache assets;
        const auto built = config->build(toys::NoShaders(), assets);
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(std::ranges::any_of(built->graph.nodes, &NodeDesc::changing), changes);
    }
}

TEST_F(HostileConfig, ACycleOfAHundredThousandNodesIsOneError) {
    const Diagnostics errors = errors_of(chain(100'000, true));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].code, "config/cycle");
    EXPECT_LT(errors[0].message.size(), 1000u);
}

TEST_F(HostileConfig, SeparateCyclesAreSeparateErrors) {
    const Diagnostics errors = errors_of(R"({"tuff": 1, "outputs": {"o": "a.result"}, "nodes": {
        "a": {"pass": "toy/blur", "in": {"source": "b.result"}},
        "b": {"pass": "toy/blur", "in": {"source": "a.result"}},
        "c": {"pass": "toy/blur", "in": {"source": "c.result"}}}})");
    ASSERT_EQ(errors.size(), 2u) << to_string(errors);
    EXPECT_THAT(errors[0].message, testing::HasSubstr("a -> b -> a"));
    EXPECT_THAT(errors[0].hint, testing::HasSubstr("hostile.json:3:"));
    EXPECT_THAT(errors[1].message, testing::HasSubstr("c -> c"));
}

} // namespace
} // namespace tuff
