#include "fake_shaders.hpp"
#include "sketch.hpp"
#include "tests/oracle/oracle.hpp"

#include <tuff/explain.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const ImageDesc kDepth{.format = Format::d32_sfloat, .extent = {64, 64}};
const ImageDesc kSamples{.format = Format::rgba8_unorm, .extent = {64, 64}, .samples = 4};

struct RasterNodes : testing::Test {
    FakeShaders shaders{{{.name = "draw",
                          .stages = kVertexBit | kFragmentBit,
                          .bindings = {sampled("texture", kFragmentBit)}}}};
    Graph graph{shaders};
    RasterNodeBuilder node = graph.raster("draw");

    Image image(const ImageDesc& desc = kPicture) { return graph.image("image", desc); }
    Buffer buffer() { return graph.buffer("buffer", {.size = 256}); }
    const RasterNode& raster() const { return std::get<RasterNode>(graph.peek().payloads[0]); }
    const AccessDesc& access(std::uint32_t number) const {
        return graph.peek().accesses[graph.peek().nodes[0].first_access + number];
    }
};

TEST_F(RasterNodes, HowAnAttachmentBeginsDecidesItsAccess) {
    (void)node.color(image(), cleared(1));
    (void)node.color(image(), discarded());
    (void)node.color(image(), loaded());
    (void)node.depth(image(kDepth), cleared(1));
    EXPECT_THAT(codes(graph), IsEmpty());
    EXPECT_EQ(access(0).access, Access::color_write);
    EXPECT_EQ(access(1).access, Access::color_write);
    EXPECT_EQ(access(2).access, Access::color_read_write);
    EXPECT_EQ(access(3).access, Access::depth_write);
    EXPECT_THAT(raster().colors, SizeIs(3));
    EXPECT_TRUE(raster().depth);
    EXPECT_EQ(raster().area, (Extent{64, 64, 1}));
}

TEST_F(RasterNodes, LoadedDepthIsReadToo) {
    (void)node.depth(image(kDepth), loaded());
    EXPECT_EQ(access(0).access, Access::depth_read_write);
}

TEST_F(RasterNodes, TestedDepthIsNotWritten) {
    node.depth_test_only(image(kDepth));
    EXPECT_EQ(access(0).access, Access::depth_read);
    EXPECT_FALSE(access(0).written);
    EXPECT_FALSE(raster().state.depth_write);
    EXPECT_EQ(raster().depth->load, LoadOp::load);
}

TEST_F(RasterNodes, BlendingBelongsToItsAttachment) {
    (void)node.color(image(), cleared(0));
    (void)node.blended_color(image(), cleared(0));
    EXPECT_FALSE(raster().colors[0].blend);
    EXPECT_TRUE(raster().colors[1].blend);
}

TEST_F(RasterNodes, TheAreaIsThatOfTheMip) {
    (void)node.color(mip(image(mipped(3)), 2), cleared(0));
    EXPECT_EQ(raster().area, (Extent{16, 16, 1}));
}

TEST_F(RasterNodes, AttachmentsAgree) {
    (void)node.color(image(), cleared(0));
    (void)node.color(image({.extent = {32, 64}}), cleared(0));
    (void)node.color(image(kSamples), cleared(0));
    (void)node.color(image(mipped(2)), cleared(0));
    node.depth_test_only(image({.format = Format::d32_sfloat, .extent = {8, 8}}));
    EXPECT_THAT(codes(graph), ElementsAre("graph/attachment-size", "graph/attachment-samples",
                                          "graph/attachment-mips", "graph/attachment-size"));
    EXPECT_THAT(raster().colors, SizeIs(1));
    EXPECT_FALSE(raster().depth);
}

TEST_F(RasterNodes, ThereIsOneDepthAttachment) {
    (void)node.depth(image(kDepth), cleared(1));
    (void)node.depth(image(kDepth), cleared(1));
    node.depth_test_only(image(kDepth));
    EXPECT_THAT(codes(graph), ElementsAre("graph/attachment-count", "graph/attachment-count"));
}

TEST_F(RasterNodes, AMultisampledAttachmentResolvesOnce) {
    (void)node.color(image(kSamples), cleared(0));
    const Image target = image();
    EXPECT_NE(node.resolve(target), target);
    EXPECT_THAT(codes(graph), IsEmpty());
    EXPECT_EQ(access(1).access, Access::resolve_write);
    EXPECT_EQ(raster().colors[0].resolve_access, 1u);
    (void)node.resolve(image());
    EXPECT_THAT(codes(graph), ElementsAre("graph/resolve"));
}

TEST_F(RasterNodes, NothingElseResolves) {
    (void)node.resolve(image()); // no attachment yet
    (void)node.color(image(kSamples), cleared(0));
    (void)node.resolve(image({.extent = {32, 32}}));
    (void)node.resolve(image(kSamples));
    (void)node.resolve(image({.format = Format::rgba16_sfloat, .extent = {64, 64}}));
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(4), testing::Each("graph/resolve")));
    (void)node.resolve(Image{});
    EXPECT_EQ(codes(graph).back(), "graph/unconnected");
    EXPECT_THAT(codes(graph), SizeIs(5));
}

TEST_F(RasterNodes, AnUnconnectedAttachmentIsThatMistakeAlone) {
    (void)node.color(Image{}, cleared(0));
    (void)node.blended_color(Image{}, cleared(0));
    (void)node.depth(Image{}, cleared(0));
    node.depth_test_only(Image{});
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(4), testing::Each("graph/unconnected")));
}

