#include "tests/common/test_folder.hpp"
#include "tests/common/word_kernels.hpp"
#include "tests/gpu/engine/loop_reference.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/config.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <utility>

/// Configs whose loops the device ends, from the text to the numbers that a device leaves.
namespace tuff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_gpu::collatz;
using testing_gpu::kWord;
using testing_gpu::LoopReference;
using testing_gpu::newton;
using testing_gpu::Running;

struct Word {
    static constexpr std::string_view kName = "loop/word";
    int value = 0;
    Buffer result;
    static void describe(PassInfo<Word>& info) {
        info.summary("A number");
        info.parameter("value", &Word::value, "the number").range(0, 1'000'000).structural();
        info.output("result", &Word::result, "the number");
    }
    void build(Graph& graph) {
        result = graph.fill(graph.buffer("word", kWord), static_cast<std::uint32_t>(value), "word");
    }
};

/// In place.
struct Collatz {
    static constexpr std::string_view kName = "loop/collatz";
    Buffer n;
    Buffer next;
    Buffer done;
    static void describe(PassInfo<Collatz>& info) {
        info.summary("Half of an even number, one more than three times an odd one");
        info.input("n", &Collatz::n, "the number");
        info.output("next", &Collatz::next, "the next one");
        info.output("done", &Collatz::done, "whether that is one");
    }
    void build(Graph& graph) {
        auto node = graph.compute("test/collatz");
        next = node.write("state", n);
        done = node.write("done", graph.buffer("done", kWord));
        node.dispatch(1);
    }
};

/// To a new buffer.
struct Newton {
    static constexpr std::string_view kName = "loop/newton";
    Buffer x;
    int square = 1;
    Buffer next;
    Buffer done;
    static void describe(PassInfo<Newton>& info) {
        info.summary("A step towards a whole square root");
        info.input("x", &Newton::x, "at least the root");
        info.parameter("square", &Newton::square, "of the root").range(1, 1'000'000'000);
        info.output("next", &Newton::next, "nearer to the root");
        info.output("done", &Newton::done, "whether it was the root already");
    }
    void build(Graph& graph) {
        auto node = graph.compute("test/newton");
        node.read("source", x);
        next = node.write("target", graph.buffer("next", kWord));
        done = node.write("done", graph.buffer("done", kWord));
        node.set("square", static_cast<std::uint32_t>(square));
        node.dispatch(1);
    }
};

struct Sum {
    static constexpr std::string_view kName = "loop/sum";
    Buffer a;
    Buffer b;
    Buffer result;
    static void describe(PassInfo<Sum>& info) {
        info.summary("The sum of two numbers");
        info.input("a", &Sum::a, "the one");
        info.input("b", &Sum::b, "the other");
        info.output("result", &Sum::result, "both");
    }
    void build(Graph& graph) { result = test::sum(graph, a, b, graph.buffer("sum", kWord)); }
};

struct AtLeast {
    static constexpr std::string_view kName = "loop/at_least";
    Buffer value;
    int bound = 0;
    Buffer done;
    static void describe(PassInfo<AtLeast>& info) {
        info.summary("Whether a number has reached a bound");
        info.input("value", &AtLeast::value, "the number");
        info.parameter("bound", &AtLeast::bound, "the bound").range(0, 1'000'000);
        info.output("done", &AtLeast::done, "one where it has");
    }
    void build(Graph& graph) {
        auto node = graph.compute("test/at_least");
        node.read("source", value);
        done = node.write("done", graph.buffer("reached", kWord));
        node.set("bound", static_cast<std::uint32_t>(bound));
        node.dispatch(1);
    }
};

PassRegistry make_registry() {
    PassRegistry registry;
    registry.add<Word>();
    registry.add<Collatz>();
    registry.add<Newton>();
    registry.add<Sum>();
    registry.add<AtLeast>();
    return registry;
}

class ConfigUntilTest : public testing_gpu::GpuTest {
  protected:
    /// A config that others use.
    void write(std::string_view name, std::string_view text) {
        std::ofstream(folder_ / name) << text;
    }
    std::optional<Config> parse(std::string_view text) {
        auto config = Config::parse(text, folder_ / "test.json", registry_);
        if (config) return std::move(*config);
        ADD_FAILURE() << to_string(config.error());
        return std::nullopt;
    }
    /// Executes twice: the second execution finds what the first one left in shared memory.
    Running run_config(const Config& config, const CompileOptions& options = {}) {
        auto built = config.build(shaders(), assets_);
        if (!built) {
            ADD_FAILURE() << to_string(built.error());
            return {};
        }
        CompileOptions all = options;
        const auto memory = memory_model(device());
        all.memory = memory.get();
        auto plan = compile(std::move(built->graph), device().caps(), all);
        if (!plan) {
            ADD_FAILURE() << to_string(plan.error());
            return {};
        }
        Running running = start(std::make_shared<const Plan>(std::move(*plan)));
        running.execute(2);
        return running;
    }
    void expect(Running& running, std::string_view value, std::string_view iterations,
                const LoopReference& expected) {
        EXPECT_THAT(running.buffer<std::uint32_t>(value), ElementsAre(expected.value));
        EXPECT_THAT(running.buffer<std::uint32_t>(iterations), ElementsAre(expected.iterations));
    }

