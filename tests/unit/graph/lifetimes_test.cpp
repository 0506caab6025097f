#include "graph/compile/stages.hpp"
#include "sketch.hpp"

namespace tuff {
namespace {

using namespace test;

/// The stages up to the lifetimes, by hand.
struct Lived {
    explicit Lived(Sketch&& sketch) : graph(std::move(sketch.graph).finish()) {
        index = index_accesses(graph);
        const Dependencies dependencies = find_dependencies(graph, index);
        ordered = order(graph, dependencies, cull(graph, dependencies), OrderMode::levels).value();
        live_ranges = lifetimes(graph, ordered, index);
        usages = join_usages(graph, ordered, index);
    }
    LiveRange life(std::string_view resource) const {
        return live_ranges[resource_named(graph, resource).index];
    }
    UsageMask usage(std::string_view resource) const {
        return usages[resource_named(graph, resource).index];
    }
    GraphDesc graph;
    AccessIndex index;
    Order ordered;
    std::vector<LiveRange> live_ranges;
    std::vector<UsageMask> usages;
};

TEST(Lifetimes, ReachFromTheFirstUseToTheLast) {
    Sketch s;
    const Buffer a = s.write("a", s.buffer("a"));
    const Buffer b = s.step("b", a, s.buffer("b"));
    const Buffer c = s.step("c", b, s.buffer("c"));
    auto end = s.graph.custom("end");
    end.read(a, Access::storage_read);
    end.read(c, Access::storage_read);
    end.keep();
    const Lived lived(std::move(s));
    EXPECT_EQ(lived.life("a"), (LiveRange{0, 3}));
    EXPECT_EQ(lived.life("b"), (LiveRange{1, 2}));
    EXPECT_EQ(lived.life("c"), (LiveRange{2, 3}));
}

TEST(Lifetimes, AWriteThroughAViewIsAUseOfTheWhole) {
    Sketch s;
    const Buffer a = s.write("a", s.buffer("other"));
    const Image top = s.write("top", mip(s.image("chain", mipped(2)), 0));
    auto late = s.graph.custom("late");
    late.read(a, Access::storage_read);
    late.read(mip(top, 0), Access::sampled);
    const Image chain = late.write(mip(top, 1), Access::storage_write);
    s.read("end", mip(chain, 1));
    const Lived lived(std::move(s));
    EXPECT_EQ(lived.life("chain"), (LiveRange{0, 2}));
}

TEST(Lifetimes, OutputsLiveOnIntoTheEpilogue) {
    Sketch s;
    s.graph.output("result", s.write("write", s.buffer("data")));
    EXPECT_EQ(Lived(std::move(s)).life("data"), (LiveRange{0, 1}));
}

TEST(Lifetimes, WhatNoLiveNodeTouchesNeverLives) {
    Sketch s;
    (void)s.buffer("untouched");
    (void)s.write("culled", s.buffer("culled"));
    const Lived lived(std::move(s));
    EXPECT_FALSE(lived.life("untouched").alive());
    EXPECT_FALSE(lived.life("culled").alive());
    EXPECT_EQ(lived.usage("culled"), 0u);
}

TEST(Lifetimes, AccessesThatMovedAreCountedOnce) {
    Sketch s;
    auto first = s.graph.custom("first");
    const Buffer a = first.write(s.buffer("a"), Access::storage_write);
    s.read("second", s.write("other", s.buffer("other")));
    const Buffer b = first.write(s.buffer("b"), Access::storage_write); // moves a's access
    s.read("end a", a);
    s.read("end b", b);
    const Lived lived(std::move(s));
    EXPECT_EQ(lived.life("a"), (LiveRange{0, 1}));
    EXPECT_EQ(lived.life("b"), (LiveRange{0, 1}));
}

TEST(JoinUsages, JoinsTheUsesOfAllVersionsAndOutputs) {
    Sketch s;
    const Image drawn = s.write("draw", s.image("picture"), Access::color_write);
    s.read("sample", drawn, Access::sampled);
    const Image updated = s.write("update", drawn);
    s.graph.output("result", updated);
    EXPECT_EQ(Lived(std::move(s)).usage("picture"),
              usage::kColorAttachment | usage::kSampled | usage::kStorage | usage::kTransferSource);
}

TEST(JoinUsages, LeavesOutWhatCulledNodesDo) {
    Sketch s;
    const Image drawn = s.write("draw", s.image("picture"), Access::color_write);
    s.graph.custom("unused").read(drawn, Access::sampled);
    s.graph.output("result", drawn, Access::copy_read);
    EXPECT_EQ(Lived(std::move(s)).usage("picture"),
              usage::kColorAttachment | usage::kTransferSource);
}

TEST(JoinUsages, OutputsOfAnyAccessCanBeReadBack) {
    Sketch s;
    const Image drawn = s.write("draw", s.image("picture"), Access::color_write);
    s.graph.output("result", drawn, Access::sampled);
    EXPECT_EQ(Lived(std::move(s)).usage("picture"),
              usage::kColorAttachment | usage::kSampled | usage::kTransferSource);
}

TEST(JoinUsages, ConstantsAreAlsoFilledByTransfer) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(64);
    s.read("read", s.graph.constant_buffer("table", {.size = 64}, bytes), Access::uniform_read);
    (void)s.graph.constant_buffer("unused", {.size = 64}, bytes);
    const Lived lived(std::move(s));
    EXPECT_EQ(lived.usage("table"), usage::kUniform | usage::kTransferDestination);
    EXPECT_EQ(lived.usage("unused"), 0u);
}

TEST(JoinUsages, AllCopiesOfAHistoryAreCreatedAlike) {
    Sketch s;
    const ImageHistory history = s.graph.history_image("state", kPicture, 2);
    s.read("sample", history.previous[1], Access::sampled);
    (void)s.write("write", history.current);
    const Lived lived(std::move(s));
    for (const char* name : {"state", "state@1", "state@2"})
        EXPECT_EQ(lived.usage(name),
                  usage::kSampled | usage::kStorage | usage::kTransferDestination)
            << name;
}

} // namespace
} // namespace tuff
