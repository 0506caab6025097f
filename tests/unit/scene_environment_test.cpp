#include "passes/scene/environment.hpp"
#include "tests/unit/graph/sketch.hpp"
#include "tests/unit/pass_shaders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

/// What scene/environment adds to a graph, and what it refuses. Needs no device.
namespace tuff::passes {
namespace {

using test::codes;
using test::pass_shaders;
using testing::ElementsAre;
using testing::IsEmpty;

Image panorama(Graph& graph, Format format = Format::rgba32_sfloat) {
    return graph.image("panorama", {.format = format, .extent = {64, 32, 1}});
}

TEST(SceneEnvironment, MakesMapsOfTheShapesThatItsBundlePromises) {
    Graph graph{pass_shaders()};
    const EnvironmentMap map =
        graph.add(Environment{.panorama = panorama(graph), .rotation = 30, .intensity = 2})
            .environment;
    EXPECT_THAT(codes(graph), IsEmpty());
    ASSERT_TRUE(map);
    const ImageDesc& specular = graph.desc(map.specular);
    EXPECT_EQ(specular.shape, ImageShape::cube);
    EXPECT_EQ(specular.format, Format::rgba16_sfloat);
    EXPECT_EQ(specular.extent, (Extent{128, 128, 1}));
    EXPECT_EQ(specular.mips, 6u);
    EXPECT_EQ(specular.layers, 6u);
    EXPECT_EQ(graph.desc(map.irradiance).size, 9u * 16u);
    EXPECT_EQ(graph.desc(map.dfg).format, Format::rg16_sfloat);
    EXPECT_EQ(map.rotation, 30.0f);
    EXPECT_EQ(map.intensity, 2.0f);
}

TEST(SceneEnvironment, OffersEachResourceOfTheBundleByName) {
    Graph graph{pass_shaders()};
    const PortValue value =
        PortValue::of(graph.add(Environment{.panorama = panorama(graph)}).environment);
    EXPECT_EQ(value.type, "Environment");
    std::vector<std::string> names;
    for (const PortMember& member : value.members)
        names.push_back(member.name);
    EXPECT_THAT(names, ElementsAre("panorama", "specular", "irradiance", "dfg"));
}

TEST(SceneEnvironment, EverySizeEndsAtFourTexels) {
    for (const std::uint32_t size : {16u, 32u, 1024u}) {
        Graph graph{pass_shaders()};
        const EnvironmentMap map =
            graph.add(Environment{.panorama = panorama(graph), .size = size}).environment;
        const ImageDesc& specular = graph.desc(map.specular);
        EXPECT_EQ(mip_extent(specular.extent, specular.mips - 1).width, 4u) << size;
        EXPECT_THAT(codes(graph), IsEmpty()) << size;
    }
}

TEST(SceneEnvironment, RotationAndIntensityChangeNothingInTheGraph) {
    Graph still{pass_shaders()};
    Graph turned{pass_shaders()};
    still.add(Environment{.panorama = panorama(still)});
    turned.add(Environment{.panorama = panorama(turned), .rotation = 90, .intensity = 3});
    const GraphDesc a = std::move(still).finish();
    const GraphDesc b = std::move(turned).finish();
    EXPECT_TRUE(same_structure(a, b));
    EXPECT_EQ(a.parameters, b.parameters);
}

TEST(SceneEnvironment, RefusesSizesThatAreNoPowerOfTwo) {
    Graph graph{pass_shaders()};
    const EnvironmentMap map =
        graph.add(Environment{.panorama = panorama(graph), .size = 100}).environment;
    EXPECT_THAT(codes(graph), ElementsAre("pass/not-power-of-two"));
    EXPECT_EQ(graph.peek().diagnostics.front().hint, "set it to 64 or 128");
    graph.output("specular", map.specular);
    EXPECT_EQ(codes(graph).size(), 1u) << "whoever uses it makes no second complaint";
}

TEST(SceneEnvironment, RefusesParametersOutOfRange) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const Environment& wrong :
         {Environment{.size = 8}, Environment{.size = 2048}, Environment{.size = 0},
          Environment{.samples = 1}, Environment{.samples = 4096}, Environment{.rotation = nan},
          Environment{.intensity = -1}}) {
        Graph graph{pass_shaders()};
        Environment pass = wrong;
        pass.panorama = panorama(graph);
        graph.add(pass);
        EXPECT_THAT(codes(graph), ElementsAre("pass/out-of-range"))
            << wrong.size << " " << wrong.samples;
    }
}

TEST(SceneEnvironment, RefusesWhatIsNoPicture) {
    Graph graph{pass_shaders()};
    graph.add(Environment{});
    graph.add(Environment{.panorama = panorama(graph, Format::r32_uint)});
    const ImageDesc volume{
        .format = Format::rgba16_sfloat, .extent = {8, 8, 8}, .shape = ImageShape::d3};
    graph.add(Environment{.panorama = graph.image("volume", volume)});
    EXPECT_THAT(codes(graph), ElementsAre("graph/unconnected", "image/unsupported-format",
                                          "image/not-two-dimensional"));
}

TEST(SceneEnvironment, IsRegisteredAndDescribed) {
    const PassRegistry registry = make_registry();
    const PassDescriptor* pass = registry.find("scene/environment");
    ASSERT_NE(pass, nullptr);
    EXPECT_FALSE(pass->summary.empty());
    EXPECT_FALSE(pass->source.empty());
    const auto size = pass->find_parameter("size");
    const auto rotation = pass->find_parameter("rotation");
    ASSERT_TRUE(size && rotation);
    EXPECT_TRUE(pass->parameters[*size].structural);
    EXPECT_FALSE(pass->parameters[*rotation].structural);
}

} // namespace
} // namespace tuff::passes
