#include "fake_shaders.hpp"
#include "sketch.hpp"

#include <functional>

/// Mistakes that only the finished description, or the device, shows.
namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> image_mistakes(const ImageDesc& desc, const DeviceCaps& caps = {}) {
    Graph graph;
    (void)graph.image("image", desc);
    return codes(compile(std::move(graph).finish(), caps));
}

TEST(ValidateImage, OrdinaryImagesPass) {
    for (const ImageDesc& desc :
         {kPicture, mipped(7), ImageDesc{.extent = {8, 8}, .layers = 5},
          ImageDesc{.extent = {8, 8, 8}, .shape = ImageShape::d3},
          ImageDesc{.extent = {8, 8}, .layers = 12, .shape = ImageShape::cube},
          ImageDesc{.extent = {8, 8}, .samples = 4}})
        EXPECT_THAT(image_mistakes(desc), IsEmpty());
}

TEST(ValidateImage, EachMistakeHasItsCode) {
    const auto expect = [](const ImageDesc& desc, const char* code) {
        EXPECT_THAT(image_mistakes(desc), ElementsAre(code));
    };
    expect({.format = Format::undefined}, "graph/format");
    expect({.extent = {16385, 1}}, "graph/image-size");
    expect({.extent = {1, 16385}}, "graph/image-size");
    expect({.extent = {2049, 1, 1}, .shape = ImageShape::d3}, "graph/image-size");
    expect({.extent = {1, 1, 2049}, .shape = ImageShape::d3}, "graph/image-size");
    expect({.extent = {4, 4, 2}}, "graph/image-shape");
    expect({.extent = {4, 4}, .layers = 2049}, "graph/image-shape");
    expect({.extent = {4, 4, 4}, .layers = 2, .shape = ImageShape::d3}, "graph/image-shape");
    expect({.extent = {4, 4}, .layers = 5, .shape = ImageShape::cube}, "graph/image-shape");
    expect({.extent = {4, 5}, .layers = 6, .shape = ImageShape::cube}, "graph/image-shape");
    expect({.extent = {4, 4}, .mips = 4}, "graph/image-mips");
    expect({.extent = {4, 4}, .samples = 3}, "graph/image-samples");
    expect({.extent = {4, 4}, .samples = 2}, "graph/image-samples"); // not offered
    expect({.extent = {4, 4}, .mips = 2, .samples = 4}, "graph/image-samples");
}

TEST(ValidateImage, TheDeviceSetsTheLimits) {
    DeviceCaps caps;
    caps.max_image_2d = 64;
    caps.sample_counts = 1 | 2;
    EXPECT_THAT(image_mistakes({.extent = {65, 1}}, caps), ElementsAre("graph/image-size"));
    EXPECT_THAT(image_mistakes({.extent = {64, 1}, .samples = 2}, caps), IsEmpty());
}

TEST(ValidateHistory, MustBeWritten) {
    Sketch s;
    s.read("read", s.graph.history_buffer("state", {.size = 4}).previous[0]);
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/history-unwritten"));
}

TEST(ValidateOverlap, ANodeUsesAPartOnceWhereItWrites) {
    Sketch s;
    const Image chain = s.write("write", s.image("chain", mipped(3)));
    (void)s.step("same mip", mip(chain, 1), mip(chain, 1, 2));
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/self-overlap"));
}

TEST(ValidateOverlap, OtherPartsAndMereReadsPass) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data", 64));
    s.read("step", s.step("step", BufferView(data, 0, 32), BufferView(data, 32, 32)));
    auto twice = s.graph.custom("twice");
    twice.read(data, Access::storage_read);
    twice.read(data, Access::uniform_read);
    EXPECT_THAT(codes(s.compile()), IsEmpty());
}

// --- kernels -------------------------------------------------------------------------------------

struct ValidateKernel : testing::Test {
    ShaderInterface kernel{.name = "kernel",
                           .stages = kComputeBit,
                           .local_size = {8, 8, 1},
                           .local_size_ids = {0, ~0u, ~0u},
                           .bindings = {updated_buffer("data")},
                           .constants = {{.name = "width", .id = 0}}};
    DeviceCaps caps;

    /// Compiles one node that binds `view` and is set up further by `more`.
    std::vector<std::string> mistakes(
        BufferView (*view)(Buffer), const std::function<void(Graph&, ComputeNodeBuilder&)>& more =
                                        [](Graph&, ComputeNodeBuilder&) {}) {
        const FakeShaders shaders({kernel});
        Graph graph{shaders};
        const Buffer data = graph.fill(graph.buffer("data", {.size = 4096}), 0);
        ComputeNodeBuilder node = graph.compute("kernel");
        if (view) (void)node.write("data", view(data));
        more(graph, node);
        return codes(compile(std::move(graph).finish(), caps));
    }
    static BufferView all(Buffer data) { return data; }
};

