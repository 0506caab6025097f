#include "tests/gpu/gpu_fixture.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// Cubes and volumes: written level by level as arrays or volumes, sampled as what they are.
namespace tuff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_gpu::bytes_of;
using testing_gpu::Running;

using Vec4 = std::array<float, 4>;

class ExecutorCubeTest : public testing_gpu::GpuTest {
  protected:
    static constexpr ImageDesc cube_desc(std::uint32_t side, std::uint32_t mips = 1) {
        return {.format = Format::rgba32_sfloat,
                .extent = {side, side, 1},
                .mips = mips,
                .layers = 6,
                .shape = ImageShape::cube};
    }
    /// A cube whose texels are (face, x, y, level).
    Image numbered_cube(Graph& g, std::uint32_t side, std::uint32_t mips) {
        Image cube = g.image("cube", cube_desc(side, mips));
        for (std::uint32_t level = 0; level < mips; ++level) {
            auto node = g.compute("test/cube_faces");
            node.set("level", static_cast<float>(level));
            cube = node.write("faces", mip(cube, level));
            node.dispatch_over({side >> level, side >> level, 6});
        }
        return cube;
    }
    Buffer sampled(Graph& g, std::string_view kernel, std::string_view image_binding,
                   std::string_view buffer_binding, ImageView image,
                   const std::vector<Vec4>& places) {
        const std::uint64_t size = places.size() * sizeof(Vec4);
        auto node = g.compute(kernel);
        node.read(image_binding, image, Sampler::nearest());
        node.read(buffer_binding, g.constant_buffer("places", {.size = size}, bytes_of(places)));
        node.dispatch_over({static_cast<std::uint32_t>(places.size())});
        return node.write("samples", g.buffer("samples", {.size = size}));
    }
    Buffer sampled_cube(Graph& g, ImageView cube, const std::vector<Vec4>& directions) {
        return sampled(g, "test/cube_directions", "cube", "directions", cube, directions);
    }
};

//   faces[0] --> faces[1] --> directions --> samples
//
// A direction d = (major, s, t) finds face and texel by the table of the Vulkan specification.
TEST_F(ExecutorCubeTest, LevelsWrittenAsArraysAreSampledAsCubes) {
    Graph g = graph();
    const Image cube = numbered_cube(g, 4, 2);
    const std::vector<Vec4> directions{
        {1.0f, 0.6f, 0.1f, 0.0f},   // +x: s = -z, t = -y
        {-1.0f, 0.6f, 0.1f, 0.0f},  // -x: s = z, t = -y
        {0.6f, 1.0f, 0.1f, 0.0f},   // +y: s = x, t = z
        {0.6f, -1.0f, 0.1f, 0.0f},  // -y: s = x, t = -z
        {0.1f, 0.6f, 1.0f, 0.0f},   // +z: s = x, t = -y
        {0.1f, 0.6f, -1.0f, 0.0f},  // -z: s = -x, t = -y
        {-0.6f, -0.6f, 1.0f, 1.0f}, // +z, second level
    };
    g.output("samples", sampled_cube(g, cube, directions));
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<Vec4>("samples"),
                ElementsAre(Vec4{0, 1, 0, 0}, Vec4{1, 2, 0, 0}, Vec4{2, 3, 2, 0}, Vec4{3, 3, 1, 0},
                            Vec4{4, 2, 0, 0}, Vec4{5, 1, 0, 0}, Vec4{4, 0, 1, 1}));
}

TEST_F(ExecutorCubeTest, ReadsBackEveryFaceOfEveryLevel) {
    Graph g = graph();
    g.output("cube", numbered_cube(g, 8, 4));
    Running running = run(std::move(g));
    for (std::uint32_t level = 0; level < 4; ++level)
        for (std::uint32_t face = 0; face < 6; ++face) {
            const HostImage image = running.image("cube", level, face);
            const std::uint32_t last = (8u >> level) - 1;
            ASSERT_EQ(image.extent, (Extent{last + 1, last + 1, 1}));
            EXPECT_THAT(image.texel(last, 0),
                        ElementsAre(static_cast<float>(face), static_cast<float>(last), 0.0f,
                                    static_cast<float>(level)));
        }
}

TEST_F(ExecutorCubeTest, ConstantCubesHoldTheirLayersInTheOrderOfFaces) {
    std::vector<Vec4> texels;
    for (float face = 0.0f; face < 6.0f; ++face)
        texels.push_back({face, 10.0f * face, 0.0f, 1.0f});
    Graph g = graph();
    const Image cube = g.constant_image("constant", cube_desc(1), bytes_of(texels));
    g.output("samples", sampled_cube(g, cube, {{0, 0, -1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}}));
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<Vec4>("samples"), ElementsAre(texels[5], texels[2], texels[1]));
}

