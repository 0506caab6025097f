#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_graph.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>

/// Thousands of random graphs through the compiler and the oracle.
///
/// TUFF_RANDOM_GRAPHS=100000 tries more, TUFF_RANDOM_SEED=123 begins elsewhere.
namespace tuff {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Mode {
    const char* name;
    CompileOptions options;
};
void PrintTo(const Mode& mode, std::ostream* out) {
    *out << mode.name;
}
const Mode kModes[] = {
    {"Default", {}},
    {"AliasOff", {.alias = AliasMode::off}},
    {"OrderDeclared", {.order = OrderMode::declared}},
    {"BarriersFull", {.barriers = BarrierMode::full}},
    {"Poison", {.poison = true}},
    {"AllSafeModes",
     {.alias = AliasMode::off,
      .order = OrderMode::declared,
      .barriers = BarrierMode::full,
      .poison = true}},
};

/// What the compiler or the oracle objects to; empty: nothing.
std::string objection(const GraphDesc& graph, const CompileOptions& options) {
    const Result<Plan> plan = compile(graph, DeviceCaps{}, options);
    if (!plan) return "refused: " + to_string(plan.error());
    return oracle::to_string(oracle::check(graph, *plan, {.most = 4}));
}

std::string smallest_failure(oracle::Program program, const CompileOptions& options) {
    const bool refused = objection(oracle::build_graph(program), options).starts_with("refused");
    program = oracle::shrink(std::move(program), [&](const oracle::Program& smaller) {
        const std::string text = objection(oracle::build_graph(smaller), options);
        return !text.empty() && text.starts_with("refused") == refused;
    });
    const GraphDesc graph = oracle::build_graph(program);
    return fmt::format("{}\n{}", oracle::to_text(graph), objection(graph, options));
}

class RandomGraphs : public testing::TestWithParam<Mode> {};

TEST_P(RandomGraphs, CompileToPlansWithoutViolations) {
    const std::uint64_t first = number_from("TUFF_RANDOM_SEED", 1);
    const std::uint64_t count = number_from("TUFF_RANDOM_GRAPHS", 2000);
    std::size_t nodes = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const oracle::Program program = oracle::random_program(seed);
        const GraphDesc graph = oracle::build_graph(program);
        nodes += graph.nodes.size();
        const std::string text = objection(graph, GetParam().options);
        ASSERT_TRUE(text.empty()) << "seed " << seed << ": " << text << "\nsmallest:\n"
                                  << smallest_failure(program, GetParam().options);
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    fmt::print("seeds {}..{}: {} nodes, {:.0f} graphs per second\n", first, first + count - 1,
               nodes, static_cast<double>(count) / time.count());
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomGraphs, testing::ValuesIn(kModes),
                         [](const auto& mode) { return std::string(mode.param.name); });

} // namespace
} // namespace tuff
