#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <numeric>

namespace tuff {
namespace {

using test::doubled;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing_gpu::bytes_of;
using testing_gpu::Running;

using Words = std::vector<std::uint32_t>;

class ExecutorTest : public testing_gpu::GpuTest {
  protected:
    static constexpr std::uint32_t kCount = 1000;
    static constexpr BufferDesc kWords{.size = kCount * 4, .stride = 4};

    /// A buffer of base, base + 1, ...
    Buffer iota(Graph& g, std::string_view name, std::uint32_t base) {
        return test::iota(g, name, kWords, base);
    }
    Buffer sum(Graph& g, Buffer a, Buffer b) { return test::sum(g, a, b, g.buffer("sum", kWords)); }
    Image coordinates(Graph& g, ImageView target) {
        auto node = g.compute("test/coordinates");
        const Image result = node.write("target", target);
        node.dispatch_over(g.extent(target.image));
        return result;
    }

    /// The words from `base` on, each times `factor`.
    static Words counted(std::uint32_t base, std::uint32_t factor = 1) {
        Words words(kCount);
        for (std::uint32_t i = 0; i < kCount; ++i)
            words[i] = (base + i) * factor;
        return words;
    }
    static constexpr ImageDesc square(std::uint32_t side, std::uint32_t mips = 1) {
        return {.format = Format::rgba32_sfloat, .extent = {side, side, 1}, .mips = mips};
    }
};

//   iota(5) --> double (in place) --.
//                                    add --> sum
//   iota(7) ------------------------'
TEST_F(ExecutorTest, RunsComputeChainsWithUpdatesInPlace) {
    Graph g = graph();
    g.output("sum", sum(g, doubled(g, iota(g, "left", 5)), iota(g, "right", 7)));
    Running running = run(std::move(g));
    Words expected(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i)
        expected[i] = (5 + i) * 2 + 7 + i;
    EXPECT_THAT(running.buffer<std::uint32_t>("sum"), ElementsAreArray(expected));
}

TEST_F(ExecutorTest, TakesGroupCountsFromABuffer) {
    Graph g = graph();
    auto counts = g.compute("test/group_counts");
    const Buffer arguments = counts.write("target", g.buffer("arguments", {.size = 12}));
    counts.set("groups", 5u);
    counts.dispatch(1);
    auto mark = g.compute("test/mark");
    const Buffer empty = g.fill(g.buffer("marks", {.size = 8 * 4}), 0);
    const Buffer marks = mark.write("target", empty);
    mark.dispatch_indirect(arguments);
    g.output("marks", marks);
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<std::uint32_t>("marks"), ElementsAre(1, 1, 1, 1, 1, 0, 0, 0));
}

TEST_F(ExecutorTest, BuildsAMipChainLevelByLevel) {
    Graph g = graph();
    Image chain = coordinates(g, mip(g.image("chain", square(8, 4)), 0));
    for (std::uint32_t level = 1; level < 4; ++level) {
        auto node = g.compute("test/halve");
        node.read("source", mip(chain, level - 1), Sampler::nearest());
        chain = node.write("target", mip(chain, level));
        node.dispatch_over(mip_extent({8, 8, 1}, level));
    }
    g.output("chain", chain);
    Running running = run(std::move(g));
    EXPECT_THAT(running.image("chain", 1).texel(3, 0), ElementsAre(6.5f, 0.5f, 0.0f, 1.0f));
    EXPECT_THAT(running.image("chain", 3).texel(0, 0), ElementsAre(3.5f, 3.5f, 0.0f, 1.0f));
}

TEST_F(ExecutorTest, MovesTexelsByUploadCopyBlitAndClear) {
    Graph g = graph();
    Words texels(16);
    std::iota(texels.begin(), texels.end(), 0x01020300u);
    const ImageDesc small{.format = Format::rgba8_unorm, .extent = {4, 4, 1}};
    const Buffer uploaded = g.upload(g.buffer("bytes", {.size = 64}), bytes_of(texels));
    const Image image = g.copy_to_image(uploaded, g.image("image", small));
    const Image copy = g.copy(image, g.image("copy", small));
    Image large = g.clear(g.image("large", {.format = Format::rgba8_unorm, .extent = {16, 8, 1}}),
                          std::array<float, 4>{0.0f, 1.0f, 0.0f, 1.0f});
    large = g.blit(copy, large, Filter::nearest, Graph::Box{{0, 0, 0}, {8, 8, 1}});
    g.output("back", g.copy_to_buffer(copy, g.buffer("back", {.size = 64})));
    g.output("large", large);
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<std::uint32_t>("back"), ElementsAreArray(texels));
    const HostImage result = running.image("large");
    ASSERT_FALSE(result.empty());
    EXPECT_EQ(result.texel(6, 4)[0], static_cast<float>(texels[11] & 0xffu) / 255.0f);
    EXPECT_THAT(result.texel(12, 4), ElementsAre(0.0f, 1.0f, 0.0f, 1.0f));
}