    const std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = make_registry();
    AssetCache assets_;
};

constexpr std::string_view kCollatz = R"({"tuff": 1, "params": {"n": 27, "most": 120}, "nodes": {
    "n": {"pass": "loop/word", "params": {"value": "$n"}},
    "walk": {"pass": "loop/collatz", "in": {"n": "n.result"}, "until": "done", "max": "$most",
             "carry": {"n": "next"}}},
    "outputs": {"value": "walk.next", "iterations": "walk.iterations"}})";

TEST_F(ConfigUntilTest, APassRunsUntilItsFlagIsSet) {
    std::optional<Config> config = parse(kCollatz);
    ASSERT_TRUE(config);
    // Ends by itself, is cut off just before, just at its end, at once, and runs never.
    for (const auto& [n, most] :
         {std::pair{27u, 120u}, {27u, 110u}, {27u, 111u}, {2u, 5u}, {9u, 0u}}) {
        ASSERT_TRUE(config->set("n", fmt::to_string(n)));
        ASSERT_TRUE(config->set("most", fmt::to_string(most)));
        Running running = run_config(*config);
        expect(running, "value", "iterations", collatz(n, most));
    }
}

TEST_F(ConfigUntilTest, TheSafeModesChangeNothing) {
    const std::optional<Config> config = parse(kCollatz);
    ASSERT_TRUE(config);
    for (const CompileOptions& options :
         {CompileOptions{.alias = AliasMode::off}, CompileOptions{.order = OrderMode::declared},
          CompileOptions{.barriers = BarrierMode::full}, CompileOptions{.poison = true}}) {
        Running running = run_config(*config, options);
        expect(running, "value", "iterations", collatz(27, 120));
    }
}

TEST_F(ConfigUntilTest, AUsedConfigRunsUntilItsFlagIsSet) {
    write("double_until.json", R"({"tuff": 1, "inputs": {"x": "Buffer"}, "params": {"bound": 1},
        "nodes": {"twice": {"pass": "loop/sum", "in": {"a": "x", "b": "x"}},
                  "check": {"pass": "loop/at_least", "in": {"value": "twice.result"},
                            "params": {"bound": "$bound"}}},
        "outputs": {"twice": "twice.result", "done": "check.done"}})");
    const std::optional<Config> config = parse(R"({"tuff": 1, "nodes": {
        "three": {"pass": "loop/word", "params": {"value": 3}},
        "grow": {"use": "double_until.json", "in": {"x": "three.result"}, "until": "done",
                 "max": 20, "carry": {"x": "twice"}, "params": {"bound": 1000}},
        "sum": {"pass": "loop/sum", "in": {"a": "grow.twice", "b": "grow.iterations"}}},
        "outputs": {"value": "grow.twice", "iterations": "grow.iterations", "sum": "sum.result"}})");
    ASSERT_TRUE(config);
    Running running = run_config(*config);
    expect(running, "value", "iterations", {3 * 512, 9});
    EXPECT_THAT(running.buffer<std::uint32_t>("sum"), ElementsAre(3 * 512 + 9));
}

