#include "graph/compile/stages.hpp"
#include "sketch.hpp"
#include "tests/oracle/oracle.hpp"

#include <cmath>

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// The fill of the poison node of `resource`.
const FillNode& poison_of(const GraphDesc& graph, std::string_view resource) {
    const NodeId node = node_named(graph, "poison/" + std::string(resource));
    return std::get<FillNode>(graph.payloads[graph.nodes[node.index].payload]);
}

TEST(Poison, FillsTransientMemoryBeforeItsFirstUse) {
    Sketch s;
    s.read("read", s.write("write", s.buffer("data")));
    const Plan plan = s.plan({.poison = true});
    EXPECT_THAT(levels_of(plan),
                ElementsAre(ElementsAre("poison/data"), ElementsAre("write"), ElementsAre("read")));
    EXPECT_TRUE(plan.options.poison);
    EXPECT_NE(plan.usages[0] & usage::kTransferDestination, 0u);
}

TEST(Poison, IsOffUnlessAskedFor) {
    Sketch s;
    s.read("read", s.write("write", s.buffer("data")));
    EXPECT_EQ(s.plan().graph.nodes.size(), 2u);
}

TEST(Poison, KeepsTheChainOfVersionsWhole) {
    Sketch s;
    const Buffer old = s.write("write", s.buffer("data"));
    (void)s.write("overwrite", old);
    const GraphDesc graph = poison(std::move(s.graph).finish());
    const AccessIndex index = index_accesses(graph);
    ASSERT_THAT(index.chains[0], SizeIs(4));
    for (std::size_t v = 0; v + 1 < 4; ++v) {
        EXPECT_EQ(graph.versions[index.chains[0][v].index].next, index.chains[0][v + 1]);
        EXPECT_EQ(graph.versions[index.chains[0][v + 1].index].previous, index.chains[0][v]);
    }
    EXPECT_EQ(graph.name_of(graph.versions[index.chains[0][1].index].writer), "poison/data");
}

TEST(Poison, ComesAfterTheAliasBarrier) {
    Sketch s;
    Buffer data = s.write("1", s.buffer("1"));
    for (const char* name : {"2", "3", "4"})
        data = s.step(name, data, s.buffer(name));
    s.graph.output("end", data);
    const Plan plan = s.plan({.poison = true});
    ASSERT_LT(plan.statistics.transient_bytes, plan.statistics.naive_bytes);
    EXPECT_EQ(oracle::to_string(oracle::check(plan.graph, plan)), "");
}

TEST(Poison, LeavesAloneWhatHasContentsOfItsOwn) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(64);
    s.read("a", s.graph.constant_buffer("constant", {.size = 64}, bytes));
    (void)s.write("b", s.graph.import_buffer("import", {.size = 64}, {}));
    (void)s.write("c", s.graph.history_buffer("history", {.size = 64}).current);
    (void)s.buffer("untouched");
    EXPECT_EQ(poison(std::move(s.graph).finish()).nodes.size(), 3u);
}

TEST(Poison, OfBuffersIsWholeWords) {
    Sketch s;
    (void)s.write("odd", s.buffer("odd", 10));
    (void)s.write("tiny", s.buffer("tiny", 3));
    const GraphDesc graph = poison(std::move(s.graph).finish());
    ASSERT_THAT(graph.nodes, SizeIs(3));
    EXPECT_EQ(graph.accesses.back().range.size, 8u);
    EXPECT_EQ(graph.accesses.back().access, Access::clear_write);
}

TEST(Poison, BetraysItself) {
    Sketch s;
    const auto written = [&](std::string_view name, Format format) {
        (void)s.write(name, s.image(name, {.format = format, .extent = {4, 4}}));
    };
    (void)s.write("buffer", s.buffer("buffer"));
    written("float", Format::rgba16_sfloat);
    written("small float", Format::b10g11r11_ufloat);
    written("uint", Format::r32_uint);
    written("sint", Format::r32_sint);
    written("unorm", Format::rgba8_unorm);
    written("depth", Format::d32_sfloat);
    const GraphDesc graph = poison(std::move(s.graph).finish());
    const auto floats = [&](std::string_view name) {
        return std::get<std::array<float, 4>>(poison_of(graph, name).value);
    };
    const auto words = [&](std::string_view name) {
        return std::get<std::array<std::uint32_t, 4>>(poison_of(graph, name).value);
    };
    EXPECT_EQ(words("buffer")[0], ~0u); // a NaN, read as float
    EXPECT_TRUE(std::isnan(floats("float")[0]));
    EXPECT_TRUE(std::isnan(floats("small float")[2]));
    EXPECT_EQ(words("uint")[0], ~0u);
    EXPECT_EQ(words("sint")[3], ~0u);
    EXPECT_THAT(floats("unorm"), ElementsAre(1, 0, 1, 1)); // magenta
    EXPECT_GE(floats("depth")[0], 0.0f);
    EXPECT_LE(floats("depth")[0], 1.0f);
}

TEST(Poison, HidesNoUndefinedRead) {
    Sketch s;
    s.read("read", s.buffer("data"));
    EXPECT_THAT(codes(s.compile({.poison = true})), ElementsAre("graph/undefined-read"));
}

TEST(Poison, OfWhatIsCulledOrReplacedIsCulled) {
    Sketch s;
    (void)s.write("unused", s.buffer("unused"));
    s.graph.output("picture", s.write("draw", s.image("picture"), Access::color_write));
    const Plan plan = s.plan({.poison = true});
    EXPECT_TRUE(is_culled(plan, "poison/unused"));
    EXPECT_TRUE(is_culled(plan, "poison/picture"));
}

} // namespace
} // namespace tuff
