#include "tests/gpu/gpu_fixture.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Arrays of textures in one binding, as long as a node makes them.
namespace tuff {
namespace {

using testing_gpu::bytes_of;

class TextureArray : public testing_gpu::GpuTest {
  protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (!device().caps().texture_arrays)
            GTEST_SKIP() << "the device does not choose among textures by number";
    }
    /// An image that holds `value`, which a node of the graph has written.
    static Image drawn(Graph& g, float value) {
        const Image image = g.image("texture", {.format = Format::r32_sfloat, .extent = {1, 1, 1}});
        return g.clear(image, ClearValue{std::array{value, 0.0f, 0.0f, 0.0f}});
    }
    /// What invocations find that look at `chosen` of the array.
    static Buffer look(Graph& g, const std::vector<SampledImage>& textures,
                       const std::vector<std::uint32_t>& chosen) {
        auto node = g.compute("test/texture_array");
        node.read("chosen", g.constant_buffer("chosen", {.size = 4 * chosen.size(), .stride = 4},
                                              bytes_of(chosen)));
        node.read_array("textures", textures);
        node.dispatch_each(static_cast<std::uint32_t>(chosen.size()));
        return node.write("result", g.buffer("result", {.size = 4 * chosen.size(), .stride = 4}));
    }
};

TEST_F(TextureArray, EachInvocationFindsItsOwn) {
    for (const std::uint32_t count : {1u, 2u, 13u, 40u}) {
        Graph g = graph();
        std::vector<SampledImage> textures;
        for (std::uint32_t i = 0; i < count; ++i)
            textures.push_back(
                {.view = drawn(g, 10.0f + static_cast<float>(i)), .sampler = Sampler::nearest()});
        std::vector<std::uint32_t> chosen;
        std::vector<float> expected;
        for (std::uint32_t i = 0; i < 200; ++i) {
            chosen.push_back(i * 7 % (count + 1));
            expected.push_back(chosen.back() < count ? 10.0f + static_cast<float>(chosen.back())
                                                     : static_cast<float>(count));
        }
        g.output("result", look(g, textures, chosen));
        EXPECT_EQ(run(std::move(g), 2).buffer<float>("result"), expected) << count;
    }
}

// In one graph, and so with layouts and pipelines of their own.
TEST_F(TextureArray, NodesDifferInTheirLengths) {
    Graph g = graph();
    std::vector<SampledImage> textures;
    for (int i = 0; i < 6; ++i) {
        textures.push_back(
            {.view = drawn(g, static_cast<float>(i)), .sampler = Sampler::nearest()});
        g.output("result" + std::to_string(i), look(g, textures, {0u, 5u, 7u}));
    }
    testing_gpu::Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (int i = 0; i < 6; ++i)
        EXPECT_EQ(running.buffer<float>("result" + std::to_string(i)),
                  (std::vector<float>{0.0f, i < 5 ? static_cast<float>(i + 1) : 5.0f,
                                      static_cast<float>(i + 1)}));
}

TEST_F(TextureArray, ElementsMayBeLeftOut) {
    Graph g = graph();
    std::vector<SampledImage> textures(5);
    textures[3] = {.view = drawn(g, 8.0f), .sampler = Sampler::nearest()};
    g.output("result", look(g, textures, {3u, 9u, 3u}));
    EXPECT_EQ(run(std::move(g)).buffer<float>("result"), (std::vector{8.0f, 5.0f, 8.0f}));
}

// What has written an element comes before whoever may look at it, and what overwrites it after.
TEST_F(TextureArray, EveryElementIsARead) {
    Graph g = graph();
    std::vector<SampledImage> textures;
    Image image;
    for (int i = 0; i < 4; ++i) {
        image = drawn(g, static_cast<float>(i + 1));
        textures.push_back({.view = image, .sampler = Sampler::nearest()});
    }
    const Buffer before = look(g, textures, {0u, 1u, 2u, 3u});
    const Image over = g.clear(image, ClearValue{std::array{50.0f, 0.0f, 0.0f, 0.0f}});
    textures.back().view = over;
    g.output("before", before);
    g.output("after", look(g, textures, {0u, 1u, 2u, 3u}));
    testing_gpu::Running running = run(std::move(g), 3);
    ASSERT_TRUE(running);
    EXPECT_EQ(running.buffer<float>("before"), (std::vector{1.0f, 2.0f, 3.0f, 4.0f}));
    EXPECT_EQ(running.buffer<float>("after"), (std::vector{1.0f, 2.0f, 3.0f, 50.0f}));
}

TEST_F(TextureArray, MoreThanTheDeviceTakesAreRefused) {
    Graph g = graph();
    const std::uint32_t most = device().caps().max_stage_textures;
    if (most >= kMaxPartsInNode) GTEST_SKIP() << "no graph has as many";
    const std::vector<SampledImage> textures(
        most + 1, {.view = drawn(g, 1.0f), .sampler = Sampler::nearest()});
    g.output("result", look(g, textures, {0u}));
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "graph/too-many-bindings");
}

} // namespace
} // namespace tuff
