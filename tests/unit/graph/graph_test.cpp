#include "fake_shaders.hpp"
#include "sketch.hpp"

/// The builder's own part: resources, versions, scopes and outputs, and the mistakes it reports.
namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Graph, AWriteReturnsANewVersionOfTheSameResource) {
    Sketch s;
    const Buffer old = s.buffer("data");
    const Buffer written = s.write("write", old);
    EXPECT_NE(written, old);
    const GraphDesc& desc = s.graph.peek();
    EXPECT_EQ(desc.versions[written.version.index].previous, old.version);
    EXPECT_EQ(desc.versions[old.version.index].next, written.version);
    EXPECT_EQ(&desc.resource_of(written.version), &desc.resource_of(old.version));
}

TEST(Graph, NodesAskForTheInnermostQueueThatIsOpen) {
    Graph graph;
    (void)graph.custom("before");
    graph.push_queue(QueueHint::compute);
    (void)graph.custom("outer");
    graph.push_queue(QueueHint::transfer);
    (void)graph.custom("inner");
    graph.pop_queue();
    (void)graph.custom("outer again");
    graph.pop_queue();
    (void)graph.custom("after");
    std::vector<QueueHint> hints;
    for (const NodeDesc& node : graph.peek().nodes)
        hints.push_back(node.queue);
    EXPECT_THAT(hints, ElementsAre(QueueHint::automatic, QueueHint::compute, QueueHint::transfer,
                                   QueueHint::compute, QueueHint::automatic));
}

TEST(Graph, TwoWritersOfOneVersionAreBothNamed) {
    Sketch s;
    const Buffer data = s.buffer("data");
    (void)s.write("first", data);
    (void)s.write("second", data);
    const Result<Plan> plan = s.compile();
    ASSERT_THAT(codes(plan), ElementsAre("graph/two-writers"));
    EXPECT_THAT(plan.error()[0].message, HasSubstr("'first' and 'second'"));
    EXPECT_THAT(plan.error()[0].hint, HasSubstr("copy"));
}

TEST(Graph, AccumulationAndAnOrdinaryWriteOfOneVersionConflict) {
    Sketch s;
    const Buffer zero = s.graph.fill(s.buffer("bins"), 0);
    (void)s.write("count", zero, Access::accumulate);
    (void)s.write("overwrite", zero);
    EXPECT_THAT(codes(s.graph), ElementsAre("graph/two-writers"));
    Sketch other;
    const Buffer data = other.graph.fill(other.buffer("bins"), 0);
    (void)other.write("overwrite", data);
    (void)other.write("count", data, Access::accumulate);
    EXPECT_THAT(codes(other.graph), ElementsAre("graph/two-writers"));
}

TEST(Graph, EmptyResourcesAreReportedOnceEach) {
    Sketch s;
    for (const ImageDesc& desc :
         {ImageDesc{.extent = {0, 4}}, ImageDesc{.extent = {4, 0}}, ImageDesc{.extent = {4, 4, 0}},
          ImageDesc{.mips = 0}, ImageDesc{.layers = 0}, ImageDesc{.samples = 0}})
        (void)s.image("empty", desc);
    (void)s.buffer("empty", 0);
    EXPECT_THAT(codes(s.compile()),
                ElementsAre("graph/zero-size", "graph/zero-size", "graph/zero-size",
                            "graph/zero-size", "graph/zero-size", "graph/zero-size",
                            "graph/zero-size"));
}

TEST(Graph, ConstantsHoldExactlyTheirSize) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(10);
    (void)s.graph.constant_image("image", kPicture, bytes);
    (void)s.graph.constant_image("nothing", kPicture, nullptr);
    (void)s.graph.constant_buffer("buffer", {.size = 11}, bytes);
    (void)s.graph.constant_buffer("right", {.size = 10}, bytes);
    EXPECT_THAT(codes(s.graph),
                ElementsAre("graph/contents-size", "graph/contents-size", "graph/contents-size"));
}

TEST(Graph, ConstantsAndEarlierAgesAreNotWritten) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(4);
    (void)s.write("a", s.graph.constant_buffer("table", {.size = 4}, bytes));
    (void)s.write("b", s.graph.history_buffer("state", {.size = 4}).previous[0]);
    EXPECT_THAT(codes(s.graph), ElementsAre("graph/write-constant", "graph/write-history"));
}

TEST(Graph, AHistoryHasOneResourceForEachAge) {
    Graph graph;
    const ImageHistory history = graph.history_image("state", kPicture, 2);
    ASSERT_THAT(history.previous, SizeIs(2));
    const GraphDesc& desc = graph.peek();
    ASSERT_THAT(desc.resources, SizeIs(3));
    EXPECT_EQ(desc.name_of(ResourceId{0}), "state");
    EXPECT_EQ(desc.name_of(ResourceId{2}), "state@2");
    for (std::uint32_t age = 0; age < 3; ++age) {
        EXPECT_EQ(desc.resources[age].history_age, age);
        EXPECT_EQ(desc.resources[age].history_depth, 2u);
        EXPECT_EQ(desc.resources[age].history_group, 0u);
    }
}

