// Benchmark cases on the device: small, under validation, and what is wrong is found.

#include "apps/bench/calibration.hpp"
#include "apps/bench/checks.hpp"
#include "passes/registry.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <cctype>
#include <ostream>
#include <string>

namespace tuff::bench {

/// What GoogleTest calls a case.
static void PrintTo(const Case& one, std::ostream* out) {
    *out << one.full_name();
}

namespace {

class Bench : public testing_gpu::GpuTest {
  public:
    Measurement bench_case(const Case& one, std::uint64_t size,
                           MeasureOptions options = {.seconds = 0, .warm_up = 0}) {
        ShaderLibrary library = passes::make_shaders();
        library.add_embedded(calibration_shaders());
        auto result = measure(device(), library, one, size, options);
        EXPECT_TRUE(result.has_value()) << one.full_name() << '\n'
                                        << (result ? std::string() : to_string(result.error()));
        return result.value_or(Measurement{});
    }
};

/// Copies an array with the graph's own transfer and expects `expected` at index 1.
Case copy_case(std::uint32_t expected) {
    return {.pass = "test/copy", .name = "words", .build = [expected](CaseBuilder& c) {
                const auto source = c.input<std::uint32_t>("source", c.size(),
                                                           [](std::uint64_t i) { return 10 * i; });
                const Buffer target = c.graph().buffer("target", {.size = 4 * c.size()});
                const Buffer copied = c.graph().copy(source.buffer, target);
                c.set_cost({.bytes = 8.0 * static_cast<double>(c.size())});
                c.check<std::uint32_t>("copied", copied,
                                       [expected](std::span<const std::uint32_t> got) {
                                           return near(got[1], expected, {});
                                       });
            }};
}

class EveryBenchCase : public Bench, public testing::WithParamInterface<Case> {};

TEST_P(EveryBenchCase, IsRight) {
    const Case& one = GetParam();
    // What passes make on SwiftShader is for their tests to say. These cases have a kernel of their
    // own.
    if (one.pass != "oit/resolve") {
        TUFF_ONLY_ON(lavapipe);
    }
    // An odd size, and a power of two where that one does not fit.
    for (const std::uint64_t size : {std::uint64_t{4999}, std::uint64_t{1} << 12}) {
        if (size < one.least || size > one.most_on_software) continue;
        // Two executions: one that warms up, and one whose results are looked at.
        const Measurement result = bench_case(one, size, {.seconds = 0, .warm_up = 0, .fewest = 1});
        if (!result.measured()) continue; // says why it cannot run here
        EXPECT_EQ(result.checked, Checked::yes) << "at " << size << ": " << result.remark;
        EXPECT_GT(result.cost.bytes + result.cost.operations, 0.0) << "declares no cost";
        return;
    }
}

INSTANTIATE_TEST_SUITE_P(, EveryBenchCase, testing::ValuesIn(all_cases().all()),
                         [](const testing::TestParamInfo<Case>& tested) {
                             std::string name = tested.param.full_name();
                             for (char& letter : name)
                                 if (!std::isalnum(static_cast<unsigned char>(letter)))
                                     letter = '_';
                             return name;
                         });

TEST_F(Bench, AWrongResultIsToldWithWhatIsWrong) {
    EXPECT_EQ(bench_case(copy_case(10), 64).checked, Checked::yes);
    const Measurement wrong = bench_case(copy_case(11), 64);
    EXPECT_EQ(wrong.checked, Checked::wrong);
    EXPECT_EQ(wrong.remark, "the result is 10 instead of 11");
}

TEST_F(Bench, ACaseWithoutACheckIsNotChecked) {
    const Case unchecked{.pass = "test/fill", .name = "words", .build = [](CaseBuilder& c) {
                             Graph& graph = c.graph();
                             c.output("filled",
                                      graph.fill(graph.buffer("words", {.size = 4 * c.size()}), 7));
                         }};
    EXPECT_EQ(bench_case(unchecked, 64).checked, Checked::no);
}

TEST_F(Bench, NodesAreTimedWhereAskedFor) {
    const Measurement whole = bench_case(copy_case(10), 64);
    EXPECT_TRUE(whole.nodes.empty());
    EXPECT_GE(whole.milliseconds.samples, 3u);
    const Measurement nodes =
        bench_case(copy_case(10), 64, {.seconds = 0, .warm_up = 0, .timings = Timings::nodes});
    ASSERT_EQ(nodes.nodes.size(), 1u);
    EXPECT_GE(nodes.milliseconds.samples, 3u);
}

TEST_F(Bench, WhatTheDeviceHasNoMemoryForIsSkippedWithTheReason) {
    const Case huge{.pass = "test/fill", .name = "huge", .build = [](CaseBuilder& c) {
                        Graph& graph = c.graph();
                        const std::uint64_t bytes = c.caps().max_storage_buffer_bytes / 4 * 4 + 4;
                        c.output("filled", graph.fill(graph.buffer("words", {.size = bytes}), 7));
                    }};
    const Measurement result = bench_case(huge, 64);
    EXPECT_FALSE(result.measured());
    EXPECT_THAT(result.remark, testing::HasSubstr("needs a buffer of"));
}

TEST_F(Bench, ACaseMaySayThatItCannotRunHere) {
    const Case picky{.pass = "test/picky", .name = "case", .build = [](CaseBuilder& c) {
                         c.skip("needs another device");
                     }};
    const Measurement result = bench_case(picky, 64);
    EXPECT_FALSE(result.measured());
    EXPECT_EQ(result.remark, "needs another device");
}

TEST_F(Bench, ExecutionsAreTimedWithoutTheirNodes) {
    Graph g = graph();
    g.output("filled", g.fill(g.buffer("words", {.size = 64}), 7));
    testing_gpu::Running running =
        run(std::move(g), 3, {.frames_in_flight = 2, .timings = Timings::executions});
    ASSERT_TRUE(running);
    ASSERT_TRUE(running->wait());
    const std::vector<ExecutionTimings> recent = running->recent_timings();
    ASSERT_EQ(recent.size(), 2u);
    EXPECT_EQ(recent[0].execution, 2u);
    EXPECT_EQ(recent[1].execution, 3u);
    for (const ExecutionTimings& timings : recent) {
        EXPECT_TRUE(timings.nodes.empty());
        if (device().caps().timestamp_period_ns > 0.0) {
            EXPECT_GT(timings.milliseconds, 0.0);
        }
    }
}

} // namespace
} // namespace tuff::bench