TEST_F(ExecutorTest, CopiesABufferRangeIntoAnother) {
    Graph g = graph();
    const Buffer filled = g.fill(g.buffer("target", {.size = 16}), 9);
    const Buffer source = g.constant_buffer("source", {.size = 16}, bytes_of(Words{1, 2, 3, 4}));
    g.output("target", g.copy(BufferView(source, 4, 8), BufferView(filled, 8, 8)));
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<std::uint32_t>("target"), ElementsAre(9, 9, 2, 3));
}

/// Two triangles that cover the whole target: the first at depth 0.25, the second behind it.
class ExecutorRasterTest : public ExecutorTest {
  protected:
    static constexpr Extent kArea{16, 16, 1};

    static std::vector<float> positions() {
        const auto triangle = [](float z) {
            return std::vector<float>{-1, -1, z, 1, 3, -1, z, 1, -1, 3, z, 1};
        };
        std::vector<float> all = triangle(0.25f);
        const std::vector<float> behind = triangle(0.75f);
        all.insert(all.end(), behind.begin(), behind.end());
        return all;
    }
    Buffer color(Graph& g, std::string_view name, std::vector<float> rgba) {
        return g.constant_buffer(name, {.size = 16}, bytes_of(rgba));
    }
    Buffer vertices(Graph& g) {
        return g.constant_buffer("positions", {.size = 6 * 16, .stride = 16},
                                 bytes_of(positions()));
    }
};

