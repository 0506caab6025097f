// Graphs that are built, compiled and dropped leave nothing on the heap. With TUFF_SOAK_SECONDS in
// the environment as many as there is time for.

#include "tests/common/environment.hpp"
#include "tests/oracle/random_graph.hpp"
#include "tests/steady/allocations.hpp"

#include <tuff/explain.hpp>
#include <tuff/plan.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace tuff {
namespace {

using testing_steady::live_blocks;

/// A mix of sizes and of ways to compile, which repeats after 60.
void build_and_compile(std::uint64_t seed) {
    constexpr std::size_t kSteps[] = {8, 32, 96, 240};
    GraphDesc graph = oracle::build_graph(oracle::random_program(seed, kSteps[seed % 4]));
    CompileOptions options;
    switch (seed % 5) {
    case 0: break;
    case 1: options.order = OrderMode::declared; break;
    case 2: options.alias = AliasMode::off; break;
    case 3: options.memory_budget = 1; break;
    default: options.poison = true; break;
    }
    DeviceCaps caps;
    caps.async_compute = caps.transfer_queue = seed % 3 == 0;
    const auto plan = compile(std::move(graph), caps, options);
    if (plan && seed % 100 == 0) (void)explain(*plan);
}

/// Graphs that do not compile leave nothing either.
void compile_wrong(std::uint64_t seed) {
    GraphDesc graph = oracle::build_graph(oracle::random_program(seed, 32));
    for (ResourceDesc& resource : graph.resources)
        if (resource.is_image()) resource.desc = ImageDesc{.extent = {0, 0, 0}};
    (void)compile(std::move(graph), DeviceCaps{});
}

/// Blocks that are left of `count` calls, after some that fill whatever is made once.
std::int64_t left_of(std::uint64_t count, const std::function<void(std::uint64_t)>& work) {
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        work(seed);
    const std::int64_t before = live_blocks();
    for (std::uint64_t seed = 1; seed <= count; ++seed)
        work(seed);
    return live_blocks() - before;
}

TEST(CompileLeaks, TenThousandGraphsLeaveNothing) {
    using Clock = std::chrono::steady_clock;
    const auto until =
        Clock::now() + std::chrono::seconds(test::number_from("TUFF_SOAK_SECONDS", 0));
    std::uint64_t graphs = 0;
    do {
        const std::uint64_t first = graphs;
        EXPECT_EQ(left_of(10'000, [&](std::uint64_t seed) { build_and_compile(first + seed); }), 0);
        graphs += 10'000;
    } while (Clock::now() < until && !HasFailure());
    fmt::print("{} graphs left nothing\n", graphs);
}

TEST(CompileLeaks, GraphsWithMistakesLeaveNothing) {
    EXPECT_EQ(left_of(1'000, compile_wrong), 0);
}

TEST(CompileLeaks, OneSmallObjectAGraphIsSeen) {
    std::vector<std::unique_ptr<char>> kept;
    kept.reserve(1'000);
    const auto leaking = [&](std::uint64_t seed) {
        build_and_compile(seed);
        kept.push_back(std::make_unique<char>());
    };
    EXPECT_EQ(left_of(500, leaking), 500);
}

} // namespace
} // namespace tuff
