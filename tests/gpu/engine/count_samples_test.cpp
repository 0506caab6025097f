// Samples that draws have passed: occlusion queries, whose results are words of the graph.

#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <cstdint>
#include <vector>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing_gpu::bytes_of;
using testing_gpu::Running;

using Words = std::vector<std::uint32_t>;

constexpr Extent kArea{23, 17, 1};
constexpr std::uint32_t kTexels = 23 * 17;
constexpr BufferDesc kCountWord{.size = 4, .stride = 4};

class CountSamples : public testing_gpu::GpuTest {
  protected:
    /// Triangles over the whole area, at depths 0.25 and 0.75.
    static Buffer vertices(Graph& g) {
        std::vector<float> all;
        for (const float z : {0.25f, 0.75f})
            for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {3.0f, -1.0f}, {-1.0f, 3.0f}})
                all.insert(all.end(), {x, y, z, 1.0f});
        return g.constant_buffer("positions", {.size = 6 * 16, .stride = 16}, bytes_of(all));
    }
    static Buffer paint(Graph& g) {
        return g.constant_buffer("paint", {.size = 16}, bytes_of(std::vector<float>{0, 1, 0, 1}));
    }
    static RasterNodeBuilder triangles(Graph& g, std::string_view name) {
        auto node = g.raster("test/triangle", name);
        node.read("vertices", vertices(g));
        node.read("paint", paint(g));
        return node;
    }
    static Image target(Graph& g, RasterNodeBuilder& node, std::uint32_t samples = 1) {
        return node.color(
            g.image("target", {.format = Format::rgba8_unorm, .extent = kArea, .samples = samples}),
            cleared(0, 0, 0, 0));
    }
    /// Whatever the device counts: exactly, or whether there were any.
    void expect_count(std::uint32_t got, std::uint32_t expected, const std::string& what) {
        if (device().caps().exact_sample_counts)
            EXPECT_EQ(got, expected) << what;
        else
            EXPECT_EQ(got != 0, expected != 0) << what;
    }
};

TEST_F(CountSamples, AreThoseThatPassedDepthAndScissorOfAllDraws) {
    struct Case {
        std::string name;
        std::vector<Draw> draws;
        std::uint32_t expected;
        std::optional<Scissor> scissor;
        std::uint32_t samples = 1;
    };
    const Draw front{.count = 3};
    const Draw behind{.count = 3, .first = 3};
    const std::vector<Case> cases{
        {"one", {front}, kTexels},
        {"hidden", {front, behind}, kTexels},
        {"seen both", {behind, front}, 2 * kTexels},
        {"no vertices", {{.count = 0}}, 0},
        {"no draw", {}, 0},
        {"scissor", {front, behind}, 5 * 4, Scissor{.x = 2, .y = 3, .width = 5, .height = 4}},
        {"samples", {front}, 4 * kTexels, std::nullopt, 4}};
    Graph g = graph();
    for (const Case& one : cases) {
        auto node = triangles(g, one.name);
        (void)target(g, node, one.samples);
        (void)node.depth(
            g.image("depth",
                    {.format = Format::d32_sfloat, .extent = kArea, .samples = one.samples}),
            cleared(1));
        if (one.scissor) node.scissor(*one.scissor);
        for (const Draw& draw : one.draws)
            node.draw(draw);
        g.output(one.name, node.count_samples(g.buffer("count", kCountWord)));
    }
    Running running = run(std::move(g), 3); // also while another execution is in flight
    for (const Case& one : cases) {
        const auto words = running.buffer<std::uint32_t>(one.name);
        ASSERT_EQ(words.size(), 1u) << one.name;
        expect_count(words[0], one.expected, one.name);
    }
}

// The word is one of a buffer of others, which stay; a kernel reads it, and the next execution
// counts again.
TEST_F(CountSamples, AreAWordOfAGraph) {
    Graph g = graph();
    const Buffer words = test::iota(g, "words", {.size = 64 * 4, .stride = 4}, 100);
    auto node = triangles(g, "draw");
    node.area(kArea);
    node.draw({.count = 3});
    const Buffer counted = node.count_samples(BufferView(words, 4 * 7, 4));
    g.output("doubled", test::doubled(g, counted));
    Running running = start(std::move(g));
    for (int execution = 0; execution < 2; ++execution) {
        running.execute();
        const auto got = running.buffer<std::uint32_t>("doubled");
        ASSERT_EQ(got.size(), 64u);
        for (std::uint32_t i = 0; i < 64; ++i)
            if (i == 7)
                expect_count(got[i], 2 * kTexels, "word");
            else
                EXPECT_EQ(got[i], 2 * (100 + i)) << i;
    }
}

// Draws that end a loop: each draws half of what the one before has passed, by arguments that a
// kernel makes of the count.
TEST_F(CountSamples, AreThereBeforeADrawThatTheyStart) {
    Graph g = graph();
    auto first = triangles(g, "first");
    (void)target(g, first);
    first.draw({.count = 3});
    const Buffer count = first.count_samples(g.buffer("count", kCountWord));
    // Three vertices, and as many instances as samples: a copy between queries and draws.
    Buffer arguments = g.fill(g.buffer("arguments", {.size = 16, .stride = 4}), 0, "zero");
    arguments = g.copy(BufferView(g.fill(g.buffer("three", kCountWord), 3, "three")),
                       BufferView(arguments, 0, 4));
    arguments = g.copy(BufferView(count), BufferView(arguments, 4, 4));
    auto second = triangles(g, "second");
    second.state().depth_test = false;
    (void)target(g, second);
    second.draw_indirect(arguments, 0, 1);
    g.output("count", second.count_samples(g.buffer("count", kCountWord)));
    const auto got = run(std::move(g), 2).buffer<std::uint32_t>("count");
    ASSERT_EQ(got.size(), 1u);
    expect_count(got[0], kTexels * kTexels, "instances");
}

} // namespace
} // namespace tuff