TEST_F(RasterNodes, WithoutAttachmentsTheAreaIsGiven) {
    node.area({7, 5, 1});
    EXPECT_EQ(raster().area, (Extent{7, 5, 1}));
}

TEST_F(RasterNodes, AScissorIsKeptAndIsPartOfTheStructure) {
    EXPECT_FALSE(raster().scissor);
    const RasterNode whole = raster();
    node.scissor({.x = 3, .y = 4, .width = 5, .height = 6});
    EXPECT_EQ(raster().scissor, (Scissor{3, 4, 5, 6}));
    EXPECT_NE(raster(), whole);
}

TEST_F(RasterNodes, IndicesAndDrawArgumentsAreAccesses) {
    node.index_buffer(buffer(), IndexType::uint16);
    node.draw_indirect(buffer(), 20, 3);
    node.draw_indirect(Buffer{}, 0, 1);
    EXPECT_EQ(access(0).access, Access::index_read);
    EXPECT_EQ(access(1).access, Access::indirect_read);
    EXPECT_EQ(raster().index_access, 0u);
    EXPECT_EQ(raster().index_type, IndexType::uint16);
    ASSERT_THAT(raster().draws, SizeIs(1));
    EXPECT_EQ(raster().draws[0].indirect_access, 1u);
    EXPECT_EQ(raster().draws[0].indirect_offset, 0u);
    EXPECT_EQ(access(1).range.offset, 20u);
    EXPECT_EQ(access(1).range.size, 60u); // three records of indexed draws
    EXPECT_EQ(raster().draws[0].indirect_draws, 3u);
    EXPECT_THAT(codes(graph), ElementsAre("graph/unconnected"));
}

TEST_F(RasterNodes, ACountOfSamplesIsACopyIntoTheFirstWord) {
    const RasterNode uncounted = raster();
    const Buffer before = buffer();
    const Buffer counted = node.count_samples(BufferView(before, 8, 16));
    EXPECT_NE(counted.version, before.version);
    EXPECT_EQ(access(0).access, Access::copy_write);
    EXPECT_EQ(access(0).range.offset, 8u);
    EXPECT_EQ(access(0).range.size, 4u);
    EXPECT_EQ(raster().count_access, 0u);
    EXPECT_NE(raster(), uncounted); // other structure
    (void)node.count_samples(buffer());
    EXPECT_THAT(codes(graph), ElementsAre("graph/sample-count"));
    (void)node.count_samples(Buffer{});
    EXPECT_EQ(codes(graph).back(), "graph/unconnected");
}

// The device copies the count: a kernel that reads it waits for a copy and for nothing that draws.
TEST_F(RasterNodes, AReaderOfTheCountWaitsForACopy) {
    node.area({8, 8, 1});
    node.read("texture",
              graph.constant_image("constant", kPicture,
                                   std::make_shared<const std::vector<std::byte>>(kPictureBytes)));
    node.draw({.count = 3});
    const Buffer counted = node.count_samples(graph.buffer("count", {.size = 4}));
    graph.output("copy", graph.copy(counted, graph.buffer("copy", {.size = 4})));
    const auto plan = compile(std::move(graph).finish(), DeviceCaps{});
    ASSERT_TRUE(plan) << to_string(plan.error());
    ASSERT_THAT(plan->levels, SizeIs(2));
    EXPECT_EQ(plan->levels[1].memory.source_stages, stage::kCopy);
    EXPECT_EQ(plan->levels[1].memory.source_memory, memory::kTransferWrite);
    EXPECT_THAT(explain(*plan), HasSubstr("occlusion query"));
    EXPECT_EQ(oracle::to_string(oracle::check(plan->graph, *plan)), "");
}

TEST_F(RasterNodes, IndicesMayComeAfterTheDrawArguments) {
    node.draw_indirect(buffer(), 20, 3);
    EXPECT_EQ(access(0).range.size, 48u);
    node.index_buffer(buffer(), IndexType::uint32);
    EXPECT_EQ(access(0).range.size, 60u);
}

TEST_F(RasterNodes, BindGroupsBelongToTheDrawsThatFollow) {
    node.begin_group();
    node.read("texture", image());
    node.draw({.count = 3});
    node.begin_group();
    node.read("texture", image());
    node.draw({.count = 3});
    EXPECT_THAT(codes(graph), IsEmpty());
    EXPECT_EQ(raster().groups, 2u);
    EXPECT_EQ(raster().kernel.bindings[1].group, 2u);
    EXPECT_EQ(raster().draws[0].group, 1u);
    EXPECT_EQ(raster().draws[1].group, 2u);
}

TEST_F(RasterNodes, ASharedBindingIsNotBoundAgainInAGroup) {
    node.read("texture", image());
    node.begin_group();
    node.read("texture", image());
    EXPECT_THAT(codes(graph), ElementsAre("graph/bound-twice"));
}

TEST_F(RasterNodes, EachGroupBindsAllThatIsNotShared) {
    (void)node.color(image(), cleared(0));
    node.begin_group();
    node.read("texture", graph.clear(image(), std::array<float, 4>{}));
    node.begin_group();
    node.draw({.count = 3});
    EXPECT_THAT(codes(compile(std::move(graph).finish(), DeviceCaps{})),
                ElementsAre("graph/unbound"));
}

} // namespace
} // namespace tuff
