#include "graph/compile/ranges.hpp"
#include "sketch.hpp"

namespace tuff {
namespace {

ResourceDesc layered_image() {
    ImageDesc desc = test::kPicture;
    desc.mips = 4;
    desc.layers = 6;
    return {.desc = desc};
}
ResourceDesc bytes(std::uint64_t size) {
    return {.desc = BufferDesc{.size = size}};
}
Range mips(std::uint32_t first, std::uint32_t count) {
    return {.mip = first, .mips = count};
}
Range layers(std::uint32_t first, std::uint32_t count) {
    return {.layer = first, .layers = count};
}
Range span(std::uint64_t offset, std::uint64_t size) {
    return {.offset = offset, .size = size};
}

TEST(Ranges, TheRestBecomesANumber) {
    EXPECT_EQ(concrete_range(layered_image(), Range{}), (Range{0, 4, 0, 6, 0, 0}));
    EXPECT_EQ(concrete_range(layered_image(), Range{1, kAll, 2, kAll}), (Range{1, 3, 2, 4, 0, 0}));
    EXPECT_EQ(concrete_range(bytes(64), span(16, kWhole)), (Range{0, 0, 0, 0, 16, 48}));
}

TEST(Ranges, TheWholeIsTheDefaultRange) {
    EXPECT_EQ(concrete_range(layered_image(), Range{}), whole(layered_image()));
    EXPECT_EQ(concrete_range(bytes(64), Range{}), whole(bytes(64)));
}

TEST(Ranges, TheLastPartIsInside) {
    EXPECT_TRUE(concrete_range(layered_image(), mips(3, 1)));
    EXPECT_TRUE(concrete_range(layered_image(), layers(5, 1)));
    EXPECT_TRUE(concrete_range(bytes(64), span(63, 1)));
}

TEST(Ranges, NothingOutsideExists) {
    for (const Range& range : {mips(4, 1), mips(3, 2), mips(4, kAll), mips(kAll, 1), mips(1, 4),
                               layers(6, 1), layers(5, 2), layers(6, kAll)})
        EXPECT_FALSE(concrete_range(layered_image(), range));
    for (const Range& range :
         {span(64, 1), span(63, 2), span(64, kWhole), span(kWhole, 1), span(1, kWhole - 1)})
        EXPECT_FALSE(concrete_range(bytes(64), range));
}

TEST(Ranges, NothingIsNoPart) {
    EXPECT_FALSE(concrete_range(layered_image(), mips(0, 0)));
    EXPECT_FALSE(concrete_range(layered_image(), layers(0, 0)));
    EXPECT_FALSE(concrete_range(bytes(64), span(0, 0)));
}

TEST(Ranges, ImagesMeetWhereBothMipsAndLayersDo) {
    const Range a{1, 2, 2, 2, 0, 0};
    EXPECT_TRUE(overlap(a, {2, 1, 3, 1, 0, 0}, true));
    EXPECT_TRUE(overlap(a, {0, 4, 0, 6, 0, 0}, true));
    EXPECT_FALSE(overlap(a, {0, 1, 2, 2, 0, 0}, true)); // mips touch
    EXPECT_FALSE(overlap(a, {3, 1, 2, 2, 0, 0}, true));
    EXPECT_FALSE(overlap(a, {1, 2, 0, 2, 0, 0}, true)); // layers touch
    EXPECT_FALSE(overlap(a, {1, 2, 4, 2, 0, 0}, true));
}

TEST(Ranges, BuffersMeetInBytes) {
    EXPECT_TRUE(overlap(span(0, 8), span(7, 1), false));
    EXPECT_FALSE(overlap(span(0, 8), span(8, 8), false));
}

TEST(Ranges, ContainsAllOrNot) {
    const Range outer{1, 2, 2, 2, 0, 0};
    EXPECT_TRUE(contains(outer, outer, true));
    EXPECT_TRUE(contains(outer, {2, 1, 3, 1, 0, 0}, true));
    EXPECT_FALSE(contains(outer, {0, 2, 2, 2, 0, 0}, true));
    EXPECT_FALSE(contains(outer, {1, 2, 2, 3, 0, 0}, true));
    EXPECT_TRUE(contains(span(0, 8), span(4, 4), false));
    EXPECT_FALSE(contains(span(0, 8), span(4, 5), false));
}

TEST(Ranges, PackedBytesCountEveryTexelOnce) {
    EXPECT_EQ(packed_bytes({.format = Format::rgba16_sfloat, .extent = {5, 3}}), 5u * 3 * 8);
    EXPECT_EQ(packed_bytes({.format = Format::r8_unorm, .extent = {4, 4}, .mips = 3}), 16u + 4 + 1);
    EXPECT_EQ(
        packed_bytes(
            {.format = Format::r8_unorm, .extent = {4, 2, 3}, .mips = 2, .shape = ImageShape::d3}),
        24u + 2 * 1 * 1);
    EXPECT_EQ(packed_bytes({.format = Format::r8_unorm, .extent = {2, 2}, .layers = 6}), 24u);
}

} // namespace
} // namespace tuff
