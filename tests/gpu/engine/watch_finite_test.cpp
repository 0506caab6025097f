#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/graph_runner.hpp>
#include <tuff/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

/// Who is said to have written the first number that is not finite, and where.
namespace tuff {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class WatchFiniteTest : public testing_gpu::GpuTest {
  protected:
    /// What the host is told of the last of `times` executions.
    Diagnostics watch(Graph g, unsigned times = 1, const WatchOptions& options = {}) {
        const auto memory = memory_model(device());
        CompileOptions compiling{.memory = memory.get()};
        auto plan =
            compile(watch_finite(std::move(g).finish(), device().caps(), shaders(), options),
                    device().caps(), compiling);
        if (!plan) {
            ADD_FAILURE() << to_string(plan.error());
            return {};
        }
        Running running = start(std::make_shared<const Plan>(std::move(*plan)));
        if (!running) return {};
        running.execute(times);
        auto told = running->warnings();
        EXPECT_TRUE(told) << to_string(told.error());
        return told ? *told : Diagnostics{};
    }
    /// The only message; "" where there is none.
    std::string told(Graph g, std::string_view code = "graph/not-finite") {
        const Diagnostics all = watch(std::move(g));
        EXPECT_LE(all.size(), 1u) << to_string(all);
        if (all.empty()) return "";
        EXPECT_EQ(all[0].code, code);
        return all[0].message;
    }
    ComputeNodeBuilder kernel(Graph& g, std::string_view name, std::string_view glsl) {
        const std::string full = fmt::format("{}#{}", name, std::hash<std::string_view>()(glsl));
        const auto made = shaders().define_compute(full, fmt::format("#version 460\n{}", glsl));
        EXPECT_TRUE(made) << to_string(made.error());
        return g.compute(full, name);
    }
    /// All texels are 1, but for one channel of one of them.
    Image spoilt(Graph& g, std::string_view name, const ImageDesc& desc, std::string_view where,
                 std::string_view value) {
        const bool volume = desc.shape == ImageShape::d3;
        auto node = kernel(g, name,
                           fmt::format(R"(
            layout(local_size_x = 8, local_size_y = 8) in;
            writeonly uniform image{0} target;
            void main() {{
                ivec3 p = ivec3(gl_GlobalInvocationID);
                vec4 v = vec4(1);
                {1}
                    v{2};
                imageStore(target, p{3}, v);
            }})",
                                       volume ? "3D" : "2D", where, value, volume ? "" : ".xy"));
        const Image result = node.write("target", g.image(fmt::format("{}_result", name), desc));
        node.dispatch_over(desc.extent);
        return result;
    }
    /// A buffer that `glsl` fills: a block Target and a function main.
    Buffer filled(Graph& g, std::string_view name, std::uint64_t bytes, std::string_view glsl) {
        auto node = kernel(g, name, fmt::format("layout(local_size_x = 1) in;\n{}", glsl));
        const Buffer result =
            node.write("target", g.buffer(fmt::format("{}_result", name), {.size = bytes}));
        node.dispatch(1);
        return result;
    }
    Image copied(Graph& g, std::string_view name, Image image) {
        return g.copy(image, g.image(fmt::format("{}_result", name), g.desc(image)), name);
    }
};

constexpr std::string_view kNanBits = ".b = uintBitsToFloat(0x7fc00000u)";
constexpr std::string_view kInfinityBits = ".a = uintBitsToFloat(0xff800000u)";

TEST_F(WatchFiniteTest, TheFirstNodeAndItsTexelAreNamed) {
    // More texels than a check has invocations.
    const ImageDesc desc{.format = Format::rgba32_sfloat, .extent = {700, 401}};
    Graph g = graph();
    const Image sound = spoilt(g, "sound", desc, "if (false)", kNanBits);
    g.output("sound", sound);
    const Image bad = spoilt(g, "bad", desc, "if (p.xy == ivec2(698, 400))", kNanBits);
    g.output("result", copied(g, "spread", bad));
    EXPECT_EQ(told(std::move(g)), "node 'bad' is the first to write a number that is not finite: "
                                  "'bad_result' has a NaN at texel (698, 400), channel b");
}