TEST_F(ValidateKernel, ACompleteNodePasses) {
    EXPECT_THAT(mistakes(all), IsEmpty());
}

TEST_F(ValidateKernel, EveryBindingIsBound) {
    EXPECT_THAT(mistakes(nullptr), ElementsAre("graph/unbound"));
    kernel.bindings.push_back({.name = "sampler", .kind = BindingKind::sampler});
    EXPECT_THAT(mistakes(all), IsEmpty());
}

TEST_F(ValidateKernel, EveryElementOfAnArrayIsBoundAndReportedOnce) {
    kernel.bindings[0].count = 3;
    EXPECT_THAT(mistakes(all), ElementsAre("graph/unbound"));
}

TEST_F(ValidateKernel, ArraysFitTheDevice) {
    ShaderBinding textures = sampled("textures");
    textures.count_constant = 5;
    kernel.bindings.push_back(textures);
    kernel.constants.push_back({.name = "length", .id = 5, .default_bits = 1});
    const auto of = [&](std::size_t count) {
        return mistakes(all, [count](Graph& graph, ComputeNodeBuilder& node) {
            const Image picture =
                graph.clear(graph.image("picture", kPicture), ClearValue{std::array<float, 4>{}});
            const std::vector<SampledImage> images(count, {.view = picture});
            node.read_array("textures", images);
        });
    };
    caps.max_stage_textures = 7;
    EXPECT_THAT(of(7), IsEmpty());
    EXPECT_THAT(of(8), ElementsAre("graph/too-many-bindings"));
    caps.max_stage_textures = 100;
    caps.max_stage_bindings = 9; // with the buffer
    EXPECT_THAT(of(8), IsEmpty());
    EXPECT_THAT(of(9), ElementsAre("graph/too-many-bindings"));
}

// Nor does it take a while to say so.
TEST_F(ValidateKernel, AnEndlessArrayIsRefused) {
    ShaderBinding textures = sampled("textures");
    textures.count_constant = 5;
    kernel.bindings.push_back(textures);
    kernel.constants.push_back({.name = "length", .id = 5, .default_bits = 1});
    EXPECT_THAT(
        mistakes(all,
                 [](Graph&, ComputeNodeBuilder& node) { node.specialize("length", 0xffffffffu); }),
        ElementsAre("graph/too-many-bindings"));
}

TEST_F(ValidateKernel, ChoosingAmongTexturesTakesADeviceThatCan) {
    kernel.indexes_textures = true;
    EXPECT_THAT(mistakes(all), ElementsAre("graph/no-texture-arrays"));
    caps.texture_arrays = true;
    EXPECT_THAT(mistakes(all), IsEmpty());
}

TEST_F(ValidateKernel, PushConstantsFitTheDevice) {
    kernel.push_bytes = 129;
    EXPECT_THAT(mistakes(all), ElementsAre("graph/push-size"));
}

TEST_F(ValidateKernel, BindingsFitTheDevice) {
    caps.max_storage_buffer_bytes = 1024;
    EXPECT_THAT(mistakes(all), ElementsAre("graph/buffer-range"));
    EXPECT_THAT(mistakes([](Buffer data) { return BufferView(data, 0, 1024); }), IsEmpty());
}

TEST_F(ValidateKernel, BindingsBeginWhereTheDeviceCan) {
    EXPECT_THAT(mistakes([](Buffer data) { return BufferView(data, 256, 256); }), IsEmpty());
    EXPECT_THAT(mistakes([](Buffer data) { return BufferView(data, 64, 256); }),
                ElementsAre("graph/binding-offset"));
    caps.storage_offset_alignment = 64;
    EXPECT_THAT(mistakes([](Buffer data) { return BufferView(data, 64, 256); }), IsEmpty());
}

TEST_F(ValidateKernel, DispatchesFitTheDevice) {
    EXPECT_THAT(
        mistakes(all, [](Graph&, ComputeNodeBuilder& node) { node.dispatch(1, 65536, 65536); }),
        ElementsAre("graph/dispatch-size", "graph/dispatch-size"));
}

TEST_F(ValidateKernel, GroupsFitTheDevice) {
    const auto widened = [&](std::uint32_t width) {
        return mistakes(
            all, [width](Graph&, ComputeNodeBuilder& node) { node.specialize("width", width); });
    };
    EXPECT_THAT(widened(32), IsEmpty());
    EXPECT_THAT(widened(33), ElementsAre("graph/group-size"));
    EXPECT_THAT(widened(0), ElementsAre("graph/group-size"));
}

