#include "passes/registry.hpp"
#include "sketch.hpp"
#include "tests/oracle/oracle.hpp"

#include <tuff/shader_library.hpp>

#include <set>

/// Loops of Graph: how they expand, what they refuse, what the compiler makes of them.
namespace tuff {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

constexpr BufferDesc kLoopWord{.size = 4, .stride = 4};

/// With the kernels that come with Tuff.
class RepeatTest : public testing::Test {
  protected:
    Buffer word(std::string_view name, std::uint32_t value = 0) {
        return graph.fill(graph.buffer(name, kLoopWord), value, name);
    }
    /// A compute node that writes `to` from `from`.
    Buffer step(Buffer from, Buffer to) {
        auto node = graph.compute("graph/carry_buffer", "step");
        node.read("source", from);
        const Buffer result = node.write("target", to);
        node.dispatch(1);
        return result;
    }
    Step<Buffer> fresh_step(Buffer x) {
        const Buffer next = step(x, graph.buffer("next", kLoopWord));
        return Step{next, next};
    }
    std::vector<std::string> node_names() const {
        std::vector<std::string> names;
        for (std::uint32_t n = 0; n < graph.peek().nodes.size(); ++n)
            names.emplace_back(graph.peek().name_of(NodeId{n}));
        return names;
    }

