#include "sketch.hpp"

#include <functional>

/// The compiler as a whole: a pure function of its arguments, with modes that trade speed for
/// certainty.
namespace tuff {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAreArray;

/// Some of everything: images by mips, buffers, a history, an output.
Sketch workload() {
    Sketch s;
    const ImageHistory history = s.graph.history_image("history", kPicture);
    Image chain = s.write("draw", mip(s.image("chain", mipped(3)), 0), Access::color_write);
    for (std::uint32_t level = 1; level < 3; ++level)
        chain = s.step("down" + std::to_string(level), mip(chain, level - 1), mip(chain, level),
                       Access::sampled);
    auto blend = s.graph.custom("blend");
    blend.read(history.previous[0], Access::sampled, stage::kFragmentShader);
    blend.read(chain, Access::sampled, stage::kFragmentShader);
    const Image current = blend.write(history.current, Access::color_write);
    const Image ldr = s.step("tonemap", current, s.image("ldr"), Access::sampled);
    const Buffer zero = s.graph.fill(s.buffer("bins"), 0, "zero");
    (void)s.write("count", zero, Access::accumulate);
    auto measure = s.graph.custom("measure");
    measure.read(ldr, Access::sampled, stage::kCompute);
    const Buffer bins = measure.write(zero, Access::accumulate, stage::kCompute);
    s.graph.output("bins", bins, Access::host_read);
    s.graph.output("picture", ldr);
    (void)s.step("debug", ldr, s.image("heat"));
    return s;
}

/// All of a plan that can be compared, as text.
std::string print(const Plan& plan) {
    std::string text;
    const auto add = [&](auto... values) { ((text += std::to_string(values) + ' '), ...); };
    for (const auto& level : levels_of(plan)) {
        for (const std::string& name : level)
            text += name + ' ';
        text += '\n';
    }
    const auto batch = [&](const Level& b) {
        add(b.memory.source_stages, b.memory.source_memory, b.memory.destination_stages,
            b.memory.destination_memory);
        for (const ImageBarrier& i : image_barriers(plan, b))
            add(i.resource.index, i.range.mip, i.range.mips, i.source_stages, i.source_memory,
                i.destination_stages, i.destination_memory, static_cast<unsigned>(i.from),
                static_cast<unsigned>(i.to));
        for (const std::string& why : explanations(plan, b))
            text += why + ' ';
        text += '\n';
    };
    for (const Level& level : plan.levels)
        batch(level);
    batch(plan.epilogue);
    for (const Allocation& a : plan.allocations)
        add(a.block, a.offset, a.size, a.first_level, a.last_level);
    for (const Layout layout : plan.access_layouts)
        add(static_cast<unsigned>(layout));
    return text;
}

TEST(Compile, IsDeterministic) {
    EXPECT_EQ(print(workload().plan()), print(workload().plan()));
}

TEST(Compile, RunsEveryLiveNodeOnceAndNoOther) {
    const Plan plan = workload().plan();
    EXPECT_EQ(plan.order.size() + plan.statistics.culled, plan.graph.nodes.size());
    std::vector<NodeId> unique = plan.order;
    std::ranges::sort(unique);
    EXPECT_EQ(std::unique(unique.begin(), unique.end()), unique.end());
    for (const NodeId node : plan.order)
        EXPECT_EQ(plan.culled[node.index], CullReason::none);
    EXPECT_TRUE(is_culled(plan, "debug"));
}

TEST(Compile, LevelsTileTheOrderAndBatchesTheBarriers) {
    const Plan plan = workload().plan();
    std::uint32_t node = 0;
    std::uint32_t barrier = 0;
    std::uint32_t reason = 0;
    for (const Level& level : plan.levels) {
        EXPECT_EQ(level.first_node, node);
        EXPECT_GT(level.node_count, 0u);
        EXPECT_EQ(level.first_image_barrier, barrier);
        EXPECT_EQ(level.first_reason, reason);
        node += level.node_count;
        barrier += level.image_barrier_count;
        reason += level.reason_count;
    }
    EXPECT_EQ(node, plan.order.size());
    EXPECT_EQ(plan.epilogue.first_node, node);
    EXPECT_EQ(plan.epilogue.node_count, 0u);
    EXPECT_EQ(barrier + plan.epilogue.image_barrier_count, plan.image_barriers.size());
    EXPECT_EQ(reason + plan.epilogue.reason_count, plan.reasons.size());
}

TEST(Compile, StatisticsCountWhatIsThere) {
    const Plan plan = workload().plan();
    EXPECT_EQ(plan.statistics.nodes, plan.order.size());
    EXPECT_EQ(plan.statistics.culled, 1u);
    EXPECT_EQ(plan.statistics.levels, plan.levels.size());
    EXPECT_EQ(plan.statistics.image_barriers, plan.image_barriers.size());
    std::uint32_t batches = plan.epilogue.has_barriers() ? 1u : 0u;
    std::uint32_t memory_barriers = plan.epilogue.memory.source_stages != 0 ? 1u : 0u;
    for (const Level& level : plan.levels) {
        batches += level.has_barriers() ? 1u : 0u;
        memory_barriers += level.memory.source_stages != 0 ? 1u : 0u;
    }
    EXPECT_EQ(plan.statistics.batches, batches);
    EXPECT_EQ(plan.statistics.memory_barriers, memory_barriers);
    EXPECT_LE(plan.statistics.peak_bytes, plan.statistics.transient_bytes);
    EXPECT_LE(plan.statistics.transient_bytes, plan.statistics.naive_bytes);
}

TEST(Compile, OrderOfIndependentDeclarationsChangesNoLevel) {
    const auto build = [](std::vector<int> order) {
        Sketch s;
        std::vector<Buffer> parts(4);
        for (const int i : order)
            parts[static_cast<std::size_t>(i)] = s.write("part" + std::to_string(i), s.buffer("p"));
        auto join = s.graph.custom("join");
        for (const Buffer part : parts)
            join.read(part, Access::storage_read, stage::kCompute);
        s.graph.output("result", join.write(s.buffer("r"), Access::storage_write));
        return s.plan();
    };
    const Plan a = build({0, 1, 2, 3});
    const Plan b = build({3, 1, 0, 2});
    ASSERT_EQ(a.levels.size(), b.levels.size());
    for (std::size_t l = 0; l < a.levels.size(); ++l)
        EXPECT_THAT(levels_of(a)[l], UnorderedElementsAreArray(levels_of(b)[l]));
    EXPECT_EQ(a.statistics.batches, b.statistics.batches);
    EXPECT_EQ(a.statistics.transient_bytes, b.statistics.transient_bytes);
}

TEST(Compile, CollectsAllMistakesOfTheBuilderAndOfValidation) {
    Sketch s;
    s.read("read", Buffer{});
    (void)s.image("empty", {.extent = {0, 4}});
    (void)s.image("full_of_mips", {.extent = {4, 4}, .mips = 9});
    EXPECT_THAT(codes(s.compile()),
                ElementsAre("graph/unconnected", "graph/zero-size", "graph/image-mips"));
}

TEST(Compile, LeavesOutWhatFollowsFromAMistakeOfTheBuilder) {
    // An image made like one that was refused has no format.
    Sketch s;
    s.read("read", Buffer{});
    (void)s.image("formless", {.format = Format::undefined});
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/unconnected"));
}

TEST(Compile, WarningsDoNotStopIt) {
    Sketch s;
    s.graph.report({.code = "test/odd", .severity = Severity::warning, .message = "odd"});
    const Plan plan = s.plan();
    EXPECT_THAT(codes(plan.graph.diagnostics), ElementsAre("test/odd"));
}

// --- safe modes ----------------------------------------------------------------------------------

TEST(SafeModes, AliasOffSharesNoByte) {
    const Plan plan = workload().plan({.alias = AliasMode::off});
    for (std::size_t a = 0; a < plan.allocations.size(); ++a)
        for (std::size_t b = a + 1; b < plan.allocations.size(); ++b)
            EXPECT_FALSE(share_bytes(plan.allocations[a], plan.allocations[b]));
    EXPECT_EQ(plan.statistics.transient_bytes, plan.statistics.naive_bytes);
}

TEST(SafeModes, FullBarriersStopEverythingBeforeEachLevelAndAtTheEnd) {
    constexpr MemoryMask kAny = memory::kMemoryRead | memory::kMemoryWrite;
    const MemoryBarrier all{stage::kAllCommands, kAny, stage::kAllCommands, kAny};
    const Plan plan = workload().plan({.barriers = BarrierMode::full});
    // The host is no command: its stage is named in addition, where it reads or has read.
    const auto of_commands = [](MemoryBarrier barrier) {
        barrier.source_stages &= ~stage::kHost;
        barrier.destination_stages &= ~stage::kHost;
        return barrier;
    };
    for (const Level& level : plan.levels)
        EXPECT_EQ(of_commands(level.memory), all);
    EXPECT_EQ(of_commands(plan.epilogue.memory), all);
    for (const ImageBarrier& barrier : plan.image_barriers) {
        EXPECT_EQ(barrier.source_stages, stage::kAllCommands);
        EXPECT_EQ(barrier.destination_memory, kAny);
    }
    EXPECT_EQ(plan.statistics.batches, plan.levels.size() + 1);
}

TEST(SafeModes, FullBarriersChangeTheSameLayouts) {
    const Plan minimal = workload().plan();
    const Plan full = workload().plan({.barriers = BarrierMode::full});
    EXPECT_EQ(minimal.access_layouts, full.access_layouts);
    ASSERT_EQ(minimal.image_barriers.size(), full.image_barriers.size());
    for (std::size_t i = 0; i < full.image_barriers.size(); ++i) {
        EXPECT_EQ(minimal.image_barriers[i].from, full.image_barriers[i].from);
        EXPECT_EQ(minimal.image_barriers[i].to, full.image_barriers[i].to);
    }
}

TEST(SafeModes, ABarrierForNoOtherReasonIsForced) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(64);
    s.read("read", s.graph.constant_buffer("table", {.size = 64}, bytes));
    const Plan plan = s.plan({.barriers = BarrierMode::full});
    ASSERT_THAT(reasons(plan, plan.levels[0]), SizeIs(1));
    EXPECT_EQ(reasons(plan, plan.levels[0])[0].hazard, Hazard::forced);
}

