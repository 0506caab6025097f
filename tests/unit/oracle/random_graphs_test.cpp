#include "tests/common/environment.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_graph.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>

/// Thousands of random graphs through the compiler and the oracle.
///
/// TUFF_RANDOM_GRAPHS=100000 tries more, TUFF_RANDOM_SEED=123 begins elsewhere.
namespace tuff {
namespace {

using test::number_from;

struct Mode {
    const char* name;
    CompileOptions options;
    bool queues = false; ///< the device has a compute and a transfer queue
    oracle::Rays rays = oracle::Rays::off;
    oracle::HostNodes host_nodes = oracle::HostNodes::off;
    DeviceCaps caps() const {
        DeviceCaps caps;
        caps.async_compute = caps.transfer_queue = queues;
        return caps;
    }
};
void PrintTo(const Mode& mode, std::ostream* out) {
    *out << mode.name;
}
const Mode kModes[] = {
    {"Default", {}},
    {"LeastMemory", {.memory_budget = 1}},
    {"SmallBudget", {.memory_budget = 16'384}},
    {"AliasOff", {.alias = AliasMode::off}},
    {"OrderDeclared", {.order = OrderMode::declared}},
    {"BarriersFull", {.barriers = BarrierMode::full}},
    {"Poison", {.poison = true}},
    {"AllSafeModes",
     {.alias = AliasMode::off,
      .order = OrderMode::declared,
      .barriers = BarrierMode::full,
      .poison = true}},
    {"LayoutsGeneral", {.layouts = LayoutMode::general}},
    {"ConstantOnce", {.constant = ConstantWork::once}},
    {"ConstantOnceLayoutsGeneral",
     {.layouts = LayoutMode::general, .constant = ConstantWork::once}},
    {"ConstantOncePoison", {.constant = ConstantWork::once, .poison = true}},
    {"ConstantOnceBudget", {.constant = ConstantWork::once, .memory_budget = 65'536}},
    {"ConstantOnceBarriersFull", {.barriers = BarrierMode::full, .constant = ConstantWork::once}},
    {"QueuesConstantOnce", {.constant = ConstantWork::once}, true},
    {"QueuesAutomaticConstantOnce",
     {.queues = QueueMode::automatic, .constant = ConstantWork::once},
     true},
    {"RaysConstantOnce", {.constant = ConstantWork::once}, false, oracle::Rays::on},
    {"QueuesHinted", {}, true},
    {"QueuesAutomatic", {.queues = QueueMode::automatic}, true},
    {"QueuesAutomaticSmallBudget", {.queues = QueueMode::automatic, .memory_budget = 16'384}, true},
    {"QueuesHintedOrderDeclared", {.order = OrderMode::declared}, true},
    {"QueuesHintedAliasOff", {.alias = AliasMode::off}, true},
    {"QueuesAutomaticBarriersFull",
     {.barriers = BarrierMode::full, .queues = QueueMode::automatic},
     true},
    {"QueuesAutomaticPoison", {.queues = QueueMode::automatic, .poison = true}, true},
    {"QueuesAutomaticLayoutsGeneral",
     {.layouts = LayoutMode::general, .queues = QueueMode::automatic},
     true},
    {"QueuesOne", {.queues = QueueMode::one}, true},
    {"QueuesAutomaticButOnlyOne", {.queues = QueueMode::automatic}},
    {"Rays", {}, false, oracle::Rays::on},
    {"RaysBarriersFull", {.barriers = BarrierMode::full}, false, oracle::Rays::on},
    {"RaysLayoutsGeneral", {.layouts = LayoutMode::general}, false, oracle::Rays::on},
    {"RaysQueuesAutomatic", {.queues = QueueMode::automatic}, true, oracle::Rays::on},
    {"Host", {}, false, oracle::Rays::off, oracle::HostNodes::on},
    {"HostBudget", {.memory_budget = 16'384}, false, oracle::Rays::off, oracle::HostNodes::on},
    {"HostAllSafeModes",
     {.alias = AliasMode::off,
      .order = OrderMode::declared,
      .barriers = BarrierMode::full,
      .poison = true},
     false,
     oracle::Rays::off,
     oracle::HostNodes::on},
    {"HostOrderDeclared",
     {.order = OrderMode::declared},
     false,
     oracle::Rays::off,
     oracle::HostNodes::on},
    {"HostConstantOnce",
     {.constant = ConstantWork::once},
     false,
     oracle::Rays::off,
     oracle::HostNodes::on},
    {"HostQueuesAutomatic",
     {.queues = QueueMode::automatic},
     true,
     oracle::Rays::off,
     oracle::HostNodes::on},
    {"HostQueuesAutomaticBarriersFull",
     {.barriers = BarrierMode::full, .queues = QueueMode::automatic},
     true,
     oracle::Rays::off,
     oracle::HostNodes::on},
    {"HostQueuesAutomaticConstantOncePoison",
     {.queues = QueueMode::automatic, .constant = ConstantWork::once, .poison = true},
     true,
     oracle::Rays::off,
     oracle::HostNodes::on},
    {"HostQueuesOne", {.queues = QueueMode::one}, true, oracle::Rays::off, oracle::HostNodes::on},
};

/// What the compiler or the oracle objects to, and of what kind it is; no text: nothing.
struct Objection {
    std::string text;
    std::optional<oracle::Fault> fault; ///< none: the compiler refuses the graph
    bool same_kind(const Objection& other) const { return fault == other.fault; }
    explicit operator bool() const { return !text.empty(); }
};
Objection objection(const GraphDesc& graph, const Mode& mode) {
    const Result<Plan> plan = compile(graph, mode.caps(), mode.options);
    if (!plan) return {"refused: " + to_string(plan.error()), std::nullopt};
    const auto is_beside = [](const Submission& s) {
        return s.queue == Queue::compute || s.queue == Queue::transfer;
    };
    if (!mode.queues && std::ranges::any_of(plan->submissions, is_beside))
        return {"queues that the device lacks", oracle::Fault::wrong_queue};
    const oracle::Violations violations = oracle::check(graph, *plan, {.most = 4});
    if (violations.empty()) return {};
    return {oracle::to_string(violations), violations.front().fault};
}

std::string smallest_failure(oracle::Program program, const Mode& mode) {
    const Objection first =
        objection(oracle::build_graph(program, mode.rays, mode.host_nodes), mode);
    program = oracle::shrink(std::move(program), [&](const oracle::Program& smaller) {
        const Objection now =
            objection(oracle::build_graph(smaller, mode.rays, mode.host_nodes), mode);
        return now && now.same_kind(first);
    });
    const GraphDesc graph = oracle::build_graph(program, mode.rays, mode.host_nodes);
    return fmt::format("{}\n{}", oracle::to_text(graph), objection(graph, mode).text);
}

class RandomGraphs : public testing::TestWithParam<Mode> {};

TEST_P(RandomGraphs, CompileToPlansWithoutViolations) {
    const std::uint64_t first = number_from("TUFF_RANDOM_SEED", 1);
    const std::uint64_t count = number_from("TUFF_RANDOM_GRAPHS", 1000);
    std::size_t nodes = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const oracle::Program program = oracle::random_program(seed);
        const GraphDesc graph =
            oracle::build_graph(program, GetParam().rays, GetParam().host_nodes);
        nodes += graph.nodes.size();
        const std::string text = objection(graph, GetParam()).text;
        ASSERT_TRUE(text.empty()) << "seed " << seed << ": " << text << "\nsmallest:\n"
                                  << smallest_failure(program, GetParam());
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    fmt::print("seeds {}..{}: {} nodes, {:.0f} graphs per second\n", first, first + count - 1,
               nodes, static_cast<double>(count) / time.count());
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomGraphs, testing::ValuesIn(kModes),
                         [](const auto& mode) { return std::string(mode.param.name); });

TEST(SafeModes, FullBarriersAreFullWhereAQueueLetsGoOfAnImage) {
    constexpr MemoryMask kAny = memory::kMemoryRead | memory::kMemoryWrite;
    const Mode mode{"", {.barriers = BarrierMode::full, .queues = QueueMode::automatic}, true};
    std::size_t releases = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const GraphDesc graph = oracle::build_graph(oracle::random_program(seed));
        const auto plan = compile(graph, mode.caps(), mode.options);
        ASSERT_TRUE(plan);
        for (const Level& level : plan->levels)
            for (std::uint32_t i = 0; i < level.release_count; ++i, ++releases) {
                const ImageBarrier& release = plan->image_barriers[level.first_release + i];
                EXPECT_EQ(release.source_stages, stage::kAllCommands);
                EXPECT_EQ(release.source_memory, kAny);
            }
    }
    EXPECT_GT(releases, 0u);
}

} // namespace
} // namespace tuff