    ShaderLibrary shaders = passes::make_shaders();
    Graph graph{shaders};
};

TEST_F(RepeatTest, NamesTellTheIteration) {
    graph.push_scope("fluid");
    graph.repeat("relax", 2, word("x"), [&](Buffer x, std::uint32_t) {
        return graph.repeat("inner", 2, x, [&](Buffer y, std::uint32_t) {
            return step(y, graph.buffer("next", kLoopWord));
        });
    });
    EXPECT_THAT(node_names(),
                ElementsAre("fluid/x", "fluid/relax[0]/inner[0]/step",
                            "fluid/relax[0]/inner[1]/step", "fluid/relax[1]/inner[0]/step",
                            "fluid/relax[1]/inner[1]/step"));
}

TEST_F(RepeatTest, APingPongOfAHundredIterationsTakesTwoPlaces) {
    const ImageDesc desc{.format = Format::rgba32_sfloat, .extent = {64, 64, 1}};
    const Image first = graph.clear(graph.image("first", desc), std::array<float, 4>{});
    graph.output("last", graph.repeat("relax", 100, first, [&](Image x, std::uint32_t) {
        auto node = graph.compute("graph/carry_image", "step");
        node.read("source", x);
        const Image next = node.write("target", graph.image("next", desc));
        node.dispatch_over(desc.extent);
        return next;
    }));
    const Result<Plan> plan = compile(std::move(graph).finish(), DeviceCaps{});
    ASSERT_TRUE(plan) << to_string(plan.error());
    std::set<std::pair<std::uint32_t, std::uint64_t>> places;
    for (const Allocation& allocation : plan->allocations)
        if (allocation.block != ~0u) places.emplace(allocation.block, allocation.offset);
    EXPECT_EQ(plan->allocations.size(), 101u);
    EXPECT_EQ(places.size(), 2u);
}

TEST_F(RepeatTest, TheOracleAcceptsNestedLoopsInEveryMode) {
    for (const CompileOptions& options :
         {CompileOptions{}, CompileOptions{.alias = AliasMode::off},
          CompileOptions{.order = OrderMode::declared},
          CompileOptions{.barriers = BarrierMode::full}, CompileOptions{.poison = true}}) {
        graph = Graph{shaders};
        const auto loop = graph.repeat_until("outer", 4, word("x"), [&](Buffer x, std::uint32_t) {
            const auto inner = graph.repeat_until(
                "inner", 3, x, [&](Buffer y, std::uint32_t) { return fresh_step(y); });
            return Step{step(inner.state, graph.buffer("next", kLoopWord)), inner.iterations};
        });
        graph.output("x", loop.state);
        graph.output("iterations", loop.iterations);
        const GraphDesc desc = std::move(graph).finish();
        const Result<Plan> plan = compile(desc, DeviceCaps{}, options);
        ASSERT_TRUE(plan) << to_string(plan.error());
        const auto violations = oracle::check(desc, *plan);
        EXPECT_TRUE(violations.empty()) << options.poison << oracle::to_string(violations);
    }
}

TEST_F(RepeatTest, ABodyInPlaceNeedsNoCopyOfTheState) {
    graph.repeat_until("loop", 3, word("x"), [&](Buffer x, std::uint32_t) {
        auto node = graph.compute("graph/gate_counts", "step");
        node.read("stopped", word("zero"));
        const Buffer next = node.write("counts", x);
        node.dispatch(1);
        return Step{next, next};
    });
    EXPECT_THAT(codes(graph), IsEmpty());
    for (const std::string& name : node_names())
        EXPECT_FALSE(name.ends_with("/carry")) << name;
}

TEST_F(RepeatTest, ACopyInABodyIsWarnedOfOnceUnlessItIsSmall) {
    const auto loop_with_copy_of = [&](std::uint64_t bytes) {
        graph = Graph{shaders};
        const BufferDesc desc{.size = bytes, .stride = 4};
        const Buffer x = graph.fill(graph.buffer("x", desc), 0, "x");
        graph.output("x", graph
                              .repeat_until("loop", 3, x,
                                            [&](Buffer before, std::uint32_t) {
                                                const Buffer copy =
                                                    graph.copy(before, graph.buffer("y", desc));
                                                const Buffer next = step(copy, before);
                                                return Step{next, next};
                                            })
                              .state);
    };
    loop_with_copy_of(4096);
    EXPECT_THAT(codes(graph), ElementsAre("graph/copy-in-loop"));
    EXPECT_EQ(graph.peek().diagnostics[0].severity, Severity::warning);
    EXPECT_TRUE(compile(std::move(graph).finish(), DeviceCaps{}));
    loop_with_copy_of(64);
    EXPECT_THAT(codes(graph), IsEmpty());
}

TEST_F(RepeatTest, TheCopiesOfTheLoopItselfAreNotWarnedOf) {
    const BufferDesc desc{.size = 4096, .stride = 4};
    const auto filled = [&](std::string_view name) {
        return graph.fill(graph.buffer(name, desc), 0, name);
    };
    using Two = std::tuple<Buffer, Buffer>;
    graph.repeat_until("fresh", 3, filled("x"), [&](Buffer before, std::uint32_t) {
        const Buffer next = step(before, graph.buffer("next", desc));
        return Step{next, next};
    });
    graph.repeat_until("swapped", 3, Two{filled("a"), filled("b")}, [](Two s, std::uint32_t) {
        return Step{Two{std::get<1>(s), std::get<0>(s)}, std::get<0>(s)};
    });
    const std::vector<std::string> names = node_names();
    EXPECT_THAT(names, IsSupersetOf({"fresh[0]/state", "swapped[0]/taken_out"}))
        << "they are there";
    EXPECT_THAT(codes(graph), IsEmpty());
}

TEST_F(RepeatTest, WhatAnIterationMadeCannotBeReadOutside) {
    Buffer leaked;
    graph.repeat_until("loop", 3, word("x"), [&](Buffer x, std::uint32_t) {
        const Step<Buffer> next = fresh_step(x);
        leaked = next.state;
        return next;
    });
    EXPECT_THAT(codes(graph), IsEmpty());
    step(leaked, graph.buffer("later", kLoopWord));
    graph.output("leaked", leaked);
    EXPECT_THAT(codes(graph), ElementsAre("graph/loop-escape", "graph/loop-escape"));
}

TEST_F(RepeatTest, TransfersToTheOutsideAreRefused) {
    Buffer outside = word("outside");
    graph.repeat_until("loop", 3, word("x"), [&](Buffer x, std::uint32_t) {
        outside = graph.fill(outside, 1);
        return fresh_step(x);
    });
    EXPECT_THAT(codes(graph), Contains("graph/ungated-node"));
}

TEST_F(RepeatTest, RaysAreRefused) {
    graph.repeat_until("loop", 3, word("x"), [&](Buffer x, std::uint32_t) {
        auto node = graph.rays("bvh/any");
        node.read("rays", x);
        return fresh_step(x);
    });
    EXPECT_THAT(codes(graph), Contains("graph/ungated-node"));
}

TEST_F(RepeatTest, WorkOfTheHostIsRefused) {
    graph.repeat_until("loop", 3, word("x"), [&](Buffer x, std::uint32_t) {
        auto node = graph.host("host", [](const HostBuffers&) { return Result<void>(); });
        node.read(x);
        return fresh_step(x);
    });
    EXPECT_THAT(codes(graph), Contains("graph/ungated-node"));
}

TEST_F(RepeatTest, MessagesTravelInEveryIteration) {
    const auto send = [&](Buffer sent, Buffer received) {
        auto node = graph.host("send", [](const HostBuffers&) { return Result<void>(); });
        node.read(sent);
        received = node.write(received);
        graph.order_messages(node);
        return received;
    };
    const auto loop = graph.repeat_until("loop", 3, word("x"), [&](Buffer x, std::uint32_t) {
        return fresh_step(send(x, graph.buffer("received", kLoopWord)));
    });
    send(loop.state, graph.buffer("afterwards", kLoopWord));
    EXPECT_THAT(codes(graph), IsEmpty());
    Buffer outside = word("outside");
    graph.repeat_until("other", 3, word("y"), [&](Buffer y, std::uint32_t) {
        outside = send(y, outside);
        return fresh_step(y);
    });
    EXPECT_THAT(codes(graph), Contains("graph/ungated-node")) << "what it receives is of no use";
}

TEST_F(RepeatTest, ASkippedNodeCannotBeTheFirstToWriteSomethingOutside) {
    Buffer outside = graph.buffer("outside", kLoopWord);
    graph.repeat_until("loop", 1, word("x"), [&](Buffer x, std::uint32_t) {
        outside = step(x, outside);
        return fresh_step(x);
    });
    EXPECT_THAT(codes(graph), ElementsAre("graph/gated-undefined"));
}

TEST_F(RepeatTest, TheStateKeepsItsSize) {
    graph.repeat_until("loop", 5, word("x"), [&](Buffer x, std::uint32_t) {
        const Buffer larger = step(x, graph.buffer("next", {.size = 8}));
        return Step{larger, larger};
    });
    EXPECT_THAT(codes(graph), ElementsAre("graph/loop-state"));
}

TEST_F(RepeatTest, EndlessNestingIsRefusedAtOnce) {
    graph.repeat("a", ~0u, 0, [&](int, std::uint32_t) {
        return graph.repeat("b", ~0u, 0, [&](int, std::uint32_t) { return 0; });
    });
    EXPECT_THAT(codes(graph), ElementsAre("graph/too-many-nodes"));
}

} // namespace
} // namespace tuff
