#include "sketch.hpp"

namespace tuff {
namespace {

using namespace test;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct TransferNodes : testing::Test {
    Graph graph;
    Image image(const ImageDesc& desc = kPicture) { return graph.image("image", desc); }
    Buffer buffer(std::uint64_t size) { return graph.buffer("buffer", {.size = size}); }
    const AccessDesc& access(std::uint32_t number) const { return graph.peek().accesses[number]; }
    template <typename Payload>
    const Payload& payload() const {
        return std::get<Payload>(graph.peek().payloads.back());
    }
};

const ImageDesc kDepthTarget{.format = Format::d32_sfloat, .extent = {64, 64}};
const ImageDesc kMultisampled{.format = Format::rgba8_unorm, .extent = {64, 64}, .samples = 4};

TEST_F(TransferNodes, CopiesReadOneAndWriteTheOther) {
    (void)graph.copy(image(), image());
    EXPECT_EQ(access(0).access, Access::copy_read);
    EXPECT_EQ(access(1).access, Access::copy_write);
    EXPECT_EQ(payload<CopyNode>().source, 0u);
    EXPECT_EQ(payload<CopyNode>().destination, 1u);
    EXPECT_EQ(payload<CopyNode>().extent, (Extent{64, 64, 1}));
    EXPECT_EQ(graph.peek().name_of(NodeId{0}), "copy");
    EXPECT_THAT(codes(graph), IsEmpty());
}

TEST_F(TransferNodes, CopiesGoMipForMipOfEqualSize) {
    (void)graph.copy(mip(image(mipped(3)), 1, 2), image({.extent = {32, 32}, .mips = 2}));
    EXPECT_THAT(codes(graph), IsEmpty());
    EXPECT_EQ(payload<CopyNode>().extent, (Extent{32, 32, 1}));
}

TEST_F(TransferNodes, CopiesOfImagesThatDifferAreMistakes) {
    ImageDesc layered = kPicture;
    layered.layers = 2;
    for (const ImageDesc& other :
         {ImageDesc{.extent = {32, 64}}, mipped(2), layered, kMultisampled, kDepthTarget,
          ImageDesc{.format = Format::r8_unorm, .extent = {64, 64}}})
        (void)graph.copy(image(), image(other));
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(6), Each("graph/copy-mismatch")));
}

TEST_F(TransferNodes, FormatsWithTexelsOfOneSizeAreCopied) {
    (void)graph.copy(image(), image({.format = Format::r32_uint, .extent = {64, 64}}));
    EXPECT_THAT(codes(graph), IsEmpty());
}

TEST_F(TransferNodes, BufferCopiesHaveOneSize) {
    (void)graph.copy(BufferView(buffer(64), 32, 32), buffer(32));
    (void)graph.copy(BufferView(buffer(64), 32, kWhole), buffer(32));
    EXPECT_THAT(codes(graph), IsEmpty());
    (void)graph.copy(buffer(64), buffer(32));
    EXPECT_THAT(codes(graph), ElementsAre("graph/copy-mismatch"));
}

TEST_F(TransferNodes, TexelsFitIntoTheirBuffer) {
    (void)graph.copy_to_image(buffer(kPictureBytes), image());
    (void)graph.copy_to_buffer(image(), buffer(kPictureBytes));
    EXPECT_THAT(codes(graph), IsEmpty());
    (void)graph.copy_to_image(buffer(kPictureBytes - 1), image());
    (void)graph.copy_to_buffer(image(), buffer(kPictureBytes - 1));
    (void)graph.copy_to_buffer(image(mipped(2)), buffer(kPictureBytes));
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(3), Each("graph/copy-mismatch")));
}

TEST_F(TransferNodes, TexelsLiePackedInTheirBuffer) {
    (void)graph.copy_to_image(BufferView(buffer(2 * kPictureBytes), 2, kPictureBytes), image());
    (void)graph.copy_to_buffer(image(), BufferView(buffer(2 * kPictureBytes), 2, kPictureBytes));
    (void)graph.copy_to_buffer(image(kMultisampled), buffer(4 * kPictureBytes));
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(3), Each("graph/copy-mismatch")));
}