TEST(Graph, WhatIsNotConnectedIsReportedWhereItIsUsed) {
    Sketch s;
    s.read("reader", Image{});
    (void)s.write("writer", Buffer{});
    s.graph.output("output", Image{});
    EXPECT_THAT(codes(s.graph),
                ElementsAre("graph/unconnected", "graph/unconnected", "graph/unconnected"));
    EXPECT_THAT(s.graph.peek().diagnostics[0].message, HasSubstr("'reader'"));
    EXPECT_EQ(s.graph.desc(Image{}).format, Format::undefined);
    EXPECT_EQ(s.graph.desc(Buffer{}).size, 0u);
}

TEST(Graph, ViewsStayInsideTheirResource) {
    Sketch s;
    s.read("read", mip(s.image("image"), 1));
    (void)s.write("write", BufferView(s.buffer("buffer", 64), 60, 8));
    EXPECT_THAT(codes(s.graph), ElementsAre("graph/view-out-of-range", "graph/view-out-of-range"));
}

TEST(Graph, CustomNodesReadByReadingAndWriteByWriting) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data"));
    s.read("a", data, Access::storage_write);
    EXPECT_EQ(s.write("b", data, Access::storage_read), data);
    EXPECT_THAT(codes(s.graph), ElementsAre("graph/access-kind", "graph/access-kind"));
}

TEST(Graph, ImagesAndBuffersAreUsedEachInTheirWays) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data"));
    const Image picture = s.write("draw", s.image("picture"));
    for (const Access access :
         {Access::sampled, Access::depth_read, Access::blit_read, Access::present})
        s.read("buffer", data, access);
    for (const Access access : {Access::uniform_read, Access::index_read, Access::indirect_read})
        s.read("image", picture, access);
    EXPECT_THAT(codes(s.graph), testing::AllOf(SizeIs(7), testing::Each("graph/access-kind")));
}

TEST(Graph, OutputsAreForReaders) {
    Sketch s;
    const Image picture = s.write("write", s.image("picture"));
    s.graph.output("writer", picture, Access::storage_write);
    s.graph.output("buffers alone", picture, Access::uniform_read);
    EXPECT_THAT(codes(s.graph), ElementsAre("graph/output-access", "graph/output-access"));
}

TEST(Graph, ScopesNameNodesAndResourcesButNotOutputs) {
    Graph graph;
    graph.push_scope("bloom");
    graph.push_scope("blur");
    const Image image = graph.image("tmp", kPicture);
    EXPECT_EQ(graph.scope(), "bloom/blur");
    graph.error("test/bad", "bad");
    graph.pop_scope();
    (void)graph.clear(image, std::array<float, 4>{}, "wipe");
    graph.pop_scope();
    graph.output("tmp", image);
    EXPECT_EQ(graph.scope(), "");
    const GraphDesc& desc = graph.peek();
    EXPECT_EQ(desc.name_of(ResourceId{0}), "bloom/blur/tmp");
    EXPECT_EQ(desc.name_of(NodeId{0}), "bloom/wipe");
    EXPECT_EQ(desc.name(desc.outputs[0].name), "tmp");
    EXPECT_EQ(desc.diagnostics[0].message, "in 'bloom/blur': bad");
}

TEST(Graph, AMissingKernelIsReportedOnceWithTheNearestName) {
    const FakeShaders shaders({{.name = "image/blur", .stages = kComputeBit}});
    Graph graph{shaders};
    ComputeNodeBuilder node = graph.compute("image/blurr");
    node.read("source", Image{});
    node.set("sigma", 1.0f);
    node.specialize("taps", 3u);
    node.dispatch_over({8, 8});
    (void)graph.raster("image/blur");
    ASSERT_THAT(codes(graph), ElementsAre("graph/unknown-kernel", "graph/unknown-kernel"));
    EXPECT_THAT(graph.peek().diagnostics[0].hint, HasSubstr("'image/blur'"));
    EXPECT_EQ(graph.peek().name_of(NodeId{0}), "blurr");
}

TEST(Graph, WithoutKernelsEveryKernelIsMissing) {
    Graph graph;
    (void)graph.compute("image/blur");
    ASSERT_THAT(codes(graph), ElementsAre("graph/unknown-kernel"));
    EXPECT_THAT(graph.peek().diagnostics[0].hint, IsEmpty());
}

} // namespace
} // namespace tuff