TEST_F(ExecutorRasterTest, TestsDepthAndResolvesSamples) {
    Graph g = graph();
    const ImageDesc color_desc{.format = Format::rgba8_unorm, .extent = kArea, .samples = 4};
    const ImageDesc depth_desc{.format = Format::d32_sfloat, .extent = kArea, .samples = 4};
    auto node = g.raster("test/triangle");
    node.read("vertices", vertices(g));
    const Image samples = node.color(g.image("samples", color_desc), cleared(0, 0, 1, 1));
    const Image resolved =
        node.resolve(g.image("resolved", {.format = Format::rgba8_unorm, .extent = kArea}));
    const Image depth = node.depth(g.image("depth", depth_desc), cleared(1));
    node.begin_group();
    node.read("paint", color(g, "green", {0, 1, 0, 1}));
    node.draw({.count = 3});
    node.begin_group();
    node.read("paint", color(g, "red", {1, 0, 0, 1}));
    node.draw({.count = 3, .first = 3});
    g.output("resolved", resolved);
    Running running = run(std::move(g));
    EXPECT_TRUE(samples && depth);
    const HostImage result = running.image("resolved");
    ASSERT_FALSE(result.empty());
    EXPECT_THAT(result.texel(0, 0), ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(result.texel(15, 15), ElementsAre(0, 1, 0, 1));
}

TEST_F(ExecutorRasterTest, DrawsIndexedWithABindGroupEach) {
    Graph g = graph();
    auto node = g.raster("test/triangle");
    node.read("vertices", vertices(g));
    node.state().depth_test = false;
    node.index_buffer(g.constant_buffer("indices", {.size = 12}, bytes_of(Words{3, 4, 5})),
                      IndexType::uint32);
    const Image target = node.color(
        g.image("target", {.format = Format::rgba8_unorm, .extent = kArea}), cleared(0, 0, 1, 1));
    node.begin_group();
    node.read("paint", color(g, "green", {0, 1, 0, 1}));
    node.draw({.count = 3});
    node.begin_group();
    node.read("paint", color(g, "red", {1, 0, 0, 1}));
    // The second draw is culled: its own mode leaves out what faces either way in turn.
    node.draw({.count = 3, .cull = CullMode::front, .own_cull = true});
    node.draw({.count = 3, .cull = CullMode::back, .own_cull = true});
    g.output("target", target);
    Running running = run(std::move(g));
    const HostImage result = running.image("target");
    ASSERT_FALSE(result.empty());
    // One of the two culls the triangle, the other draws it, whichever way it winds.
    EXPECT_THAT(result.texel(4, 4), ElementsAre(1, 0, 0, 1));
}

TEST_F(ExecutorRasterTest, DrawsWithinTheScissorAloneAndClearsTheRest) {
    Graph g = graph();
    const Scissor seen{.x = 3, .y = 9, .width = 8, .height = 5};
    auto node = g.raster("test/triangle");
    node.read("vertices", vertices(g));
    node.read("paint", color(g, "green", {0, 1, 0, 1}));
    node.scissor(seen);
    const Image target = node.color(
        g.image("target", {.format = Format::rgba8_unorm, .extent = kArea}), cleared(0, 0, 1, 1));
    node.draw({.count = 3});
    g.output("target", target);
    Running running = run(std::move(g));
    const HostImage result = running.image("target");
    ASSERT_FALSE(result.empty());
    for (std::uint32_t y = 0; y < kArea.height; ++y)
        for (std::uint32_t x = 0; x < kArea.width; ++x) {
            const bool inside =
                x >= seen.x && x < seen.x + seen.width && y >= seen.y && y < seen.y + seen.height;
            ASSERT_THAT(result.texel(x, y),
                        inside ? ElementsAre(0, 1, 0, 1) : ElementsAre(0, 0, 1, 1))
                << x << ", " << y;
        }
}

TEST_F(ExecutorRasterTest, DrawsByArgumentsFromABuffer) {
    Graph g = graph();
    auto node = g.raster("test/triangle");
    node.read("vertices", vertices(g));
    node.read("paint", color(g, "green", {0, 1, 0, 1}));
    const Image target = node.color(
        g.image("target", {.format = Format::rgba8_unorm, .extent = kArea}), cleared(0, 0, 1, 1));
    node.draw_indirect(g.constant_buffer("arguments", {.size = 16}, bytes_of(Words{3, 1, 0, 0})), 0,
                       1);
    g.output("target", target);
    Running running = run(std::move(g));
    const HostImage result = running.image("target");
    ASSERT_FALSE(result.empty());
    EXPECT_THAT(result.texel(8, 8), ElementsAre(0, 1, 0, 1));
}

TEST_F(ExecutorTest, HistoryCarriesTheLastExecutionOver) {
    Graph g = graph();
    const ImageHistory history =
        g.history_image("state", square(8), 1, std::array<float, 4>{10.0f, 0.0f, 0.0f, 0.0f});
    auto node = g.compute("test/increment_image");
    node.read("source", history.previous[0], Sampler::nearest());
    const Image next = node.write("target", history.current);
    node.dispatch_over({8, 8, 1});
    g.output("state", g.copy(next, g.image("copy", square(8))));
    Running running = start(std::move(g));
    for (int execution = 1; execution <= 5; ++execution) {
        running.execute();
        const HostImage state = running.image("state");
        ASSERT_FALSE(state.empty());
        EXPECT_EQ(state.texel(7, 7)[0], 10.0f + static_cast<float>(execution));
        EXPECT_EQ(state.texel(0, 0)[1], 2.0f * static_cast<float>(execution));
    }
    ASSERT_TRUE(running->reset_history());
    running.execute(2);
    EXPECT_EQ(running.image("state").texel(0, 0)[0], 12.0f);
}

TEST_F(ExecutorTest, HistoryReachesSeveralExecutionsBack) {
    // f(n) = f(n-1) + f(n-2), from 1 and 1.
    Graph g = graph();
    const BufferHistory history = g.history_buffer("fibonacci", kWords, 2, 1);
    const Buffer next = test::sum(g, history.previous[0], history.previous[1], history.current);
    g.output("fibonacci", g.copy(next, g.buffer("copy", kWords)));
    Running running = run(std::move(g), 7);
    EXPECT_THAT(running.buffer<std::uint32_t>("fibonacci"), Each(34u));
}

TEST_F(ExecutorTest, UploadsConstantsOfEveryMipAndLayerOnce) {
    std::vector<float> texels;
    for (std::uint32_t mip_level = 0; mip_level < 3; ++mip_level)
        for (std::uint32_t layer = 0; layer < 2; ++layer)
            for (std::uint32_t i = 0; i < (16u >> (2 * mip_level)); ++i)
                texels.push_back(static_cast<float>(mip_level * 100 + layer * 10) +
                                 static_cast<float>(i) / 16.0f);
    const ImageDesc desc{.format = Format::r32_sfloat,
                         .extent = {4, 4, 1},
                         .mips = 3,
                         .layers = 2,
                         .shape = ImageShape::d2_array};
    const auto contents = bytes_of(texels);
    const auto build = [&] {
        Graph g = graph();
        const Image constant = g.constant_image("table", desc, contents);
        g.output("back", g.copy(constant, g.image("back", desc)));
        return g;
    };
    Running first = run(build());
    Running second = run(build());
    for (Running* running : {&first, &second}) {
        EXPECT_EQ(running->image("back", 0, 1).texel(3, 3)[0], 10.0f + 15.0f / 16.0f);
        EXPECT_EQ(running->image("back", 1, 0).texel(1, 1)[0], 100.0f + 3.0f / 16.0f);
        EXPECT_EQ(running->image("back", 2, 1).texel(0, 0)[0], 210.0f);
    }
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->memory().constant, second->memory().constant);
}

