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

std::vector<ShaderInterface> kernels() {
    ShaderBinding volume = sampled("volume");
    volume.dimension = ImageDimension::d3;
    ShaderBinding sky = sampled("sky");
    sky.dimension = ImageDimension::cube;
    ShaderBinding samples = sampled("samples");
    samples.multisampled = true;
    ShaderBinding exact = written_image("exact");
    exact.format = Format::r32_sfloat;
    ShaderBinding textures = sampled("textures");
    textures.count = 2;
    ShaderBinding lengthy = sampled("lengthy");
    lengthy.count_constant = 9;
    ShaderBinding uniforms = read_buffer("uniforms");
    uniforms.kind = BindingKind::uniform_buffer;
    ShaderInterface all{
        .name = "all",
        .stages = kComputeBit,
        .local_size = {8, 4, 1},
        .local_size_ids = {7, ~0u, ~0u},
        .bindings = {sampled("source"), written_image("target"), read_buffer("table"),
                     updated_buffer("bins"), volume, sky, samples, exact, textures, uniforms,
                     lengthy},
        .constants = {{.name = "width", .id = 7},
                      {.name = "scale", .id = 8, .scalar = ScalarType::float32},
                      {.name = "length", .id = 9, .default_bits = 1}},
        .push_members = {{.name = "seed", .scalar = ScalarType::uint32}},
        .push_bytes = 4,
        .param_members =
            {{.name = "sigma"},
             {.name = "offset", .rows = 2, .offset = 8},
             {.name = "weights", .array_length = 3, .offset = 16, .array_stride = 16},
             {.name = "basis", .rows = 3, .columns = 3, .offset = 64, .matrix_stride = 16}},
        .param_bytes = 112};
    return {all};
}

struct KernelNodes : testing::Test {
    FakeShaders shaders{kernels()};
    Graph graph{shaders};
    ComputeNodeBuilder node = graph.compute("all");

    Image image(const ImageDesc& desc = kPicture) { return graph.image("image", desc); }
    Buffer buffer() { return graph.buffer("buffer", {.size = 64}); }
    const KernelUse& kernel() const {
        return std::get<ComputeNode>(graph.peek().payloads[0]).kernel;
    }
    const ComputeNode& compute() const { return std::get<ComputeNode>(graph.peek().payloads[0]); }
    Access access(std::uint32_t number) const {
        const NodeDesc& desc = graph.peek().nodes[0];
        return graph.peek().accesses[desc.first_access + number].access;
    }
    const Range& range(std::uint32_t number) const {
        const NodeDesc& desc = graph.peek().nodes[0];
        return graph.peek().accesses[desc.first_access + number].range;
    }
    std::string hint() const { return graph.peek().diagnostics.at(0).hint; }
};

TEST_F(KernelNodes, AccessesFollowFromWhatTheKernelDeclares) {
    node.read("source", image());
    (void)node.write("target", image());
    node.read("table", buffer());
    (void)node.write("bins", buffer());
    node.read("uniforms", buffer());
    EXPECT_THAT(codes(graph), IsEmpty());
    EXPECT_EQ(access(0), Access::sampled);
    EXPECT_EQ(access(1), Access::storage_write);
    EXPECT_EQ(access(2), Access::storage_read);
    EXPECT_EQ(access(3), Access::storage_read_write);
    EXPECT_EQ(access(4), Access::uniform_read);
    EXPECT_EQ(graph.peek().accesses[0].shader_stages, stage::kCompute);
    ASSERT_THAT(kernel().bindings, SizeIs(5));
    EXPECT_EQ(kernel().bindings[3].binding, 3u);
    EXPECT_EQ(kernel().bindings[3].access, 3u);
}

TEST_F(KernelNodes, AccumulationIsAnAccessOfItsOwn) {
    (void)node.accumulate("bins", buffer());
    EXPECT_EQ(access(0), Access::accumulate);
}

TEST_F(KernelNodes, AnUnknownBindingSuggestsTheNearest) {
    node.read("sourse", image());
    EXPECT_THAT(codes(graph), ElementsAre("graph/unknown-binding"));
    EXPECT_EQ(hint(), "did you mean 'source'?");
}

TEST_F(KernelNodes, ABindingFarFromAnyListsThemAll) {
    node.read("zzzzzzzz", image());
    EXPECT_THAT(hint(), HasSubstr("source, target"));
}

TEST_F(KernelNodes, ImagesAndBuffersAreNotExchanged) {
    node.read("table", image());
    node.read("source", buffer());
    EXPECT_THAT(codes(graph), ElementsAre("graph/binding-kind", "graph/binding-kind"));
}

