#include "tests/oracle/oracle.hpp"

#include <tuff/graph.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

/// The judge is judged: right plans pass, and each way of being wrong is called by its name.
namespace tuff {
namespace {

using oracle::Fault;

constexpr ImageDesc kChainImage{.extent = {16, 16, 1}};
constexpr BufferDesc kChainBuffer{.size = 1024};

/// write -> a -> blur -> b -> sharpen -> c -> output. a and c share memory.
Graph chain() {
    Graph graph;
    Image image = graph.custom("write").write(graph.image("a", kChainImage), Access::storage_write);
    for (const auto& [node, target] : {std::pair("blur", "b"), std::pair("sharpen", "c")}) {
        CustomNodeBuilder builder = graph.custom(node);
        builder.read(image, Access::sampled);
        image = builder.write(graph.image(target, kChainImage), Access::storage_write);
    }
    graph.output("c", image);
    return graph;
}

struct Compiled {
    GraphDesc graph;
    Plan plan;

    explicit Compiled(Graph source, const CompileOptions& options = {})
        : graph(std::move(source).finish()),
          plan(compile(graph, DeviceCaps{}, options).value_or(Plan{})) {}

    std::string text(const oracle::Settings& settings = {}) const {
        return oracle::to_string(oracle::check(graph, plan, settings));
    }
    /// The kind of the first violation; none: the plan passes.
    std::optional<Fault> fault() const {
        const oracle::Violations violations = oracle::check(graph, plan);
        return violations.empty() ? std::nullopt : std::optional(violations.front().fault);
    }
    bool has(Fault fault) const {
        return std::ranges::any_of(oracle::check(graph, plan, {.most = 1000}),
                                   [&](const oracle::Violation& v) { return v.fault == fault; });
    }
    ResourceId resource(std::string_view name) const {
        for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
            if (graph.name_of(ResourceId{r}) == name) return {r};
        return {};
    }
    NodeId node(std::string_view name) const {
        for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
            if (graph.name_of(NodeId{n}) == name) return {n};
        return {};
    }
    /// The first barrier of an image that leads to this layout.
    ImageBarrier& barrier(std::string_view image, Layout to) {
        return *std::ranges::find_if(plan.image_barriers, [&](const ImageBarrier& b) {
            return graph.name_of(b.resource) == image && b.to == to;
        });
    }
};

TEST(Oracle, AcceptsARightPlan) {
    const Compiled chained{chain()};
    EXPECT_EQ(chained.text(), "");
    const auto& at = chained.plan.allocations;
    EXPECT_EQ(at[chained.resource("a").index].offset, at[chained.resource("c").index].offset);
}

TEST(Oracle, MissesAnExecutionDependency) {
    Compiled c{chain()};
    c.barrier("a", Layout::shader_read_only).source_stages = stage::kCopy;
    EXPECT_EQ(c.fault(), Fault::unordered) << c.text();
}

TEST(Oracle, MissesAvailability) {
    Compiled c{chain()};
    c.barrier("a", Layout::shader_read_only).source_memory = memory::kTransferWrite;
    EXPECT_EQ(c.fault(), Fault::unavailable) << c.text();
}

TEST(Oracle, MissesVisibility) {
    Compiled c{chain()};
    c.barrier("a", Layout::shader_read_only).destination_memory = memory::kTransferRead;
    EXPECT_EQ(c.fault(), Fault::invisible) << c.text();
}

TEST(Oracle, WantsAWriteToSeeTheOneBeforeItThoughThatHasBeenRead) {
    Graph graph;
    const Buffer written =
        graph.custom("write").write(graph.buffer("b", kChainBuffer), Access::storage_write);
    CustomNodeBuilder read = graph.custom("read");
    read.read(written, Access::storage_read);
    read.keep();
    graph.output("b", graph.custom("overwrite").write(written, Access::storage_write));
    Compiled c{std::move(graph)};
    ASSERT_EQ(c.text(), "");
    ASSERT_EQ(c.plan.levels.size(), 3u);
    c.plan.levels[2].memory.destination_memory = memory::kNone;
    EXPECT_EQ(c.fault(), Fault::invisible) << c.text();
}

/// Nothing is wrong within the first execution.
TEST(Oracle, MissesTheWaitForTheExecutionBefore) {
    Graph graph;
    CustomNodeBuilder node = graph.custom("write");
    const Buffer written = node.write(graph.buffer("b", kChainBuffer), Access::storage_write);
    node.keep();
    graph.output("b", written);
    Compiled c{std::move(graph)};
    ASSERT_EQ(c.text(), "");
    c.plan.levels[0].memory = {};
    EXPECT_THAT(c.text(), testing::HasSubstr("in execution 1 (execution 2)"));
    EXPECT_THAT(c.text(), testing::Not(testing::HasSubstr("(execution 1)")));
}

TEST(Oracle, SeesThatANodeFindsAnotherLayoutThanItNames) {
    Compiled c{chain()};
    const NodeDesc& blur = c.graph.nodes[c.node("blur").index];
    c.plan.access_layouts[blur.first_access] = Layout::general;
    EXPECT_EQ(c.fault(), Fault::wrong_layout) << c.text();
}

TEST(Oracle, SeesThatVulkanForbidsALayout) {
    Compiled c{chain()};
    const NodeDesc& write = c.graph.nodes[c.node("write").index];
    c.plan.access_layouts[write.first_access] = Layout::shader_read_only;
    c.barrier("a", Layout::shader_read_only).from = Layout::shader_read_only;
    c.barrier("a", Layout::general).to = Layout::shader_read_only;
    EXPECT_EQ(c.fault(), Fault::wrong_layout) << c.text();
    EXPECT_THAT(c.text(), testing::HasSubstr("Vulkan does not allow"));
}

TEST(Oracle, SeesThatATransitionDiscardsContents) {
    Compiled c{chain()};
    c.barrier("a", Layout::shader_read_only).from = Layout::undefined;
    EXPECT_EQ(c.fault(), Fault::undefined_contents) << c.text();
    EXPECT_THAT(c.text(), testing::HasSubstr("discarded"));
}

TEST(Oracle, SeesThatLiveMemoryIsOverwritten) {
    Compiled c{chain()};
    c.plan.allocations[c.resource("b").index] = c.plan.allocations[c.resource("a").index];
    EXPECT_TRUE(c.has(Fault::undefined_contents)) << c.text();
}

TEST(Oracle, SeesThatANeededNodeIsCulled) {
    Compiled c{chain()};
    const NodeId write = c.node("write");
    c.plan.culled[write.index] = CullReason::result_unused;
    std::erase(c.plan.order, write);
    c.plan.levels[0].node_count = 0;
    for (Level& level : c.plan.levels)
        if (level.first_node > 0) --level.first_node;
    EXPECT_EQ(c.fault(), Fault::culled_though_used) << c.text();
}

TEST(Oracle, SeesThatAVersionIsReadOutOfOrder) {
    Graph graph;
    Buffer b = graph.fill(graph.buffer("b", kChainBuffer), 0, "first");
    CustomNodeBuilder reader = graph.custom("reader");
    reader.read(b, Access::copy_read);
    reader.keep();
    b = graph.custom("second").write(b, Access::storage_write);
    graph.output("b", b);
    Compiled c{std::move(graph)};
    ASSERT_EQ(c.text(), "");
    auto& order = c.plan.order;
    std::iter_swap(std::ranges::find(order, c.node("reader")),
                   std::ranges::find(order, c.node("second")));
    EXPECT_TRUE(c.has(Fault::wrong_version)) << c.text();
}

TEST(Oracle, SeesBadPlacement) {
    const Compiled right{chain()};
    const std::uint32_t a = right.resource("a").index;
    const auto with = [&](auto change) {
        Compiled c = right;
        change(c.plan);
        return c.fault();
    };
    EXPECT_EQ(with([&](Plan& p) { p.allocations[a].offset += 128; }), Fault::placement);
    EXPECT_EQ(with([&](Plan& p) { p.allocations[a].size -= 256; }), Fault::placement);
    EXPECT_EQ(with([&](Plan& p) { p.allocations[a].block = ~0u; }), Fault::placement);
    EXPECT_EQ(with([&](Plan& p) { p.blocks[0].size -= 256; }), Fault::placement);
    EXPECT_EQ(with([&](Plan& p) { p.blocks[0].type_bits = 2; }), Fault::placement);
}

/// A buffer straight behind an image, both alive: wrong where granules are larger.
TEST(Oracle, KeepsImagesAndBuffersOnSeparateGranules) {
    Graph graph;
    const Image image = graph.clear(graph.image("i", {.extent = {8, 8, 1}}), {});
    const Buffer buffer = graph.fill(graph.buffer("b", {.size = 256}), 0);
    graph.output("i", image);
    graph.output("b", buffer);
    const Compiled c{std::move(graph)};
    EXPECT_EQ(c.text({.buffer_image_granularity = 256}), "");
    EXPECT_NE(c.text({.buffer_image_granularity = 4096}), "");
}

TEST(Oracle, SeesMissingUsages) {
    Compiled c{chain()};
    c.plan.usages[c.resource("a").index] = usage::kStorage;
    EXPECT_EQ(c.fault(), Fault::usage) << c.text();
}

TEST(Oracle, SeesThatAnImportDoesNotGoBackAsPromised) {
    Graph graph;
    const Scope first{stage::kColorOutput, memory::kColorWrite, Layout::color_attachment};
    const Scope last{stage::kFragmentShader, memory::kSampledRead, Layout::shader_read_only};
    const Image image = graph.import_image("image", kChainImage, {first, last});
    (void)graph.custom("draw").write(image, Access::color_read_write);
    Compiled c{std::move(graph)};
    ASSERT_EQ(c.text(), "");
    c.barrier("image", Layout::shader_read_only).destination_stages = stage::kCopy;
    EXPECT_EQ(c.fault(), Fault::unordered) << c.text();
    c.barrier("image", Layout::shader_read_only).to = Layout::general;
    EXPECT_EQ(c.fault(), Fault::wrong_layout) << c.text();
}

/// Depth 2: the copy comes round in the fourth execution.
TEST(Oracle, FollowsTheCopiesOfAHistory) {
    Graph graph;
    const BufferHistory history = graph.history_buffer("h", kChainBuffer, 2);
    CustomNodeBuilder node = graph.custom("step");
    node.read(history.previous[1], Access::uniform_read, stage::kVertexShader);
    (void)node.write(history.current, Access::storage_write);
    Compiled c{std::move(graph)};
    ASSERT_EQ(c.text(), "");
    c.plan.levels[0].memory = {};
    EXPECT_EQ(c.fault(), Fault::unordered);
    EXPECT_THAT(c.text(), testing::HasSubstr("the write of 'step' in execution 1 (execution 4)"));
}

TEST(Oracle, TellsPartsOfAResourceApart) {
    Graph graph;
    Image image = graph.image("pyramid", {.extent = {16, 16, 1}, .mips = 3});
    image = graph.clear(mip(image, 0), {});
    for (std::uint32_t level = 1; level < 3; ++level)
        image = graph.blit(mip(image, level - 1), mip(image, level), Filter::linear);
    graph.output("pyramid", image);
    Compiled c{std::move(graph)};
    ASSERT_EQ(c.text(), "");
    for (ImageBarrier& barrier : c.plan.image_barriers)
        if (barrier.range.mip == 1 && barrier.from == Layout::transfer_destination)
            barrier.range.mip = 2;
    EXPECT_THAT(c.text(), testing::HasSubstr("mips 1..2"));
}

TEST(Oracle, RefusesThePlanOfAnotherGraph) {
    Compiled c{chain()};
    c.graph.nodes[0].side_effect = true;
    EXPECT_EQ(c.fault(), Fault::malformed);
}

} // namespace
} // namespace tuff