TEST_F(ExecutorTest, NewParametersNeedNoNewRecording) {
    const auto build = [&](std::uint32_t base) {
        Graph g = graph();
        g.output("values", iota(g, "values", base));
        return g;
    };
    Running running = run(build(3), 4);
    ASSERT_TRUE(running);
    const std::uint64_t recordings = running->recordings();
    EXPECT_EQ(recordings, 2u); // one for each frame in flight
    for (std::uint32_t base = 20; base < 26; ++base) {
        const GraphDesc changed = build(base).finish();
        ASSERT_TRUE(same_structure(running->plan().graph, changed));
        ASSERT_TRUE(running->set_parameters(changed.parameters));
        running.execute();
        EXPECT_THAT(running.buffer<std::uint32_t>("values"), ElementsAreArray(counted(base)));
    }
    EXPECT_EQ(running->recordings(), recordings);
}

TEST_F(ExecutorTest, NewPushConstantsAreRecordedOnce) {
    const auto build = [&](std::uint32_t factor) {
        Graph g = graph();
        auto node = g.compute("test/scale_push");
        node.read("source", iota(g, "values", 0));
        const Buffer result = node.write("target", g.buffer("result", kWords));
        node.set("factor", factor);
        node.specialize("kOffset", 0u);
        node.dispatch_over({kCount});
        g.output("result", result);
        return g;
    };
    Running running = run(build(3), 4);
    ASSERT_TRUE(running);
    EXPECT_THAT(running.buffer<std::uint32_t>("result"), ElementsAreArray(counted(0, 3)));
    const std::uint64_t recordings = running->recordings();
    ASSERT_TRUE(running->set_parameters(build(11).finish().parameters));
    running.execute(6);
    EXPECT_THAT(running.buffer<std::uint32_t>("result"), ElementsAreArray(counted(0, 11)));
    EXPECT_EQ(running->recordings(), recordings + 2);
}

