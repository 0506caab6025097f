#include "fake_shaders.hpp"
#include "sketch.hpp"

#include <cstring>

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct OptionalBindings : testing::Test {
    static ShaderInterface kernel() {
        ShaderBinding textures = sampled("textures");
        textures.count = 2;
        return {.name = "kernel",
                .stages = kComputeBit,
                .bindings = {read_buffer("forces"), sampled("map"), textures, read_buffer("plain"),
                             updated_buffer("state")},
                .constants = {{.name = "has_forces", .id = 4}, {.name = "has_pair", .id = 5}},
                .param_members = {{.name = "has_map", .scalar = ScalarType::uint32, .offset = 4}},
                .param_bytes = 16};
    }
    FakeShaders shaders{{kernel()}};
    Graph graph{shaders};
    ComputeNodeBuilder node = graph.compute("kernel");

    Buffer buffer() { return graph.buffer("buffer", {.size = 64}); }
    const KernelUse& use() const { return std::get<ComputeNode>(graph.peek().payloads[0]).kernel; }
    std::uint32_t has_map() const {
        std::uint32_t value = 0;
        std::memcpy(&value, graph.peek().parameters.data() + use().param_offset + 4, 4);
        return value;
    }
};

TEST_F(OptionalBindings, WhatIsConnectedIsReadAndFlagged) {
    node.read_optional("forces", buffer());
    node.read_optional("map", graph.image("image", kPicture));
    EXPECT_THAT(codes(graph), IsEmpty());
    EXPECT_EQ(graph.peek().accesses.size(), 2u);
    ASSERT_THAT(use().bindings, SizeIs(2));
    EXPECT_EQ(use().bindings[1].access, 1u);
    ASSERT_THAT(use().constants, SizeIs(1));
    EXPECT_EQ(use().constants[0], (SpecializationUse{4, 1}));
    EXPECT_EQ(has_map(), 1u);
}

TEST_F(OptionalBindings, WhatIsNotConnectedIsNoAccessAndFlagged) {
    node.read_optional("forces", Buffer{});
    node.read_optional("map", Image{});
    node.read_optional("textures", Image{}, {}, "has_pair");
    EXPECT_THAT(codes(graph), IsEmpty());
    EXPECT_THAT(graph.peek().accesses, IsEmpty());
    ASSERT_THAT(use().bindings, SizeIs(4)); // both elements of the array
    for (const BindingUse& binding : use().bindings)
        EXPECT_EQ(binding.access, BindingUse::kNotConnected);
    EXPECT_THAT(use().constants, ElementsAre(SpecializationUse{4, 0}, SpecializationUse{5, 0}));
    EXPECT_EQ(has_map(), 0u);
}

TEST_F(OptionalBindings, TheKernelDeclaresTheFlag) {
    node.read_optional("plain", Buffer{});
    EXPECT_THAT(codes(graph), ElementsAre("graph/optional-undeclared"));
    EXPECT_THAT(graph.peek().diagnostics[0].hint, HasSubstr("const uint has_plain"));
}

TEST_F(OptionalBindings, BindingsWithOneFlagAreConnectedTogether) {
    node.read_optional("forces", buffer(), "has_pair");
    node.read_optional("plain", Buffer{}, "has_pair");
    EXPECT_THAT(codes(graph), ElementsAre("graph/optional-disagrees"));
}

TEST_F(OptionalBindings, TheKernelOnlyReadsThem) {
    node.read_optional("state", Buffer{}, "has_pair");
    EXPECT_THAT(codes(graph), ElementsAre("graph/binding-direction"));
}

TEST_F(OptionalBindings, TheyHaveTheKindAndNameThatTheKernelSays) {
    node.read_optional("map", Buffer{});
    node.read_optional("forcse", Buffer{});
    EXPECT_EQ(codes(graph)[0], "graph/binding-kind");
    EXPECT_EQ(codes(graph)[1], "graph/unknown-binding");
}

TEST_F(OptionalBindings, TheyAreBoundOnce) {
    node.read_optional("forces", Buffer{});
    node.read("forces", buffer());
    EXPECT_THAT(codes(graph), ElementsAre("graph/bound-twice"));
}

TEST(OptionalBindingsOfDraws, AreSharedByAll) {
    const FakeShaders shaders({{.name = "draw",
                                .stages = kVertexBit | kFragmentBit,
                                .bindings = {sampled("map", kFragmentBit)},
                                .constants = {{.name = "has_map", .id = 0}}}});
    Graph graph(shaders);
    auto node = graph.raster("draw");
    node.begin_group();
    node.read_optional("map", Image{});
    EXPECT_THAT(codes(graph), ElementsAre("graph/optional-group"));
}

struct OptionalPlan : testing::Test {
    FakeShaders shaders{{{.name = "kernel",
                          .stages = kComputeBit,
                          .bindings = {read_buffer("forces"), updated_buffer("state")},
                          .param_members = {{.name = "has_forces", .scalar = ScalarType::uint32}},
                          .param_bytes = 4}}};
    GraphDesc build(bool connected) {
        Graph graph(shaders);
        const Buffer forces = graph.fill(graph.buffer("forces", {.size = 64}), 0);
        auto node = graph.compute("kernel");
        node.read_optional("forces", connected ? forces : Buffer{});
        const Buffer state = graph.fill(graph.buffer("state", {.size = 64}), 0);
        graph.output("state", node.write("state", state));
        return std::move(graph).finish();
    }
};

