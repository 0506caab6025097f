#include "tests/oracle/oracle.hpp"

#include <tuff/graph.hpp>

#include <gtest/gtest.h>

/// Graphs that once compiled to wrong plans, each as small as it gets.
namespace tuff {
namespace {

constexpr ImageDesc kImage{.extent = {8, 8, 1}};
constexpr BufferDesc kBuffer{.size = 256};
constexpr Scope kHostScope{stage::kAllCommands, memory::kMemoryRead | memory::kMemoryWrite,
                           Layout::general};
constexpr ImportState kHostBuffer{{kHostScope.stages, kHostScope.memory, Layout::undefined},
                                  {kHostScope.stages, kHostScope.memory, Layout::undefined}};

/// What the oracle says of the compiled graph; empty: nothing.
std::string violations(Graph graph, const CompileOptions& options = {}) {
    const GraphDesc desc = std::move(graph).finish();
    const Result<Plan> plan = compile(desc, DeviceCaps{}, options);
    if (!plan) return to_string(plan.error());
    return oracle::to_string(oracle::check(desc, *plan));
}

/// first -> x, (culled) -> x, clear -> x -> output; `first` lives through its other result.
TEST(CompileHazards, NodesWithOnlyACulledOneBetweenThemStayOrdered) {
    Graph graph;
    Buffer kept = graph.import_buffer("kept", kBuffer, kHostBuffer);
    Image x = graph.image("x", kImage);
    CustomNodeBuilder first = graph.custom("first");
    x = first.write(x, Access::storage_write);
    kept = first.write(kept, Access::storage_write);
    x = graph.custom("culled").write(x, Access::storage_write);
    graph.output("x", graph.clear(x, {}));
    EXPECT_EQ(violations(std::move(graph)), "");
}

TEST(CompileHazards, AllThatAccumulateWaitForTheWriteBefore) {
    Graph graph;
    Buffer sum = graph.fill(graph.buffer("sum", kBuffer), 0);
    const Buffer a = graph.custom("a").write(sum, Access::accumulate, stage::kCompute);
    const Buffer b = graph.custom("b").write(sum, Access::accumulate, stage::kFragmentShader);
    EXPECT_EQ(a, b);
    graph.output("sum", b);
    EXPECT_EQ(violations(std::move(graph)), "");
}

/// The reader in between has made the write visible to itself alone.
TEST(CompileHazards, AnUpdateInPlaceSeesTheWriteThatOthersHaveRead) {
    Graph graph;
    Buffer data = graph.fill(graph.buffer("data", kBuffer), 0);
    CustomNodeBuilder reader = graph.custom("reader");
    reader.read(data, Access::indirect_read);
    reader.keep();
    data = graph.custom("update").write(data, Access::storage_read_write);
    graph.output("data", data);
    EXPECT_EQ(violations(std::move(graph)), "");
}

TEST(CompileHazards, TheNextExecutionSeesAHistoryThatThisOneHasRead) {
    Graph graph;
    const BufferHistory history = graph.history_buffer("history", kBuffer);
    CustomNodeBuilder before = graph.custom("before");
    before.read(history.previous[0], Access::indirect_read);
    before.keep();
    const Buffer written = graph.fill(history.current, 0);
    CustomNodeBuilder after = graph.custom("after");
    after.read(written, Access::storage_read);
    after.keep();
    EXPECT_EQ(violations(std::move(graph)), "");
}

TEST(CompileHazards, AnImportThatTheHostHasOnlyReadIsVisibleToOtherReaders) {
    Graph graph;
    const Scope sampled{stage::kFragmentShader, memory::kSampledRead, Layout::shader_read_only};
    const Image image = graph.import_image("image", kImage, {sampled, sampled});
    CustomNodeBuilder reader = graph.custom("reader");
    reader.read(image, Access::sampled, stage::kCompute);
    reader.keep();
    EXPECT_EQ(violations(std::move(graph)), "");
}

TEST(CompileHazards, FullBarriersReachTheHost) {
    Graph graph;
    graph.output("data", graph.fill(graph.buffer("data", kBuffer), 0), Access::host_read);
    EXPECT_EQ(violations(std::move(graph), {.barriers = BarrierMode::full}), "");
}

TEST(CompileHazards, AnImageIsPresentedInThePresentLayoutThoughANodeReadsItToo) {
    Graph graph;
    const Image image = graph.clear(graph.image("image", kImage), {});
    CustomNodeBuilder reader = graph.custom("reader");
    reader.read(image, Access::sampled);
    reader.keep();
    graph.output("image", image, Access::present);
    EXPECT_EQ(violations(std::move(graph)), "");
}

/// A shader of the host's own may read it, in whatever stage.
TEST(CompileHazards, AnOutputIsVisibleToTheShadersOfTheHost) {
    Graph graph;
    graph.output("image", graph.clear(graph.image("image", kImage), {}), Access::sampled);
    EXPECT_EQ(violations(std::move(graph)), "");
}

/// Both read level 0, which the write of level 1 has left as it was; nothing orders them.
TEST(CompileHazards, ReadersOfVersionsThatShareAPartAgreeThere) {
    Graph graph;
    Image image = graph.clear(graph.image("image", {.extent = {8, 8, 1}, .mips = 2}), {});
    CustomNodeBuilder first = graph.custom("first");
    first.read(mip(image, 0), Access::sampled, stage::kCompute);
    first.keep();
    image = graph.custom("write").write(mip(image, 1), Access::storage_write);
    CustomNodeBuilder second = graph.custom("second");
    second.read(mip(image, 0), Access::copy_read);
    second.keep();
    EXPECT_EQ(violations(std::move(graph)), "");
}

} // namespace
} // namespace tuff