TEST_F(WatchFiniteTest, TheLowestOfManyTexelsIsNamed) {
    const ImageDesc desc{.format = Format::rg32_sfloat, .extent = {700, 401}};
    Graph g = graph();
    g.output("result", spoilt(g, "bad", desc, "if (p.y >= 3 && p.x >= 5)",
                              ".rg = uintBitsToFloat(uvec2(0x7f800000u, 0x7fc00000u))"));
    EXPECT_EQ(
        told(std::move(g)),
        fmt::format("node 'bad' is the first to write a number that is not finite: "
                    "'bad_result' has an infinity at texel (5, 3), channel r, the first of {}",
                    695 * 398 * 2));
}

TEST_F(WatchFiniteTest, NothingIsToldOfFiniteNumbers) {
    const ImageDesc desc{.format = Format::r32_sfloat, .extent = {33, 17}};
    Graph g = graph();
    g.output("result",
             copied(g, "copy", spoilt(g, "sound", desc, "if (p.x == 3)", " = vec4(-3.4e38)")));
    EXPECT_EQ(told(std::move(g)), "");
}

TEST_F(WatchFiniteTest, VolumesHaveThreeCoordinates) {
    const ImageDesc desc{
        .format = Format::rgba32_sfloat, .extent = {5, 4, 3}, .shape = ImageShape::d3};
    Graph g = graph();
    g.output("result", spoilt(g, "bad", desc, "if (p == ivec3(4, 1, 2))", kInfinityBits));
    EXPECT_THAT(told(std::move(g)), HasSubstr("an infinity at texel (4, 1, 2), channel a"));
}

TEST_F(WatchFiniteTest, HalfPrecisionIsWatched) {
    // SwiftShader stores a NaN where others store an infinity.
    const ImageDesc desc{.format = Format::rgba16_sfloat, .extent = {9, 4}};
    Graph g = graph();
    g.output("result", spoilt(g, "bad", desc, "if (p.xy == ivec2(8, 3))", kInfinityBits));
    EXPECT_THAT(told(std::move(g)), HasSubstr(" at texel (8, 3), channel a"));
}

TEST_F(WatchFiniteTest, MipsAndLayersAreNamed) {
    const ImageDesc desc{.format = Format::rgba32_sfloat,
                         .extent = {16, 8},
                         .mips = 3,
                         .layers = 4,
                         .shape = ImageShape::d2_array};
    Graph g = graph();
    Image image = g.clear(g.image("levels", desc), std::array<float, 4>{1, 1, 1, 1}, "all");
    image = g.clear(ImageView(image).mip(1).layer(2), std::array<float, 4>{1, kNan, 1, 1}, "part");
    g.output("result", image);
    EXPECT_THAT(told(std::move(g)),
                AllOf(HasSubstr("node 'part'"),
                      HasSubstr("a NaN at texel (0, 0) of layer 2 of mip 1, channel g"),
                      HasSubstr("the first of 32")));
}

TEST_F(WatchFiniteTest, DepthIsWatched) {
    const ImageDesc desc{.format = Format::d32_sfloat, .extent = {4, 4}};
    Graph g = graph();
    g.output("result", g.clear(g.image("depth", desc), std::array<float, 4>{0.5f}, "far"));
    EXPECT_EQ(told(std::move(g)), "");
}

