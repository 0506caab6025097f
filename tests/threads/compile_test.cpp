// Compiling is a pure function: many threads at once give the plans that one gives.

#include "tests/oracle/random_graph.hpp"

#include <tuff/explain.hpp>
#include <tuff/plan.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace tuff {
namespace {

constexpr std::uint32_t kThreads = 8;
constexpr std::uint64_t kGraphs = 48;

/// All of a plan that the executor walks and that `explain` tells, as text.
std::string text_of(const Result<Plan>& plan) {
    if (!plan) return to_string(plan.error());
    std::string text = explain(*plan, {.detail = ExplainDetail::full});
    for (const NodeId node : plan->order)
        text += fmt::format("{} ", node.index);
    for (const Level& level : plan->levels)
        text += fmt::format("\n{}+{} {:x}.{:x}>{:x}.{:x}", level.first_node, level.node_count,
                            level.memory.source_stages, level.memory.source_memory,
                            level.memory.destination_stages, level.memory.destination_memory);
    for (const ImageBarrier& b : plan->image_barriers)
        text += fmt::format("\n{} {}+{} {}+{} {:x}.{:x}>{:x}.{:x} {}>{}", b.resource.index,
                            b.range.mip, b.range.mips, b.range.layer, b.range.layers,
                            b.source_stages, b.source_memory, b.destination_stages,
                            b.destination_memory, name_of(b.from), name_of(b.to));
    for (const Allocation& a : plan->allocations)
        text += fmt::format("\n{} {} {} {}..{}", a.block, a.offset, a.size, a.first_level,
                            a.last_level);
    return text;
}

TEST(CompileThreads, GiveThePlansOfOneThread) {
    std::vector<GraphDesc> graphs;
    std::vector<std::string> serial;
    for (std::uint64_t seed = 1; seed <= kGraphs; ++seed) {
        graphs.push_back(oracle::build_graph(oracle::random_program(seed)));
        serial.push_back(text_of(compile(graphs.back(), DeviceCaps{})));
    }
    std::atomic<std::uint64_t> differences = 0;
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&, thread] {
            // All threads compile all graphs, and none in the order of another.
            for (std::uint64_t i = 0; i < kGraphs; ++i) {
                const std::uint64_t graph = (i * 5 + thread * 7) % kGraphs;
                const std::string text = text_of(compile(graphs[graph], DeviceCaps{}));
                if (text != serial[graph]) ++differences;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(differences, 0u);
}

} // namespace
} // namespace tuff
