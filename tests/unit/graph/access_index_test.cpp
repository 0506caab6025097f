#include "graph/compile/stages.hpp"
#include "sketch.hpp"

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> nodes_of(const GraphDesc& graph, const AccessIndex& index,
                                  std::span<const std::uint32_t> accesses) {
    std::vector<std::string> names;
    for (const std::uint32_t access : accesses)
        names.emplace_back(graph.name_of(index.node_of[access]));
    return names;
}

TEST(AccessIndex, KnowsReadersAndWritersOfEachVersion) {
    Sketch s;
    const Buffer old = s.write("write", s.buffer("data"));
    s.read("first", old);
    s.read("second", old);
    const Buffer updated = s.write("update", old, Access::storage_read_write);
    const GraphDesc graph = std::move(s.graph).finish();
    const AccessIndex index = index_accesses(graph);
    EXPECT_THAT(nodes_of(graph, index, index.writers[old.version.index]), ElementsAre("write"));
    // A writer in place is no reader: it produces the next version.
    EXPECT_THAT(nodes_of(graph, index, index.readers[old.version.index]),
                ElementsAre("first", "second"));
    EXPECT_THAT(nodes_of(graph, index, index.writers[updated.version.index]),
                ElementsAre("update"));
    EXPECT_THAT(index.readers[updated.version.index], IsEmpty());
}

TEST(AccessIndex, VersionsOfAResourceFormAChainFromTheOldest) {
    Sketch s;
    const Buffer a0 = s.buffer("a");
    const Buffer b0 = s.buffer("b");
    const Buffer a1 = s.write("1", a0);
    const Buffer b1 = s.write("2", b0);
    const Buffer a2 = s.write("3", a1);
    const GraphDesc graph = std::move(s.graph).finish();
    const AccessIndex index = index_accesses(graph);
    ASSERT_EQ(index.chains.size(), 2u);
    EXPECT_THAT(index.chains[0], ElementsAre(a0.version, a1.version, a2.version));
    EXPECT_THAT(index.chains[1], ElementsAre(b0.version, b1.version));
}

TEST(AccessIndex, AccessesThatMovedLeaveHolesThatBelongToNoOne) {
    Sketch s;
    auto first = s.graph.custom("first");
    (void)first.write(s.buffer("a"), Access::storage_write);
    (void)s.write("second", s.buffer("b"));
    (void)first.write(s.buffer("c"), Access::storage_write);
    const GraphDesc graph = std::move(s.graph).finish();
    const AccessIndex index = index_accesses(graph);
    ASSERT_THAT(graph.accesses, SizeIs(4));
    EXPECT_FALSE(index.node_of[0]);
    EXPECT_THAT(nodes_of(graph, index, index.writers.items),
                ElementsAre("first", "second", "first"));
}

TEST(AccessIndex, SeveralNodesAccumulateIntoOneVersion) {
    Sketch s;
    const Buffer zero = s.graph.fill(s.buffer("bins"), 0);
    (void)s.write("first", zero, Access::accumulate);
    const Buffer bins = s.write("second", zero, Access::accumulate);
    const GraphDesc graph = std::move(s.graph).finish();
    const AccessIndex index = index_accesses(graph);
    EXPECT_THAT(nodes_of(graph, index, index.writers[bins.version.index]),
                ElementsAre("first", "second"));
}

TEST(AccessIndex, AnEmptyGraphHasNothing) {
    const AccessIndex index = index_accesses(GraphDesc{});
    EXPECT_EQ(index.chains.size(), 0u);
    EXPECT_THAT(index.node_of, IsEmpty());
}

// --- segments ------------------------------------------------------------------------------------

std::vector<std::uint32_t> inside(const SegmentCuts& segments, const Range& range) {
    std::vector<std::uint32_t> found;
    segments.for_each(range, [&](std::uint32_t s) { found.push_back(s); });
    return found;
}

ResourceDesc layered() {
    ImageDesc desc = kPicture;
    desc.mips = 4;
    desc.layers = 6;
    return {.desc = desc};
}

TEST(Segments, AResourceUsedWholeIsOne) {
    const ResourceDesc image = layered();
    const Range all{0, 4, 0, 6, 0, 0};
    const SegmentCuts segments(image, std::vector{all, all});
    EXPECT_EQ(segments.count(), 1u);
    EXPECT_EQ(segments.range(0), all);
    EXPECT_THAT(inside(segments, all), ElementsAre(0));
}

TEST(Segments, AResourceUsedByNoOneIsOne) {
    EXPECT_EQ(SegmentCuts(layered(), {}).count(), 1u);
}

TEST(Segments, BuffersAreCutAtTheEdgesOfEveryUse) {
    const ResourceDesc buffer{.desc = BufferDesc{.size = 100}};
    const Range low{.mips = 0, .layers = 0, .offset = 10, .size = 30};
    const Range high{.mips = 0, .layers = 0, .offset = 20, .size = 80};
    const SegmentCuts segments(buffer, std::vector{low, high});
    ASSERT_EQ(segments.count(), 4u); // 0..10, 10..20, 20..40, 40..100
    EXPECT_EQ(segments.range(1), (Range{0, 0, 0, 0, 10, 10}));
    EXPECT_EQ(segments.range(3), (Range{0, 0, 0, 0, 40, 60}));
    EXPECT_THAT(inside(segments, low), ElementsAre(1, 2));
    EXPECT_THAT(inside(segments, high), ElementsAre(2, 3));
}

TEST(Segments, ImagesAreCutByMipsAndByLayers) {
    const Range top{0, 1, 0, 6, 0, 0};
    const Range face{1, 2, 2, 1, 0, 0};
    const SegmentCuts segments(layered(), std::vector{top, face});
    ASSERT_EQ(segments.count(), 9u); // mips 0 | 1-2 | 3, layers 0-1 | 2 | 3-5
    EXPECT_THAT(inside(segments, top), ElementsAre(0, 1, 2));
    EXPECT_THAT(inside(segments, face), ElementsAre(4));
    EXPECT_EQ(segments.range(4), face);
    EXPECT_EQ(segments.range(8), (Range{3, 1, 3, 3, 0, 0}));
}

} // namespace
} // namespace tuff