TEST_F(WatchFiniteTest, NumbersAndVectorsOfBuffersAreCounted) {
    Graph g = graph();
    g.output("result", filled(g, "bad", 4000, R"(
        writeonly buffer Target { float list[]; } target;
        void main() { for (int i = 0; i < 1000; ++i) target.list[i] = i < 999 ? float(i) : uintBitsToFloat(0x7f800001u); })"));
    EXPECT_THAT(told(std::move(g)), HasSubstr("'bad_result' has a NaN at element 999"));
    Graph h = graph();
    h.output("result", filled(h, "bad", 320, R"(
        writeonly buffer Target { vec4 list[]; } target;
        void main() { for (int i = 0; i < 20; ++i) target.list[i] = i < 19 ? vec4(i) : vec4(1, 2, uintBitsToFloat(0x7f800000u), 4); })"));
    EXPECT_THAT(told(std::move(h)), HasSubstr("an infinity at element 19, component 2"));
}

TEST_F(WatchFiniteTest, OfRecordsOnlyFloatsAreLookedAt) {
    const auto records = [](std::string_view spoil) {
        return fmt::format(R"(
            struct Grain {{ uint id; float mass; vec2 place; mat2 turn; }};
            writeonly buffer Target {{ Grain list[]; }} target;
            void main() {{
                for (int i = 0; i < 8; ++i) {{
                    Grain grain = Grain(0xffffffffu, 1, vec2(2), mat2(3));
                    if (i == 5) grain.{};
                    target.list[i] = grain;
                }}
            }})",
                           spoil);
    };
    Graph g = graph();
    g.output("result", filled(g, "grains", 8 * 32, records("id = 0x7fc00000u")));
    EXPECT_EQ(told(std::move(g)), "");
    Graph h = graph();
    h.output("result",
             filled(h, "grains", 8 * 32, records("turn[1].y = uintBitsToFloat(0x7fc00000u)")));
    EXPECT_THAT(told(std::move(h)), HasSubstr("a NaN at element 5, member 'turn', component 1"));
}

TEST_F(WatchFiniteTest, WholeNumbersAreNot) {
    Graph g = graph();
    g.output("result", g.fill(filled(g, "words", 64, R"(
        writeonly buffer Target { uint list[]; } target;
        void main() { target.list[3] = 0x7fc00000u; })"),
                              ~0u, "fill"));
    // Nobody says what a fill writes.
    EXPECT_THAT(told(std::move(g), "graph/watch-skipped"), HasSubstr("'words_result'"));
    Graph h = graph();
    h.output("result", filled(h, "words", 64, R"(
        writeonly buffer Target { uint list[]; } target;
        void main() { target.list[3] = 0x7fc00000u; })"));
    EXPECT_EQ(told(std::move(h)), "");
}

TEST_F(WatchFiniteTest, WhatTransfersWriteIsWhatKernelsReadItAs) {
    Graph g = graph();
    const Buffer data = g.upload(g.buffer("data", {.size = 24}),
                                 bytes_of(std::vector<float>{1, 2, 3, 4, kInfinity, 6}), "upload");
    auto node = kernel(g, "sum", R"(
        layout(local_size_x = 1) in;
        readonly buffer Source { vec2 list[]; } source;
        writeonly buffer Target { uint count; } target;
        void main() { target.count = source.list.length(); })");
    node.read("source", data);
    g.output("result", node.write("target", g.buffer("count", {.size = 4})));
    node.dispatch(1);
    EXPECT_THAT(told(std::move(g)), AllOf(HasSubstr("node 'upload'"),
                                          HasSubstr("an infinity at element 2, component 0")));
}

TEST_F(WatchFiniteTest, HeadsBeforeArraysAreSkippedAndNamedOnce) {
    const auto head = R"(
        buffer Target { uint count; float list[]; } target;
        void main() { target.list[0] = uintBitsToFloat(0x7fc00000u); })";
    Graph g = graph();
    Buffer buffer = g.fill(g.buffer("pool", {.size = 64}), 0, "clear");
    for (const char* name : {"one", "two"}) {
        auto node = kernel(g, name, fmt::format("layout(local_size_x = 1) in;\n{}", head));
        buffer = node.write("target", buffer);
        node.dispatch(1);
    }
    g.output("result", buffer);
    EXPECT_THAT(told(std::move(g), "graph/watch-skipped"), HasSubstr("one buffer is not watched"));
}

TEST_F(WatchFiniteTest, ConstantsAreWatched) {
    const ImageDesc desc{.format = Format::r32_sfloat, .extent = {3, 2}};
    Graph g = graph();
    const Image texture =
        g.constant_image("texture", desc, bytes_of(std::vector<float>{1, 2, 3, 4, kNan, 6}));
    g.output("result", copied(g, "copy", texture));
    EXPECT_EQ(told(std::move(g)), "a constant has a number that is not finite: 'texture' has a NaN "
                                  "at texel (1, 1), channel r");
}

TEST_F(WatchFiniteTest, CulledNodesAreNotWatched) {
    const ImageDesc desc{.format = Format::r32_sfloat, .extent = {8, 8}};
    Graph g = graph();
    (void)spoilt(g, "unused", desc, "if (true)", " = vec4(uintBitsToFloat(0x7fc00000u))");
    g.output("result", spoilt(g, "sound", desc, "if (false)", kNanBits));
    EXPECT_EQ(told(std::move(g)), "");
}

TEST_F(WatchFiniteTest, WhatNoKernelWritesIsFinite) {
    // The second buffer takes the bytes of the first, which were NaN bits of whole numbers.
    Graph g = graph();
    const Buffer words = filled(g, "words", 4096, R"(
        writeonly buffer Target { uint list[]; } target;
        void main() { for (int i = 0; i < 1024; ++i) target.list[i] = 0x7fc00000u; })");
    g.output("first", g.copy(BufferView(words, 0, 4), g.buffer("word", {.size = 4}), "keep"));
    auto node = kernel(g, "few", R"(
        layout(local_size_x = 1) in;
        readonly buffer Source { uint list[]; } source;
        writeonly buffer Target { float list[]; } target;
        void main() { target.list[0] = source.list[0] != 0 ? 1.0 : 2.0; })");
    node.read("source", g.copy(BufferView(words, 4, 4), g.buffer("other", {.size = 4}), "other"));
    const Buffer few = node.write("target", g.buffer("few", {.size = 4096}));
    node.dispatch(1);
    g.output("few", g.copy(BufferView(few, 0, 4), g.buffer("result", {.size = 4}), "result"));
    EXPECT_EQ(told(std::move(g)), "");
}

TEST_F(WatchFiniteTest, IterationsOfLoopsAreNamed) {
    constexpr std::string_view kCountdown = R"(
        layout(local_size_x = 1) in;
        readonly buffer Source { float list[]; } source;
        writeonly buffer Target { float list[]; } target;
        void main() { float x = source.list[0]; target.list[0] = x == 0.0 ? 1.0 / x : x - 1.0; })";
    const auto step = [&](Graph& g, std::string_view name, std::string_view glsl, Buffer x) {
        auto node = kernel(g, name, glsl);
        node.read("source", x);
        const Buffer next = node.write("target", g.buffer("next", {.size = 4}));
        node.dispatch(1);
        return next;
    };
    Graph g = graph();
    Buffer start = g.fill(g.buffer("start", {.size = 4}), std::bit_cast<std::uint32_t>(3.0f));
    g.output("result", g.repeat("relax", 8, start, [&](Buffer x, std::uint32_t) {
        return step(g, "step", kCountdown, x);
    }));
    EXPECT_THAT(told(std::move(g)),
                AllOf(HasSubstr("node 'relax[3]/step'"), HasSubstr("an infinity at element 0")));

    Graph h = graph();
    start = h.fill(h.buffer("start", {.size = 4}), std::bit_cast<std::uint32_t>(3.0f));
    const auto loop = h.repeat_until("relax", 8, start, [&](Buffer x, std::uint32_t) {
        const Buffer next = step(h, "step", kCountdown, x);
        auto test = kernel(h, "test", R"(
            layout(local_size_x = 1) in;
            readonly buffer Source { float list[]; } source;
            writeonly buffer Target { uint done; } target;
            void main() { target.done = source.list[0] == 0.0 ? 1 : 0; })");
        test.read("source", next);
        const Buffer done = test.write("target", h.buffer("done", {.size = 4}));
        test.dispatch(1);
        return Step{next, done};
    });
    h.output("result", loop.state);
    // The loop ends before the division.
    EXPECT_EQ(told(std::move(h)), "");
}

