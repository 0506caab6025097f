#include "tests/oracle/oracle.hpp"
#include "tests/unit/graph/sketch.hpp"

#include <functional>

/// Which work runs once, what is kept of it, and that the oracle notices where that is wrong.
namespace tuff::test {
namespace {

constexpr CompileOptions kOnce{.constant = ConstantWork::once};

Image import_picture(Graph& graph) {
    constexpr Scope kHost{stage::kAllCommands, memory::kMemoryRead | memory::kMemoryWrite,
                          Layout::general};
    return graph.import_image("camera", kPicture, {.first = kHost, .last = kHost});
}

/// A table that a node fills, another one refines, and each execution reads, with a picture.
struct Room {
    GraphDesc graph;
    explicit Room(bool changing = false, bool changes_table = false) {
        Graph g;
        if (changing) g.push_changing();
        const Image raw = fill(g, "fill", "raw");
        if (changing) g.pop_changing();
        const Image table = combine(g, "refine", raw, g.image("table", kPicture));
        const Image camera = import_picture(g);
        Image picture = g.image("picture", kPicture);
        if (changes_table) {
            picture = combine(g, "overwrite", camera, table);
        } else {
            auto node = empty(g, "shade");
            node.read(table, Access::sampled, stage::kCompute);
            node.read(camera, Access::sampled, stage::kCompute);
            picture = node.write(picture, Access::storage_write, stage::kCompute);
        }
        g.output("picture", picture);
        graph = std::move(g).finish();
        // Nodes that a host records always change: what they declare is all that counts here.
        for (NodeDesc& node : graph.nodes)
            node.payload = ~0u;
        graph.payloads.clear();
    }
    static CustomNodeBuilder empty(Graph& g, std::string_view name) { return g.custom(name); }
    static Image fill(Graph& g, std::string_view node, std::string_view image) {
        return empty(g, node).write(g.image(image, kPicture), Access::storage_write,
                                    stage::kCompute);
    }
    static Image combine(Graph& g, std::string_view node, Image source, Image target) {
        auto builder = empty(g, node);
        builder.read(source, Access::sampled, stage::kCompute);
        return builder.write(target, Access::storage_write, stage::kCompute);
    }
    Plan plan(const CompileOptions& options = kOnce) const {
        auto compiled = compile(graph, DeviceCaps{}, options);
        EXPECT_TRUE(compiled) << to_string(compiled.error());
        return compiled ? *std::move(compiled) : Plan{};
    }
};

TEST(ConstantWork, RunsOnceAndKeepsWhatExecutionsRead) {
    const Plan plan = Room().plan();
    ASSERT_TRUE(plan.setup);
    EXPECT_EQ(names_of(plan.graph, plan.setup->order),
              (std::vector<std::string>{"fill", "refine"}));
    EXPECT_EQ(names_of(plan.graph, plan.order), std::vector<std::string>{"shade"});
    ASSERT_EQ(plan.kept.size(), 1u);
    EXPECT_EQ(plan.graph.name_of(plan.kept[0].resource), "table");
    EXPECT_EQ(plan.kept[0].bytes, kPictureBytes);
    EXPECT_EQ(plan.statistics.kept_bytes, kPictureBytes);
    EXPECT_EQ(plan.statistics.constant, 2u);
    EXPECT_EQ(plan.statistics.culled, 0u);
}

TEST(ConstantWork, IsPartOfEachExecutionUnlessAskedFor) {
    EXPECT_FALSE(Room().plan({}).setup);
}

TEST(ConstantWork, DependsOnNothingThatIsMarkedAsChanging) {
    EXPECT_FALSE(Room(true).plan().setup);
}

TEST(ConstantWork, LeavesResourcesAloneThatExecutionsWrite) {
    const Plan plan = Room(false, true).plan();
    ASSERT_TRUE(plan.setup);
    EXPECT_EQ(names_of(plan.graph, plan.setup->order), std::vector<std::string>{"fill"});
    ASSERT_EQ(plan.kept.size(), 1u);
    EXPECT_EQ(plan.graph.name_of(plan.kept[0].resource), "raw");
}

/// What is kept lies in memory that the host does not see.
TEST(ConstantWork, IsDoneEachTimeWhereTheHostReadsIt) {
    constexpr BufferDesc kWord{.size = 4, .stride = 4};
    Graph g;
    const Buffer number = g.fill(g.buffer("number", kWord), 7, "fill");
    const Buffer sent = g.copy(number, g.buffer("sent", kWord), "copy");
    auto host = g.host("send", [](const HostBuffers&) { return Result<void>(); });
    host.read(sent);
    g.output("received", host.write(g.buffer("received", kWord)));
    const auto plan = compile(std::move(g).finish(), DeviceCaps{}, kOnce);
    ASSERT_TRUE(plan) << to_string(plan.error());
    ASSERT_TRUE(plan->setup);
    EXPECT_EQ(names_of(plan->graph, plan->setup->order), std::vector<std::string>{"fill"});
    EXPECT_EQ(names_of(plan->graph, plan->order), (std::vector<std::string>{"copy", "send"}));
}

TEST(ConstantWork, IsNotKeptBeyondTheMemoryBudget) {
    CompileOptions options = kOnce;
    options.memory_budget = 3 * kPictureBytes;
    EXPECT_TRUE(Room().plan(options).setup);
    options.memory_budget = 3 * kPictureBytes - 1;
    EXPECT_FALSE(Room().plan(options).setup);
}

TEST(ConstantWork, OfAStillIsAllOfIt) {
    Graph g;
    g.output("picture",
             Room::combine(g, "copy", Room::fill(g, "fill", "raw"), g.image("picture", kPicture)));
    GraphDesc still = std::move(g).finish();
    for (NodeDesc& node : still.nodes)
        node.payload = ~0u;
    still.payloads.clear();
    const auto plan = compile(still, DeviceCaps{}, kOnce);
    ASSERT_TRUE(plan);
    EXPECT_FALSE(plan->setup);
}

/// A sound plan, then damaged, which the oracle calls by its name.
void expect_fault(oracle::Fault fault, const std::function<void(Plan&, Plan&)>& damage) {
    const Room room;
    Plan plan = room.plan();
    ASSERT_TRUE(plan.setup);
    ASSERT_TRUE(oracle::check(room.graph, plan).empty());
    Plan setup = *plan.setup;
    damage(plan, setup);
    plan.setup = std::make_shared<const Plan>(std::move(setup));
    const oracle::Violations found = oracle::check(room.graph, plan);
    EXPECT_TRUE(std::ranges::any_of(found, [&](const auto& v) { return v.fault == fault; }))
        << oracle::to_string(found);
}

TEST(ConstantWork, NeedsItsResultsKept) {
    expect_fault(oracle::Fault::not_constant, [](Plan& plan, Plan&) { plan.kept.clear(); });
}

TEST(ConstantWork, IsHandedOverInOneState) {
    using oracle::Fault;
    const auto state = [](Plan& plan, Plan& setup) -> ImportState& {
        return setup.graph.resources[plan.kept[0].resource.index].import;
    };
    expect_fault(Fault::wrong_layout, [&](Plan& plan, Plan& setup) {
        state(plan, setup).last.layout = Layout::transfer_source;
    });
    expect_fault(Fault::unordered, [&](Plan& plan, Plan& setup) {
        state(plan, setup).first.stages = stage::kTransfer;
    });
    expect_fault(Fault::invisible, [&](Plan& plan, Plan& setup) {
        state(plan, setup).last.memory = memory::kTransferRead;
    });
    expect_fault(Fault::usage, [](Plan& plan, Plan&) { plan.kept[0].usage = 0; });
    expect_fault(Fault::placement, [](Plan& plan, Plan&) {
        plan.allocations[plan.kept[0].resource.index].block = 0;
    });
    expect_fault(Fault::malformed, [](Plan& plan, Plan&) {
        plan.culled[node_named(plan.graph, "fill").index] = CullReason::result_unused;
    });
}

} // namespace
} // namespace tuff::test
