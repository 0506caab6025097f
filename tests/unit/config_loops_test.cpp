#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tuff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class ConfigLoops : public testing::Test {
  protected:
    Result<Config> parse(std::string_view nodes, std::string_view output = "b.result",
                         std::string_view sections = {}) {
        std::string text = R"({"tuff": 1, )" + std::string(sections) + R"("outputs": {"o": ")";
        text += std::string(output) + R"("}, "nodes": {"s": {"pass": "toy/source"}, )";
        return Config::parse(text + std::string(nodes) + "}}", folder_ / "test.json", registry_);
    }
    std::vector<std::string> built(const Result<Config>& config) {
        if (!config) return {to_string(config.error())};
        const Result<ConfiguredGraph> graph = config->build(shaders_, assets_);
        if (!graph) return {to_string(graph.error())};
        std::vector<std::string> names;
        for (const ConfiguredNode& node : graph->nodes)
            names.push_back(node.name);
        return names;
    }
    std::string mistakes(const Result<Config>& config) {
        return config ? "none" : to_string(config.error());
    }

    const std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

constexpr std::string_view kBlur =
    R"("b": {"pass": "toy/blur", "in": {"source": "s.result"}, "carry": {"source": "result"}, )";

TEST_F(ConfigLoops, APassRunsRepeatTimes) {
    EXPECT_THAT(built(parse(std::string(kBlur) + R"("repeat": 3})")),
                ElementsAre("s", "b[0]", "b[1]", "b[2]"));
}

TEST_F(ConfigLoops, TheCountMayBeAParameter) {
    Result<Config> config =
        parse(std::string(kBlur) + R"("repeat": "$n"})", "b.result", R"("params": {"n": 1}, )");
    ASSERT_TRUE(config) << to_string(config.error());
    ASSERT_TRUE(config->set("n", "2"));
    EXPECT_THAT(built(config), ElementsAre("s", "b[0]", "b[1]"));
    ASSERT_TRUE(config->set("n", "0"));
    EXPECT_THAT(built(config), ElementsAre("s"));
}

TEST_F(ConfigLoops, AUsedConfigRunsRepeatTimes) {
    std::ofstream(folder_ / "step.json") << R"({"tuff": 1, "inputs": {"input": "Image"},
        "params": {"sigma": 1}, "outputs": {"output": "y.result"}, "nodes": {
        "y": {"pass": "toy/blur", "in": {"source": "x.result"}, "params": {"sigma": "$sigma"}},
        "x": {"pass": "toy/blur", "in": {"source": "input"}}}})";
    EXPECT_THAT(built(parse(R"("b": {"use": "step.json", "in": {"input": "s.result"}, "repeat": 2,
                               "params": {"sigma": 3}, "carry": {"input": "output"}})",
                            "b.output")),
                ElementsAre("s", "b[0]/x", "b[0]/y", "b[1]/x", "b[1]/y"));
}

TEST_F(ConfigLoops, MistakesAreReportedWhereTheyStand) {
    const std::string head = R"("b": {"pass": "toy/blur", "in": {"source": "s.result"}, )";
    EXPECT_THAT(mistakes(parse(head + R"("repeat": 2, "carry": {"sauce": "result"}})")),
                HasSubstr("config/unknown-port"));
    EXPECT_THAT(mistakes(parse(head + R"("repeat": 2, "carry": {"source": "resalt"}})")),
                HasSubstr("did you mean \"result\""));
    EXPECT_THAT(mistakes(parse(head + R"("until": "result"})")), HasSubstr("no \"max\""));
    EXPECT_THAT(mistakes(parse(head + R"("until": "result", "max": 3})")),
                HasSubstr("config/wrong-port-type"));
    EXPECT_THAT(mistakes(parse(std::string(kBlur) + R"("repeat": 100001})")),
                HasSubstr("config/out-of-range"));
    // Each iteration would do what the one before has done.
    EXPECT_THAT(mistakes(parse(head + R"("repeat": 5})")),
                AllOf(HasSubstr("config/bad-loop"), HasSubstr("add \"carry\"")));
    EXPECT_THAT(mistakes(parse(head + R"("carry": {"source": "result"}})")),
                HasSubstr("config/bad-loop"));
    EXPECT_THAT(mistakes(parse(R"("b": {"pass": "toy/grid", "repeat": 2, "carry": {}}, 
        "m": {"pass": "toy/blur", "in": {"source": "b.grid"}})",
                               "m.result")),
                HasSubstr("config/wrong-port-type"));
}

} // namespace
} // namespace tuff