TEST_F(ConfigUntilTest, ALoopThatEndsByItselfNestsInOneThatCounts) {
    // Each round starts from the steps of the round before, plus 20.
    write("round.json", R"({"tuff": 1, "inputs": {"start": "Buffer"}, "nodes": {
        "zero": {"pass": "loop/word"},
        "twenty": {"pass": "loop/word", "params": {"value": 20}},
        "n": {"pass": "loop/sum", "in": {"a": "start", "b": "zero.result"}},
        "walk": {"pass": "loop/collatz", "in": {"n": "n.result"}, "until": "done", "max": 30,
                 "carry": {"n": "next"}},
        "next": {"pass": "loop/sum", "in": {"a": "walk.iterations", "b": "twenty.result"}}},
        "outputs": {"next": "next.result", "steps": "walk.iterations"}})");
    const std::optional<Config> config = parse(R"({"tuff": 1, "nodes": {
        "seven": {"pass": "loop/word", "params": {"value": 7}},
        "rounds": {"use": "round.json", "in": {"start": "seven.result"}, "repeat": 3,
                   "carry": {"start": "next"}}},
        "outputs": {"value": "rounds.next", "iterations": "rounds.steps"}})");
    ASSERT_TRUE(config);
    LoopReference expected{7, 0};
    for (int round = 0; round < 3; ++round) {
        expected.iterations = collatz(expected.value, 30).iterations;
        expected.value = expected.iterations + 20;
    }
    Running running = run_config(*config);
    expect(running, "value", "iterations", expected);
}

TEST_F(ConfigUntilTest, LoopsThatEndByThemselvesNestInEachOther) {
    write("outer_until.json", R"({"tuff": 1, "inputs": {"start": "Buffer"},
        "params": {"bound": 1}, "nodes": {
        "root": {"pass": "loop/newton", "in": {"x": "start"}, "params": {"square": 12}, "max": 6,
                 "until": "done", "carry": {"x": "next"}},
        "next": {"pass": "loop/sum", "in": {"a": "start", "b": "root.iterations"}},
        "check": {"pass": "loop/at_least", "in": {"value": "next.result"},
                  "params": {"bound": "$bound"}}},
        "outputs": {"next": "next.result", "done": "check.done"}})");
    for (const std::uint32_t bound : {1u, 22u, 1000u}) {
        const std::optional<Config> config = parse(fmt::format(R"({{"tuff": 1, "nodes": {{
            "start": {{"pass": "loop/word", "params": {{"value": 12}}}},
            "rounds": {{"use": "outer_until.json", "in": {{"start": "start.result"}},
                        "until": "done", "max": 5, "carry": {{"start": "next"}},
                        "params": {{"bound": {}}}}}}},
            "outputs": {{"value": "rounds.next", "iterations": "rounds.iterations"}}}})",
                                                               bound));
        ASSERT_TRUE(config);
        LoopReference expected{12, 0};
        while (expected.iterations < 5) {
            expected.value += newton(12, expected.value, 6).iterations;
            ++expected.iterations;
            if (expected.value >= bound) break;
        }
        Running running = run_config(*config);
        expect(running, "value", "iterations", expected);
    }
}

TEST_F(ConfigUntilTest, ALoopThatCarriesNothingTellsItsRounds) {
    write("from_scratch.json", R"({"tuff": 1, "inputs": {"x": "Buffer"}, "nodes": {
        "zero": {"pass": "loop/word"},
        "n": {"pass": "loop/sum", "in": {"a": "x", "b": "zero.result"}},
        "step": {"pass": "loop/collatz", "in": {"n": "n.result"}}},
        "outputs": {"done": "step.done"}})");
    for (const auto& [n, rounds] : {std::pair{2, 1}, {3, 4}}) {
        const std::optional<Config> config = parse(fmt::format(R"({{"tuff": 1, "nodes": {{
            "n": {{"pass": "loop/word", "params": {{"value": {}}}}},
            "rounds": {{"use": "from_scratch.json", "in": {{"x": "n.result"}}, "until": "done",
                        "max": 4}}}},
            "outputs": {{"iterations": "rounds.iterations"}}}})",
                                                               n));
        ASSERT_TRUE(config);
        Running running = run_config(*config);
        EXPECT_THAT(running.buffer<std::uint32_t>("iterations"), ElementsAre(rounds));
    }
}

TEST_F(ConfigUntilTest, AnInPlaceWriteOfWhatIsNotCarriedIsRefusedWhereItStands) {
    const std::optional<Config> config = parse(R"({"tuff": 1, "nodes": {
        "n": {"pass": "loop/word", "params": {"value": 27}},
        "walk": {"pass": "loop/collatz", "in": {"n": "n.result"}, "until": "done", "max": 3}},
        "outputs": {"iterations": "walk.iterations"}})");
    ASSERT_TRUE(config);
    const auto built = config->build(shaders(), assets_);
    ASSERT_FALSE(built);
    EXPECT_THAT(to_string(built.error()), HasSubstr("test.json:3:"));
    EXPECT_THAT(to_string(built.error()), HasSubstr("walk"));
}

} // namespace
} // namespace tuff
