#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tuff {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ConfigQueue : public testing::Test {
  protected:
    Result<Config> parse(std::string_view nodes, std::string_view output = "b.result") {
        const std::string text = R"({"tuff": 1, "outputs": {"o": ")" + std::string(output) +
                                 R"("}, "nodes": {"s": {"pass": "toy/source"}, )" +
                                 std::string(nodes) + "}}";
        return Config::parse(text, folder_ / "test.json", registry_);
    }
    /// What the nodes whose names begin with `prefix` ask for.
    std::vector<QueueHint> hints(const Result<Config>& config, std::string_view prefix) {
        EXPECT_TRUE(config) << to_string(config.error());
        if (!config) return {};
        const Result<ConfiguredGraph> built = config->build(shaders_, assets_);
        EXPECT_TRUE(built) << to_string(built.error());
        std::vector<QueueHint> found;
        if (!built) return found;
        for (std::uint32_t i = 0; i < built->graph.nodes.size(); ++i)
            if (built->graph.name_of(NodeId{i}).starts_with(prefix))
                found.push_back(built->graph.nodes[i].queue);
        return found;
    }

    const std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

constexpr std::string_view kQueuedBlur =
    R"("b": {"pass": "toy/blur", "in": {"source": "s.result"})";

TEST_F(ConfigQueue, ANodeAsksForWhatItsQueueSays) {
    const auto config = parse(std::string(kQueuedBlur) + R"(, "queue": "compute"})");
    EXPECT_THAT(hints(config, "b"), AllOf(Not(IsEmpty()), Each(QueueHint::compute)));
    EXPECT_THAT(hints(config, "s"), AllOf(Not(IsEmpty()), Each(QueueHint::automatic)));
}

TEST_F(ConfigQueue, EveryIterationOfALoopAsksForIt) {
    const auto config =
        parse(std::string(kQueuedBlur) +
              R"(, "queue": "graphics", "repeat": 3, "carry": {"source": "result"}})");
    EXPECT_THAT(hints(config, "b[2]"), AllOf(Not(IsEmpty()), Each(QueueHint::graphics)));
}

TEST_F(ConfigQueue, AUsedConfigPassesItOnToThoseThatSayNothing) {
    std::ofstream(folder_ / "used.json") << R"({"tuff": 1, "outputs": {"result": "y.result"},
        "nodes": {"x": {"pass": "toy/source"},
                  "y": {"pass": "toy/blur", "in": {"source": "x.result"}, "queue": "graphics"}}})";
    const auto config = parse(R"("u": {"use": "used.json", "queue": "transfer"})", "u.result");
    EXPECT_THAT(hints(config, "u/x"), AllOf(Not(IsEmpty()), Each(QueueHint::transfer)));
    EXPECT_THAT(hints(config, "u/y"), AllOf(Not(IsEmpty()), Each(QueueHint::graphics)));
}

TEST_F(ConfigQueue, AnUnknownQueueIsAnErrorThatNamesTheNearest) {
    const auto config = parse(std::string(kQueuedBlur) + R"(, "queue": "comptue"})");
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error()[0].code, "config/unknown-queue");
    EXPECT_THAT(config.error()[0].hint, HasSubstr("compute"));
}

} // namespace
} // namespace tuff