TEST(SafeModes, DeclaredOrderRunsTheSameNodes) {
    const Plan levels = workload().plan();
    const Plan declared = workload().plan({.order = OrderMode::declared});
    EXPECT_THAT(names_of(declared.graph, declared.order),
                UnorderedElementsAreArray(names_of(levels.graph, levels.order)));
    EXPECT_TRUE(std::ranges::is_sorted(declared.order));
}

TEST(SafeModes, PoisonAddsItsNodesAndNothingElse) {
    const Plan plain = workload().plan();
    const Plan poisoned = workload().plan({.poison = true});
    std::vector<std::string> rest;
    for (const std::string& name : names_of(poisoned.graph, poisoned.order))
        if (!name.starts_with("poison/")) rest.push_back(name);
    EXPECT_THAT(rest, UnorderedElementsAreArray(names_of(plain.graph, plain.order)));
    EXPECT_THAT(names_of(poisoned.graph, poisoned.order), Contains("poison/ldr"));
}

TEST(SafeModes, TogetherTheyCompile) {
    const Plan plan = workload().plan({.alias = AliasMode::off,
                                       .order = OrderMode::declared,
                                       .barriers = BarrierMode::full,
                                       .poison = true});
    EXPECT_FALSE(plan.order.empty());
}

} // namespace
} // namespace tuff