TEST_F(KernelNodes, WhatTheKernelMayWriteIsBoundForWriting) {
    node.read("bins", buffer());
    const Buffer table = buffer();
    EXPECT_EQ(node.write("table", table), table);
    EXPECT_THAT(codes(graph), ElementsAre("graph/binding-direction", "graph/binding-direction"));
}

TEST_F(KernelNodes, EachBindingIsBoundOnce) {
    node.read("source", image());
    node.read("source", image());
    EXPECT_THAT(codes(graph), ElementsAre("graph/bound-twice"));
}

TEST_F(KernelNodes, ElementsOfAnArrayAreBoundEach) {
    node.read_element("textures", 0, image());
    node.read_element("textures", 1, image());
    EXPECT_THAT(codes(graph), IsEmpty());
    node.read_element("textures", 2, image());
    EXPECT_THAT(codes(graph), ElementsAre("graph/binding-element"));
}

TEST_F(KernelNodes, AnArrayIsAsLongAsWhatItIsGiven) {
    const std::vector<SampledImage> five{{.view = image()},
                                         {.view = image(), .sampler = Sampler::nearest()},
                                         {},
                                         {.view = image()},
                                         {.view = image()}};
    node.read_array("lengthy", five);
    EXPECT_THAT(codes(graph), IsEmpty());
    const ShaderBinding& binding = kernel().shader->bindings.back();
    EXPECT_EQ(kernel().count_of(binding), 5u);
    ASSERT_THAT(kernel().bindings, SizeIs(5));
    EXPECT_EQ(kernel().bindings[1].sampler, Sampler::nearest());
    EXPECT_EQ(kernel().bindings[2].access, BindingUse::kNotConnected);
    EXPECT_EQ(kernel().bindings[4].element, 4u);
    EXPECT_EQ(kernel().bindings[4].access, 3u); // each that is connected is read, no other
    EXPECT_THAT(graph.peek().accesses, SizeIs(4));
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(access(i), Access::sampled);
}

TEST_F(KernelNodes, AnArrayOfAFixedLengthTakesThatMany) {
    const std::vector<SampledImage> images{{.view = image()}, {.view = image()}, {.view = image()}};
    node.read_array("textures", std::span(images).first(2));
    EXPECT_THAT(codes(graph), IsEmpty());
    EXPECT_EQ(kernel().count_of(kernel().shader->bindings[8]), 2u);
    for (const std::size_t count : {0u, 1u, 3u})
        node.read_array("textures", std::span(images).first(count));
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(3), testing::Each("graph/array-length")));
}

TEST_F(KernelNodes, ALengthHasItsLimits) {
    node.read_array("lengthy", {});
    const std::vector<SampledImage> many(kMaxPartsInNode + 1);
    node.read_array("lengthy", many);
    EXPECT_THAT(codes(graph), ElementsAre("graph/array-length", "graph/array-length"));
    EXPECT_THAT(hint(), HasSubstr("1 to"));
    EXPECT_THAT(kernel().bindings, IsEmpty());
}

TEST_F(KernelNodes, ElementsBeyondALengthAreRefused) {
    node.specialize("length", 3u);
    node.read_element("lengthy", 2, image());
    EXPECT_THAT(codes(graph), IsEmpty());
    node.read_element("lengthy", 3, image());
    EXPECT_THAT(codes(graph), ElementsAre("graph/binding-element"));
}

TEST_F(KernelNodes, ShapesFitTheBinding) {
    const ImageDesc volume{.extent = {4, 4, 4}, .shape = ImageShape::d3};
    const ImageDesc cube{.extent = {4, 4}, .layers = 6, .shape = ImageShape::cube};
    node.read("volume", image(volume));
    node.read("sky", image(cube));
    EXPECT_THAT(codes(graph), IsEmpty());
    node.read("source", image(volume));
    node.read("volume", image());
    node.read("sky", image());
    node.read("sky", ImageView(image(cube)).layer(2)); // one face is no cube
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(4), testing::Each("graph/binding-dimension")));
}

TEST_F(KernelNodes, SamplesFitTheBinding) {
    const ImageDesc multisampled{.extent = {4, 4}, .samples = 4};
    node.read("samples", image(multisampled));
    EXPECT_THAT(codes(graph), IsEmpty());
    node.read("samples", image());
    node.read("source", image(multisampled));
    EXPECT_THAT(codes(graph), ElementsAre("graph/binding-samples", "graph/binding-samples"));
}

TEST_F(KernelNodes, AStorageImageIsOneMip) {
    (void)node.write("target", image(mipped(3)));
    EXPECT_THAT(codes(graph), ElementsAre("graph/storage-mips"));
    (void)node.write("target", mip(image(mipped(3)), 2));
    EXPECT_THAT(codes(graph), SizeIs(1));
}