TEST_F(TransferNodes, BlitsCoverTheTargetUnlessABoxIsGiven) {
    (void)graph.blit(image(), image({.extent = {16, 8}}), Filter::nearest);
    EXPECT_EQ(access(0).access, Access::blit_read);
    EXPECT_EQ(access(1).access, Access::blit_write);
    EXPECT_THAT(payload<BlitNode>().source_box[1], ElementsAre(64, 64, 1));
    EXPECT_THAT(payload<BlitNode>().destination_box[1], ElementsAre(16, 8, 1));
    EXPECT_EQ(payload<BlitNode>().filter, Filter::nearest);
    (void)graph.blit(image(), image(), Filter::linear, Graph::Box{{8, 8, 0}, {16, 16, 1}});
    EXPECT_THAT(payload<BlitNode>().destination_box[0], ElementsAre(8, 8, 0));
    EXPECT_THAT(codes(graph), IsEmpty());
}

TEST_F(TransferNodes, BlitsStayInsideTheirTarget) {
    for (const Graph::Box& box :
         {Graph::Box{{-1, 0, 0}, {8, 8, 1}}, Graph::Box{{0, 0, 0}, {65, 8, 1}},
          Graph::Box{{8, 0, 0}, {8, 8, 1}}, Graph::Box{{0, 0, 0}, {8, 8, 2}}})
        (void)graph.blit(image(), image(), Filter::linear, box);
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(4), Each("graph/blit-box")));
}

TEST_F(TransferNodes, BlitsGoBetweenImagesOfOneKind) {
    ImageDesc layered = kPicture;
    layered.layers = 2;
    for (const ImageDesc& other : {layered, kMultisampled, kDepthTarget})
        (void)graph.blit(image(), image(other), Filter::nearest);
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(3), Each("graph/blit-mismatch")));
}

TEST_F(TransferNodes, FillsAreWholeWords) {
    (void)graph.fill(buffer(64), 7);
    EXPECT_EQ(access(0).access, Access::clear_write);
    EXPECT_EQ(std::get<1>(payload<FillNode>().value)[0], 7u);
    EXPECT_THAT(codes(graph), IsEmpty());
    (void)graph.fill(BufferView(buffer(64), 2, 4), 0);
    (void)graph.fill(buffer(63), 0);
    EXPECT_THAT(codes(graph), ElementsAre("graph/fill-alignment", "graph/fill-alignment"));
}

TEST_F(TransferNodes, ClearsReplaceTheViewAlone) {
    (void)graph.clear(mip(image(mipped(2)), 1), std::array<float, 4>{1, 2, 3, 4});
    EXPECT_EQ(access(0).range, (Range{1, 1, 0, 1, 0, 0}));
    EXPECT_EQ(std::get<0>(payload<FillNode>().value)[3], 4.0f);
}

TEST_F(TransferNodes, UploadsFit) {
    const auto bytes = [](std::size_t size) {
        return std::make_shared<const std::vector<std::byte>>(size);
    };
    (void)graph.upload(buffer(64), bytes(64));
    (void)graph.upload(buffer(64), bytes(32));
    EXPECT_THAT(codes(graph), IsEmpty());
    (void)graph.upload(buffer(64), bytes(65));
    (void)graph.upload(buffer(64), bytes(0));
    (void)graph.upload(buffer(64), nullptr);
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(3), Each("graph/contents-size")));
}

TEST_F(TransferNodes, WhatIsNotConnectedIsNotMoved) {
    (void)graph.copy(Image{}, image());
    (void)graph.copy(buffer(4), Buffer{});
    (void)graph.copy_to_image(Buffer{}, image());
    (void)graph.copy_to_buffer(Image{}, buffer(4));
    (void)graph.blit(Image{}, image(), Filter::linear);
    (void)graph.clear(Image{}, std::array<float, 4>{});
    (void)graph.fill(Buffer{}, 0);
    (void)graph.upload(Buffer{}, nullptr);
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(8), Each("graph/unconnected")));
    EXPECT_THAT(graph.peek().payloads, IsEmpty());
}

} // namespace
} // namespace tuff
