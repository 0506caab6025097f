// Fields that several processes have in parts, as configs declare them.

#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff {
namespace {

using testing::HasSubstr;

class ConfigDomains : public testing::Test {
  protected:
    static std::string text(std::string_view domain, std::string_view sigma) {
        return fmt::format(R"({{"tuff": 1, {} "outputs": {{"o": "b.result"}},
 "nodes": {{"s": {{"pass": "toy/source"}}, "b": {{"pass": "toy/blur", "in": {{"source": "s.result"}},
 "params": {{"sigma": {}}}}}}}}})",
                           domain, sigma);
    }
    Result<Config> parse(std::string_view written) {
        return Config::parse(written, test::empty_folder() / "test.json", registry_);
    }
    std::string refusal(std::string_view written) {
        const Result<Config> config = parse(written);
        return config ? "none" : config.error().front().code;
    }
    /// What an expression is on a rank of the field of 5 x 7 x 4 cells.
    double value(const Ranks& ranks, std::string_view expression) {
        toys::built_blurs().clear();
        auto config = parse(text(kDomain, fmt::format("\"{}\"", expression)));
        if (!config) throw std::runtime_error(to_string(config.error()));
        if (auto set = config->set_ranks(ranks); !set)
            throw std::runtime_error(to_string(set.error()));
        const auto built = config->build(shaders_, assets_);
        if (!built) throw std::runtime_error(to_string(built.error()));
        return static_cast<double>(toys::built_blurs().at("").sigma);
    }

    static constexpr std::string_view kDomain =
        R"("domain": {"cells": [5, 7, 4], "ranks": [2, 3, 1]},)";
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

TEST_F(ConfigDomains, GiveEachRankItsPart) {
    const Ranks ranks{.grid = {2, 3, 1}, .rank = 3};
    const std::pair<std::string_view, double> values[] = {
        {"rank", 3},    {"ranks", 6},      {"part_x", 3},      {"part_y", 3},
        {"part_z", 0},  {"part_width", 2}, {"part_height", 2}, {"part_depth", 4},
        {"cells_x", 5}, {"cells_y", 7},    {"cells_z", 4}};
    for (const auto& [name, wanted] : values)
        EXPECT_EQ(value(ranks, fmt::format("=${} + 1", name)), wanted + 1) << name;
}

TEST_F(ConfigDomains, AreOneProcesssUnlessRanksAreSet) {
    EXPECT_EQ(value({}, "$part_width"), 5);
    EXPECT_EQ(value({}, "$ranks"), 1);
    EXPECT_EQ(value({}, "=$rank + 1"), 1);
}

TEST_F(ConfigDomains, TellTheirGraphItsRanks) {
    const auto config = parse(text(kDomain, "1"));
    ASSERT_TRUE(config);
    ASSERT_TRUE(config->domain());
    EXPECT_EQ(config->domain()->cells, (std::array<std::uint32_t, 3>{5, 7, 4}));
    EXPECT_EQ(config->domain()->ranks, (std::array<std::uint32_t, 3>{2, 3, 1}));
    EXPECT_FALSE(parse(text("", "1"))->domain());
}

TEST_F(ConfigDomains, AreRefusedWhereTheyAreNone) {
    EXPECT_EQ(refusal(text(R"("domain": {},)", "1")), "config/missing-key");
    EXPECT_EQ(refusal(text(R"("domain": {"cells": [4, 4]},)", "1")), "config/wrong-type");
    EXPECT_EQ(refusal(text(R"("domain": {"cells": [4, 0, 1]},)", "1")), "config/out-of-range");
    EXPECT_EQ(refusal(text(R"("domain": {"cells": [4, 4, 1], "ranks": [2, 1.5, 1]},)", "1")),
              "config/out-of-range");
    EXPECT_EQ(refusal(text(R"("domain": {"cells": [4, 4, 1], "periodic": true},)", "1")),
              "config/unknown-key");
}

TEST_F(ConfigDomains, AreNeededByTheirValuesAndByRanks) {
    EXPECT_EQ(refusal(text("", "\"$part_width\"")), "config/no-domain");
    auto config = parse(text("", "1"));
    ASSERT_TRUE(config);
    const auto refused = config->set_ranks({.grid = {2, 1, 1}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "config/no-domain");
}

TEST_F(ConfigDomains, HaveACellForEachRank) {
    auto config = parse(text(kDomain, "1"));
    ASSERT_TRUE(config);
    const auto refused = config->set_ranks({.grid = {6, 1, 1}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "mpi/too-many-ranks");
    EXPECT_THAT(refused.error().front().message, HasSubstr("5 cells along x"));
}

TEST_F(ConfigDomains, HavePartsInHistoriesAndOutputs) {
    const auto written = [](std::string_view domain, std::string_view part) {
        return fmt::format(R"({{"tuff": 1, {} "outputs": {{"o": {{"from": "s.result", {}}}}},
 "nodes": {{"s": {{"pass": "toy/source"}}}}}})",
                           domain, part);
    };
    EXPECT_EQ(refusal(written("", R"("part": {"halo": 1})")), "config/no-domain");
    EXPECT_EQ(refusal(written(kDomain, R"("part": {"halo": 1.5})")), "config/out-of-range");
    EXPECT_EQ(refusal(written(kDomain, R"("part": {"halo": 65})")), "config/out-of-range");
    EXPECT_EQ(refusal(written(kDomain, R"("part": {"halo": [1, 1]})")), "config/wrong-type");
    EXPECT_EQ(refusal(written(kDomain, R"("part": {})")), "config/missing-key");
    EXPECT_EQ(refusal(written(kDomain, R"("part": {"halo": 1, "edge": 0})")), "config/unknown-key");
    const auto config = parse(written(kDomain, R"("part": {"halo": "=$ranks"})"));
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_TRUE(config->outputs().front().of_field);
    // The source has another size than the part.
    const auto built = config->build(shaders_, assets_);
    ASSERT_FALSE(built);
    ASSERT_EQ(built.error().size(), 1u);
    EXPECT_EQ(built.error().front().code, "mpi/part-size");
    EXPECT_THAT(built.error().front().message, HasSubstr("has 7x9x"));
    EXPECT_TRUE(built.error().front().where.known());
}

/// So that configs from before there were domains mean what they meant.
TEST_F(ConfigDomains, LeaveTheirNamesToParameters) {
    const std::string written = text(R"("params": {"rank": 3.5},)", "\"$rank\"");
    toys::built_blurs().clear();
    const auto config = parse(written);
    ASSERT_TRUE(config) << to_string(config.error());
    ASSERT_TRUE(config->build(shaders_, assets_));
    EXPECT_EQ(toys::built_blurs().at("").sigma, 3.5f);
}

} // namespace
} // namespace tuff