TEST_F(KernelNodes, ADeclaredFormatIsKept) {
    (void)node.write("exact", image());
    EXPECT_THAT(codes(graph), ElementsAre("graph/binding-format"));
    (void)node.write("exact", image({.format = Format::r32_sfloat, .extent = {4, 4}}));
    EXPECT_THAT(codes(graph), SizeIs(1));
}

TEST_F(KernelNodes, AViewOutsideItsImageIsThatMistakeAndNoOther) {
    (void)node.write("target", mip(image(), 3, kAll));
    node.read("source", Image{});
    EXPECT_THAT(codes(graph), ElementsAre("graph/view-out-of-range", "graph/unconnected"));
}

// --- parameters ----------------------------------------------------------------------------------

TEST_F(KernelNodes, ParametersLandWhereTheKernelExpectsThem) {
    node.set("sigma", 2.0f);
    node.set("offset", glm::vec2(3, 4));
    node.set("weights", std::span<const float>(std::array{5.0f, 6.0f}));
    node.set("basis", glm::mat3(1, 2, 3, 4, 5, 6, 7, 8, 9));
    node.set("seed", 10u);
    EXPECT_THAT(codes(graph), IsEmpty());
    const auto word = [&](std::size_t offset) {
        float value = 0;
        std::memcpy(&value, graph.peek().parameters.data() + offset, sizeof value);
        return value;
    };
    const std::size_t block = kernel().param_offset;
    EXPECT_EQ(block % 16, 0u);
    EXPECT_EQ(word(block), 2.0f);
    EXPECT_EQ(word(block + 12), 4.0f);
    EXPECT_EQ(word(block + 16), 5.0f);
    EXPECT_EQ(word(block + 32), 6.0f); // one array stride on
    EXPECT_EQ(word(block + 48), 0.0f); // not given
    EXPECT_EQ(word(block + 64), 1.0f);
    EXPECT_EQ(word(block + 80), 4.0f); // the second column, one matrix stride on
    EXPECT_EQ(word(block + 104), 9.0f);
    std::uint32_t seed = 0;
    std::memcpy(&seed, graph.peek().parameters.data() + kernel().push_offset, sizeof seed);
    EXPECT_EQ(seed, 10u);
}

TEST_F(KernelNodes, ParametersHaveTheirKernelsNamesAndTypes) {
    node.set("sigmma", 1.0f);
    node.set("sigma", 1);
    node.set("sigma", glm::vec2(1));
    node.set("weights", std::span<const float>(std::array{1.0f, 2.0f, 3.0f, 4.0f}));
    EXPECT_THAT(codes(graph), ElementsAre("graph/unknown-parameter", "graph/parameter-type",
                                          "graph/parameter-type", "graph/parameter-type"));
    EXPECT_EQ(hint(), "did you mean 'sigma'?");
}

TEST_F(KernelNodes, ConstantsHaveTheirKernelsNamesAndTypes) {
    node.specialize("width", 16u);
    node.specialize("scale", 0.5f);
    EXPECT_THAT(codes(graph), IsEmpty());
    node.specialize("widht", 16u);
    node.specialize("width", 0.5f);
    node.specialize("scale", 1);
    EXPECT_THAT(codes(graph), testing::AllOf(SizeIs(3), testing::Each("graph/unknown-constant")));
}

TEST_F(KernelNodes, TheLastValueOfAConstantCounts) {
    node.specialize("width", 16u);
    node.specialize("width", 32u);
    ASSERT_THAT(kernel().constants, SizeIs(1));
    EXPECT_EQ(kernel().constants[0].bits, 32u);
}

TEST_F(KernelNodes, DispatchOverRoundsUpToWholeGroups) {
    node.dispatch_over({17, 8, 2});
    EXPECT_THAT(compute().groups, ElementsAre(3, 2, 2));
    node.specialize("width", 16u); // the local size along x
    node.dispatch_over({17, 8, 2});
    EXPECT_THAT(compute().groups, ElementsAre(2, 2, 2));
}

TEST_F(KernelNodes, IndirectCountsAreAnAccessOfTheNode) {
    node.dispatch_indirect(buffer(), 16);
    EXPECT_EQ(access(0), Access::indirect_read);
    EXPECT_EQ(compute().indirect_access, 0u);
    EXPECT_EQ(compute().indirect_offset, 0u);
    // Three words, wherever in the buffer: what else is in it may be written meanwhile.
    EXPECT_EQ(range(0).offset, 16u);
    EXPECT_EQ(range(0).size, 12u);
}

TEST_F(KernelNodes, IndirectCountsOutsideOfTheirViewAreLeftToBeFound) {
    node.dispatch_indirect(BufferView(buffer(), 8, 16), 8);
    EXPECT_EQ(range(0).offset, 8u);
    EXPECT_EQ(range(0).size, 16u);
    EXPECT_EQ(compute().indirect_offset, 8u);
}

} // namespace
} // namespace tuff