TEST_F(WatchFiniteTest, EachFrameIsToldOfItself) {
    const auto frame = [&](float divisor) {
        Graph g = graph();
        auto node = kernel(g, "divide", R"(
            layout(local_size_x = 1) in;
            writeonly buffer Target { float list[]; } target;
            uniform Params { float divisor; } params;
            void main() { target.list[0] = 1.0 / params.divisor; })");
        node.set("divisor", divisor);
        const Buffer result = node.write("target", g.buffer("quotient", {.size = 4}));
        node.dispatch(1);
        g.output("result", result);
        return std::move(g).finish();
    };
    for (const ConstantWork constant : {ConstantWork::each, ConstantWork::once}) {
        GraphRunner runner(device(), {.compile = {.constant = constant}, .watch_finite = true});
        for (const float divisor : {2.0f, 0.0f, 0.0f, 4.0f}) {
            ASSERT_TRUE(runner.take(frame(divisor), shaders()));
            ASSERT_TRUE(runner.executor()->execute());
            const auto told = runner.executor()->warnings();
            ASSERT_TRUE(told) << to_string(told.error());
            EXPECT_EQ(told->size(), divisor == 0.0f ? 1u : 0u) << to_string(*told);
        }
        // Once more where parameters turn out to change.
        EXPECT_LE(runner.compilations(), constant == ConstantWork::once ? 2u : 1u);
    }
}