TEST_F(ValidateKernel, IndirectCountsLieInsideTheirBuffer) {
    const auto at = [&](std::uint64_t offset) {
        return mistakes(all, [offset](Graph& graph, ComputeNodeBuilder& node) {
            const Buffer counts = graph.fill(graph.buffer("counts", {.size = 32}), 1);
            node.dispatch_indirect(counts, offset);
        });
    };
    EXPECT_THAT(at(20), IsEmpty());
    for (const std::uint64_t offset : {std::uint64_t{24}, std::uint64_t{2}, ~std::uint64_t{3}})
        EXPECT_THAT(at(offset), ElementsAre("graph/indirect-range")) << offset;
}

// --- raster --------------------------------------------------------------------------------------

struct ValidateRaster : testing::Test {
    FakeShaders shaders{{{.name = "draw", .stages = kVertexBit}}};
    Graph graph{shaders};
    RasterNodeBuilder node = graph.raster("draw");
    std::vector<std::string> mistakes() {
        node.draw({.count = 3});
        return codes(compile(std::move(graph).finish(), DeviceCaps{}));
    }
};

TEST_F(ValidateRaster, AttachmentsHaveTheirFormats) {
    (void)node.color(graph.image("depth", {.format = Format::d32_sfloat, .extent = {4, 4}}),
                     cleared(0));
    (void)node.depth(graph.image("colour", {.extent = {4, 4}}), cleared(0));
    EXPECT_THAT(mistakes(), ElementsAre("graph/attachment-format", "graph/attachment-format"));
}

TEST_F(ValidateRaster, EightColoursAreTheMost) {
    for (int i = 0; i < 9; ++i)
        (void)node.color(graph.image("colour", kPicture), cleared(0));
    EXPECT_THAT(mistakes(), ElementsAre("graph/attachment-count"));
}

TEST_F(ValidateRaster, AScissorLiesWithinTheArea) {
    const auto at = [](Scissor scissor) {
        FakeShaders shaders{{{.name = "draw", .stages = kVertexBit}}};
        Graph graph{shaders};
        RasterNodeBuilder node = graph.raster("draw");
        node.area({7, 5, 1});
        node.scissor(scissor);
        node.draw({.count = 3});
        return codes(compile(std::move(graph).finish(), DeviceCaps{}));
    };
    EXPECT_THAT(at({0, 0, 7, 5}), IsEmpty());
    EXPECT_THAT(at({6, 4, 1, 1}), IsEmpty());
    EXPECT_THAT(at({7, 5, 0, 0}), IsEmpty());
    for (const Scissor outside :
         {Scissor{1, 0, 7, 5}, Scissor{0, 1, 7, 5}, Scissor{8, 0, 0, 0}, Scissor{~0u, 0, 1, 1}})
        EXPECT_THAT(at(outside), ElementsAre("graph/scissor-outside"));
}

TEST_F(ValidateRaster, DrawArgumentsLieInsideTheirBuffer) {
    const Buffer arguments = graph.fill(graph.buffer("arguments", {.size = 64}), 0);
    node.draw_indirect(arguments, 0, 4);
    EXPECT_THAT(codes(graph), IsEmpty());
    node.draw_indirect(arguments, 4, 4);
    node.draw_indirect(arguments, 2, 1);
    EXPECT_THAT(mistakes(), ElementsAre("graph/indirect-range", "graph/indirect-range"));
}

TEST_F(ValidateRaster, IndexedArgumentsAreLonger) {
    const Buffer arguments = graph.fill(graph.buffer("arguments", {.size = 64}), 0);
    node.index_buffer(graph.fill(graph.buffer("indices", {.size = 64}), 0), IndexType::uint32);
    node.draw_indirect(arguments, 0, 4);
    EXPECT_THAT(mistakes(), ElementsAre("graph/indirect-range"));
}

// --- outputs -------------------------------------------------------------------------------------

TEST(ValidateOutput, EachHasItsName) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data"));
    s.graph.output("same", data);
    s.graph.output("same", data);
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/duplicate-output"));
}

TEST(ValidateOutput, IsNotOverwritten) {
    Sketch s;
    const Buffer old = s.write("write", s.buffer("data"));
    (void)s.write("overwrite", old);
    s.graph.output("old", old);
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/output-overwritten"));
}

TEST(ValidateOutput, BelongsToOneExecution) {
    Sketch s;
    s.graph.output("state", s.write("write", s.graph.history_buffer("state", {.size = 4}).current));
    s.graph.output("import", s.graph.import_buffer("import", {.size = 4}, {}));
    EXPECT_THAT(codes(s.compile()), ElementsAre("graph/output-lifetime", "graph/output-lifetime"));
}

} // namespace
} // namespace tuff