TEST_F(ExecutorTest, ManyExecutionsInFlightKeepTheirResults) {
    for (const std::uint32_t frames : {2u, 3u}) {
        Graph g = graph();
        const BufferHistory history = g.history_buffer("total", kWords, 1, 0);
        const Buffer next = test::sum(g, history.previous[0], iota(g, "step", 1), history.current);
        g.output("total", g.copy(next, g.buffer("copy", kWords)));
        Running running = run(std::move(g), 100, {.frames_in_flight = frames});
        EXPECT_THAT(running.buffer<std::uint32_t>("total"), ElementsAreArray(counted(1, 100)));
        ASSERT_TRUE(running);
        // Two phases of history: with two slots each slot sees one of them only.
        EXPECT_EQ(running->recordings(), frames == 2 ? 2u : 6u);
    }
}

TEST_F(ExecutorTest, MeasuresEveryNode) {
    Graph g = graph();
    g.output("sum", sum(g, doubled(g, iota(g, "left", 5)), iota(g, "right", 7)));
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    ASSERT_TRUE(running->wait());
    const ExecutionTimings timings = running->timings();
    EXPECT_EQ(timings.execution, 1u);
    ASSERT_EQ(timings.nodes.size(), 4u);
    double total = 0.0;
    for (const NodeTiming& node : timings.nodes)
        total += node.milliseconds;
    EXPECT_LE(total, timings.milliseconds * 1.01 + 0.01);
    if (device().caps().timestamp_period_ns > 0.0) {
        EXPECT_GT(timings.milliseconds, 0.0);
    }
}

TEST_F(ExecutorTest, NamesImageFormatAndUsageThatTheDeviceLacks) {
    Graph g = graph();
    auto node = g.custom("writer");
    const Image depth = node.write(
        g.image("odd", {.format = Format::d32_sfloat, .extent = {4, 4, 1}}), Access::color_write);
    g.output("odd", depth);
    const auto plan = compile_graph(std::move(g));
    ASSERT_TRUE(plan);
    const auto executor = Executor::create(device(), shaders(), plan);
    ASSERT_FALSE(executor);
    EXPECT_EQ(executor.error().front().code, "gpu/unsupported-format");
    EXPECT_THAT(
        executor.error().front().message,
        testing::AllOf(HasSubstr("odd"), HasSubstr("d32_sfloat"), HasSubstr("colour attachment")));
}

TEST_F(ExecutorTest, RefusesAPlanWhoseMemoryIsTooSmall) {
    Graph g = graph();
    g.output("values", iota(g, "values", 0));
    const auto plan = compile_graph(std::move(g));
    ASSERT_TRUE(plan);
    auto small = std::make_shared<Plan>(*plan);
    for (Allocation& allocation : small->allocations)
        allocation.size = std::min<std::uint64_t>(allocation.size, 16);
    const auto executor = Executor::create(device(), shaders(), small);
    ASSERT_FALSE(executor);
    EXPECT_EQ(executor.error().front().code, "gpu/plan-memory");
}

TEST_F(ExecutorTest, TellsWrongOutputsApart) {
    Graph g = graph();
    g.output("values", iota(g, "values", 0));
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    EXPECT_EQ(running->read_buffer("values").error().front().code, "gpu/not-executed");
    running.execute();
    EXPECT_EQ(running->read_buffer("value").error().front().code, "gpu/unknown-output");
    EXPECT_THAT(running->read_buffer("value").error().front().hint, HasSubstr("values"));
    EXPECT_EQ(running->read_image("values").error().front().code, "gpu/output-kind");
    EXPECT_EQ(running->set_parameters({}).error().front().code, "gpu/parameter-size");
}

} // namespace
} // namespace tuff