TEST_F(WatchFiniteTest, BuffersBeyondABindingAreLookedAtInPieces) {
    DeviceCaps caps = device().caps();
    caps.max_storage_buffer_bytes = 1024;
    Graph g = graph();
    std::vector<float> numbers(3 * 700, 1.0f);
    numbers[2000] = kNan;
    const Buffer data = g.upload(g.buffer("data", {.size = 4 * numbers.size()}), bytes_of(numbers));
    g.output("result", data, Access::copy_read, BufferElements(ElementType::f32, 3));
    auto plan = compile(watch_finite(std::move(g).finish(), caps, shaders()), device().caps());
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_GT(plan->graph.nodes.size(), 10u);
    Running running = start(std::make_shared<const Plan>(std::move(*plan)));
    running.execute();
    const auto told = running->warnings();
    ASSERT_TRUE(told);
    ASSERT_EQ(told->size(), 1u);
    EXPECT_THAT(told->front().message, HasSubstr("a NaN at element 666, component 2"));
}

TEST_F(WatchFiniteTest, HalvesAndDoublesAreKnown) {
    Graph g = graph();
    Buffer data =
        g.upload(g.buffer("halves", {.size = 12}),
                 bytes_of(std::vector<std::uint16_t>{0x3c00, 0x7bff, 0xfbff, 0xfc00, 0x7c01, 0}));
    g.output("halves", data, Access::copy_read, BufferElements(ElementType::f16));
    EXPECT_THAT(told(std::move(g)), HasSubstr("an infinity at element 3, the first of 2"));
    Graph h = graph();
    data = h.upload(
        h.buffer("doubles", {.size = 24}),
        bytes_of(std::vector<double>{1e300, -1, std::numeric_limits<double>::quiet_NaN()}));
    h.output("doubles", data, Access::copy_read, BufferElements(ElementType::f64));
    EXPECT_THAT(told(std::move(h)), HasSubstr("a NaN at element 2"));
}

} // namespace
} // namespace tuff