TEST_F(ExecutorCubeTest, CopiesAndClearsReachAllFaces) {
    Graph g = graph();
    const Image cleared =
        g.clear(g.image("cleared", cube_desc(4)), std::array<float, 4>{0.25f, 0.5f, 0.75f, 1.0f});
    const Image numbered = numbered_cube(g, 8, 2);
    const Image copy = g.copy(mip(numbered, 1), g.image("copy", cube_desc(4)));
    g.output("cleared", cleared);
    g.output("copy", copy);
    Running running = run(std::move(g));
    for (std::uint32_t face = 0; face < 6; ++face) {
        EXPECT_THAT(running.image("cleared", 0, face).texel(3, 3),
                    ElementsAre(0.25f, 0.5f, 0.75f, 1.0f));
        EXPECT_THAT(running.image("copy", 0, face).texel(2, 3),
                    ElementsAre(static_cast<float>(face), 2.0f, 3.0f, 1.0f));
    }
}

TEST_F(ExecutorCubeTest, SecondCubeOfAnArrayIsSampledThroughAView) {
    Graph g = graph();
    ImageDesc desc = cube_desc(2);
    desc.layers = 12;
    auto node = g.compute("test/cube_faces");
    const Image cubes = node.write("faces", g.image("cubes", desc));
    node.dispatch_over({2, 2, 12});
    g.output("samples", sampled_cube(g, ImageView(cubes).layer(6, 6), {{1, 0.5f, 0.5f, 0}}));
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<Vec4>("samples"), ElementsAre(Vec4{6, 0, 0, 0}));
}

TEST_F(ExecutorCubeTest, PartOfACubeIsNoCube) {
    Graph g = graph();
    const Image cube = numbered_cube(g, 4, 1);
    g.output("samples", sampled_cube(g, ImageView(cube).layer(0, 2), {{1, 0, 0, 0}}));
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "graph/binding-dimension");
    EXPECT_THAT(plan.error().front().message, HasSubstr("six layers of a cube, not 2"));
}

TEST_F(ExecutorCubeTest, VolumesAreWrittenAndSampledLevelByLevel) {
    Graph g = graph();
    Image volume = g.image(
        "volume",
        {.format = Format::rgba32_sfloat, .extent = {8, 4, 6}, .mips = 2, .shape = ImageShape::d3});
    for (std::uint32_t level = 0; level < 2; ++level) {
        auto node = g.compute("test/volume_coordinates");
        node.set("level", static_cast<float>(level));
        volume = node.write("target", mip(volume, level));
        node.dispatch_over(mip_extent({8, 4, 6}, level));
    }
    g.output("samples", sampled(g, "test/volume_samples", "volume", "places", volume,
                                {{0.95f, 0.05f, 0.55f, 0.0f}, {0.05f, 0.95f, 0.95f, 1.0f}}));
    g.output("volume", volume);
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<Vec4>("samples"), ElementsAre(Vec4{7, 0, 3, 0}, Vec4{0, 1, 2, 1}));
    const HostImage coarse = running.image("volume", 1);
    ASSERT_EQ(coarse.extent, (Extent{4, 2, 3}));
    EXPECT_THAT(coarse.texel(3, 1, 2), ElementsAre(3.0f, 1.0f, 2.0f, 1.0f));
}

//   level 0 --> halve --> level 1         level 0 is sampled by halve, and copied out of the
//      '----------------------'--> copy   finished chain, on the same level of the plan
TEST_F(ExecutorCubeTest, ReadersOfSeveralVersionsAgreeOnThePartsTheyShare) {
    Graph g = graph();
    const ImageDesc desc{.format = Format::rgba32_sfloat, .extent = {8, 8, 1}};
    ImageDesc chain_desc = desc;
    chain_desc.mips = 2;
    auto first = g.compute("test/coordinates");
    Image chain = first.write("target", mip(g.image("chain", chain_desc), 0));
    first.dispatch_over({8, 8});
    auto halve = g.compute("test/halve");
    halve.read("source", mip(chain, 0), Sampler::nearest());
    chain = halve.write("target", mip(chain, 1));
    halve.dispatch_over({4, 4});
    g.output("copy", g.copy(mip(chain, 0), g.image("copy", desc)));
    auto twice = g.compute("test/double_image");
    twice.read("source", chain, Sampler::nearest());
    g.output("double", twice.write("target", g.image("double", desc)));
    twice.dispatch_over({8, 8});
    Running running = run(std::move(g), 2);
    EXPECT_THAT(running.image("copy").texel(5, 3), ElementsAre(5.0f, 3.0f, 0.0f, 1.0f));
    EXPECT_THAT(running.image("double").texel(5, 3), ElementsAre(10.0f, 6.0f, 0.0f, 2.0f));
}

} // namespace
} // namespace tuff