TEST_F(OptionalPlan, CompilesWithoutTheBindingAndKeepsItNull) {
    const auto plan = compile(build(false), {});
    ASSERT_TRUE(plan) << to_string(plan.error());
    std::size_t null = 0;
    for (const NodePayload& payload : plan->graph.payloads)
        if (const auto* compute = std::get_if<ComputeNode>(&payload))
            for (const BindingUse& use : compute->kernel.bindings)
                null += use.access == BindingUse::kNotConnected;
    EXPECT_EQ(null, 1u);
}

TEST_F(OptionalPlan, IsOfAnotherStructureWhereTheBindingIsConnected) {
    EXPECT_TRUE(same_structure(build(false), build(false)));
    EXPECT_FALSE(same_structure(build(false), build(true)));
}

// --- dispatch_each -------------------------------------------------------------------------------

struct DispatchEachOfKernel : testing::Test {
    FakeShaders shaders{{{.name = "line",
                          .stages = kComputeBit,
                          .local_size = {64, 1, 1},
                          .local_size_ids = {7, ~0u, ~0u},
                          .constants = {{.name = "width", .id = 7}}},
                         {.name = "plane", .stages = kComputeBit, .local_size = {8, 8, 1}}}};
    Graph graph{shaders};
    std::array<std::uint32_t, 3> groups(std::uint32_t count, std::uint32_t width) {
        auto node = graph.compute("line");
        node.specialize("width", width);
        node.dispatch_each(count);
        return std::get<ComputeNode>(graph.peek().payloads.back()).groups;
    }
};

TEST_F(DispatchEachOfKernel, RoundsUpToWholeGroups) {
    EXPECT_THAT(groups(128, 64), ElementsAre(2, 1, 1));
    EXPECT_THAT(groups(129, 64), ElementsAre(3, 1, 1));
    EXPECT_THAT(groups(0, 64), ElementsAre(1, 1, 1));
}

TEST_F(DispatchEachOfKernel, FoldsIntoRowsThatEveryDeviceTakes) {
    EXPECT_THAT(groups(65'535, 1), ElementsAre(65'535, 1, 1));
    EXPECT_THAT(groups(65'536, 1), ElementsAre(32'768, 2, 1));
    const auto most = groups(~0u, 256);
    EXPECT_LE(most[0], 65'535u);
    EXPECT_GE(std::uint64_t{most[0]} * most[1] * 256, ~0u);
}

TEST_F(DispatchEachOfKernel, TakesTheSizeThatTheKernelDeclares) {
    auto node = graph.compute("line");
    EXPECT_THAT(node.group_size(), ElementsAre(64, 1, 1));
    node.dispatch_each(65);
    EXPECT_THAT(std::get<ComputeNode>(graph.peek().payloads.back()).groups, ElementsAre(2, 1, 1));
}

TEST_F(DispatchEachOfKernel, RefusesGroupsOfTwoDimensions) {
    graph.compute("plane").dispatch_each(64);
    EXPECT_THAT(codes(graph), ElementsAre("graph/dispatch-each"));
}

// --- shared structs ------------------------------------------------------------------------------

struct Grains {
    std::uint32_t grains = 0;
    float heaviest = 0.0f;
    glm::vec4 box[2] = {};
    static constexpr std::string_view kStructName = "Grains";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(Grains, grains), TUFF_MEMBER(Grains, heaviest),
                          TUFF_MEMBER(Grains, box)};
    }
};

struct SharedStructs : testing::Test {
    ShaderInterface kernel{.name = "kernel",
                           .stages = kComputeBit,
                           .bindings = {updated_buffer("status")},
                           .param_bytes = 48};
    SharedStructs() {
        kernel.bindings[0].members = {
            {.name = "grains", .scalar = ScalarType::uint32},
            {.name = "heaviest", .offset = 4},
            {.name = "box", .rows = 4, .array_length = 2, .offset = 8, .array_stride = 16}};
        kernel.param_members = kernel.bindings[0].members;
    }
    std::vector<std::string> mistakes(std::string_view block) {
        const FakeShaders shaders({kernel});
        Graph graph(shaders);
        graph.compute("kernel").match<Grains>(block);
        for (const Diagnostic& one : graph.peek().diagnostics)
            message = one.message;
        return codes(graph);
    }
    std::string message;
};

TEST_F(SharedStructs, PassWhereNamesOffsetsAndTypesAgree) {
    EXPECT_THAT(mistakes("status"), IsEmpty());
    EXPECT_THAT(mistakes("Params"), IsEmpty());
}

TEST_F(SharedStructs, AreReportedWithBothOffsets) {
    kernel.bindings[0].members[2].offset = 16;
    EXPECT_THAT(mistakes("status"), ElementsAre("graph/struct-mismatch"));
    EXPECT_THAT(message, HasSubstr("'box' at byte 8 of struct Grains is at byte 16 of"));
}

TEST_F(SharedStructs, AreReportedWhereAMemberIsMissing) {
    kernel.param_members.pop_back();
    EXPECT_THAT(mistakes("Params"), ElementsAre("graph/struct-mismatch"));
    EXPECT_THAT(message, HasSubstr("is missing from"));
}

TEST_F(SharedStructs, AreReportedWhereATypeDiffers) {
    kernel.bindings[0].members[1].scalar = ScalarType::int32;
    EXPECT_THAT(mistakes("status"), ElementsAre("graph/struct-mismatch"));
    kernel.bindings[0].members[1].scalar = ScalarType::float32;
    kernel.bindings[0].members[2].array_stride = 32;
    EXPECT_THAT(mistakes("status"), ElementsAre("graph/struct-mismatch"));
}

} // namespace
} // namespace tuff
