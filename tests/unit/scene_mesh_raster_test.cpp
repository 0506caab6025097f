#include "passes/scene/mesh_raster.hpp"
#include "passes/scene/scene_draws.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/unit/graph/sketch.hpp"
#include "tests/unit/pass_shaders.hpp"

#include <glm/gtc/matrix_transform.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

/// What scene/mesh_raster adds to a graph, and what it refuses. Needs no device.
namespace tuff::passes {
namespace {

using test::codes;
using test::pass_shaders;
using testing::ElementsAre;
using testing::IsEmpty;

/// Three quads: textured, blended, textured as the first.
SceneAsset sample_scene() {
    SceneBuilder scene;
    scene.camera(2.0f);
    SceneMaterial textured = SceneBuilder::plain();
    textured.base_color_texture.texture = scene.texture(1, 1, {{1, 2, 3, 4}});
    SceneMaterial blended = SceneBuilder::plain();
    blended.alpha_mode = AlphaMode::blend;
    blended.flags = material_double_sided;
    const auto first = scene.material(textured);
    const auto second = scene.material(blended);
    const auto third = scene.material(textured);
    scene.quad(first, glm::mat4(1.0f));
    scene.quad(second, glm::translate(glm::mat4(1.0f), {0.0f, 0.0f, 1.0f}));
    scene.quad(third, glm::scale(glm::mat4(1.0f), {-1.0f, 1.0f, 1.0f}));
    return pack_scene(std::move(scene).finish());
}

/// The graph of one picture, after `change` to the pass.
Graph graph_of(const SceneAsset& asset, const std::function<void(MeshRaster&)>& change = {}) {
    Graph graph{pass_shaders()};
    MeshRaster pass{.scene = add_scene(graph, "scene", asset)};
    if (change) change(pass);
    graph.add(pass);
    return graph;
}

const RasterNode* raster_node(const Graph& graph, std::string_view name) {
    for (const NodeDesc& node : graph.peek().nodes)
        if (graph.peek().name(node.name) == name)
            return &std::get<RasterNode>(graph.peek().payloads[node.payload]);
    return nullptr;
}

TEST(MeshRasterPass, IsRegisteredAndDescribed) {
    const PassRegistry registry = make_registry();
    const PassDescriptor* pass = registry.find("scene/mesh_raster");
    ASSERT_NE(pass, nullptr);
    EXPECT_FALSE(pass->details.empty());
    EXPECT_TRUE(pass->find_output("color"));
    EXPECT_TRUE(pass->find_output("depth"));
    for (const ParameterInfo& parameter : pass->parameters)
        EXPECT_FALSE(parameter.doc.empty()) << parameter.name;
}

TEST(MeshRasterPass, DynamicParametersKeepTheStructure) {
    const SceneAsset asset = sample_scene();
    const GraphDesc before = graph_of(asset).finish();
    const std::vector<std::function<void(MeshRaster&)>> changes{
        [](MeshRaster& p) { p.camera.azimuth = 36.0f; },
        [](MeshRaster& p) { p.camera.zoom = 1.5f; },
        [](MeshRaster& p) { p.camera.vertical_fov = 50.0f; },
        [](MeshRaster& p) { p.sun.azimuth = 200.0f; },
        [](MeshRaster& p) { p.sun.elevation = -10.0f; },
        [](MeshRaster& p) {
            p.sun.color = {1.0f, 0.5f, 0.25f};
        },
        [](MeshRaster& p) { p.sun.intensity = 7.0f; },
        [](MeshRaster& p) { p.roughness_scale = 0.5f; },
        [](MeshRaster& p) { p.ambient = glm::vec3(2.0f); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const GraphDesc after = graph_of(asset, changes[i]).finish();
        EXPECT_TRUE(same_structure(before, after)) << "change " << i;
        EXPECT_NE(before.parameters, after.parameters) << "change " << i;
    }
}

TEST(MeshRasterPass, StructuralParametersChangeTheStructure) {
    const SceneAsset asset = sample_scene();
    const GraphDesc before = graph_of(asset).finish();
    const std::vector<std::function<void(MeshRaster&)>> changes{
        [](MeshRaster& p) { p.width = 64; },           [](MeshRaster& p) { p.height = 64; },
        [](MeshRaster& p) { p.samples = 1; },          [](MeshRaster& p) { p.sun.shadows = false; },
        [](MeshRaster& p) { p.sun.shadow_size = 64; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i)
        EXPECT_FALSE(same_structure(before, graph_of(asset, changes[i]).finish()))
            << "change " << i;
}

TEST(MeshRasterPass, RebuildingHandsOverTheSameBytes) {
    const SceneAsset asset = sample_scene();
    const GraphDesc first = graph_of(asset).finish();
    const GraphDesc second =
        graph_of(asset, [](MeshRaster& p) { p.camera.azimuth = 90.0f; }).finish();
    ASSERT_EQ(first.resources.size(), second.resources.size());
    int constants = 0;
    for (std::size_t i = 0; i < first.resources.size(); ++i) {
        EXPECT_EQ(first.resources[i].contents.get(), second.resources[i].contents.get());
        constants += first.resources[i].contents != nullptr;
    }
    EXPECT_GE(constants, 7); // five arrays, a picture, white
}

TEST(MeshRasterPass, DrawsOfOneSetOfTexturesShareABindGroup) {
    const Graph graph = graph_of(sample_scene());
    EXPECT_THAT(codes(graph), IsEmpty());
    const RasterNode* solid = raster_node(graph, "mesh_raster/meshes");
    ASSERT_TRUE(solid);
    ASSERT_EQ(solid->draws.size(), 2u);
    EXPECT_EQ(solid->groups, 1u);
    EXPECT_EQ(solid->draws[0].first_instance, 0u);
    EXPECT_EQ(solid->draws[0].cull, CullMode::back);
    EXPECT_EQ(solid->draws[1].first_instance, 2u);
    EXPECT_EQ(solid->draws[1].cull, CullMode::front) << "mirrored";
    const RasterNode* blended = raster_node(graph, "mesh_raster/blended");
    ASSERT_TRUE(blended);
    ASSERT_EQ(blended->draws.size(), 2u) << "backs, then fronts";
    EXPECT_EQ(blended->draws[0].cull, CullMode::front);
    EXPECT_EQ(blended->draws[1].cull, CullMode::back);
    const RasterNode* shadow = raster_node(graph, "mesh_raster/shadow");
    ASSERT_TRUE(shadow);
    ASSERT_EQ(shadow->draws.size(), 2u) << "blended materials cast none";
    EXPECT_EQ(shadow->draws[0].cull, CullMode::none);
}

TEST(MeshRasterPass, MistakesAreOneDiagnosticEachAlsoOfWhatIsConnectedToIt) {
    const SceneAsset asset = sample_scene();
    struct Mistake {
        std::function<void(MeshRaster&)> make;
        const char* code;
    };
    const std::vector<Mistake> mistakes{
        {[](MeshRaster& p) { p.scene = {}; }, "graph/unconnected"},
        {[](MeshRaster& p) { p.samples = 3; }, "pass/not-power-of-two"},
        {[](MeshRaster& p) { p.samples = 0; }, "pass/out-of-range"},
        {[](MeshRaster& p) { p.samples = 16; }, "pass/out-of-range"},
        {[](MeshRaster& p) { p.width = 0; }, "pass/out-of-range"},
        {[](MeshRaster& p) { p.height = 100000; }, "pass/out-of-range"},
        {[](MeshRaster& p) { p.sun.shadow_size = 1; }, "pass/out-of-range"},
        {[](MeshRaster& p) { p.camera = {.mode = CameraMode::file, .index = 1}; },
         "scene/no-such-camera"},
        {[](MeshRaster& p) { p.camera = {.mode = CameraMode::free, .position = glm::vec3(0.0f)}; },
         "scene/bad-camera"},
        {[](MeshRaster& p) {
             p.camera.near_plane = 5.0f;
             p.camera.far_plane = 4.0f;
         },
         "scene/bad-camera"},
    };
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
        Graph graph{pass_shaders()};
        MeshRaster pass{.scene = add_scene(graph, "scene", asset)};
        mistakes[i].make(pass);
        const MeshRaster added = graph.add(pass);
        graph.output("color", added.color);
        graph.output("depth", added.depth);
        EXPECT_THAT(codes(graph), ElementsAre(mistakes[i].code)) << "mistake " << i;
    }
}

TEST(SceneDraws, AreSplitByBlendingAndOrderedByTextures) {
    SceneBuilder scene;
    const auto texture_a = scene.texture(1, 1, {{}});
    const auto texture_b = scene.texture(1, 1, {{}});
    const auto with = [&](std::int32_t texture, AlphaMode mode) {
        SceneMaterial material = SceneBuilder::plain();
        material.alpha_mode = mode;
        material.base_color_texture.texture = texture;
        scene.quad(scene.material(material), glm::mat4(1.0f));
    };
    with(texture_b, AlphaMode::opaque);
    with(texture_a, AlphaMode::blend);
    with(-1, AlphaMode::mask);
    with(texture_a, AlphaMode::opaque);
    with(texture_b, AlphaMode::opaque);
    const SceneData& data = scene.peek();
    EXPECT_THAT(solid_draws(data), ElementsAre(0, 2, 3, 4));
    EXPECT_THAT(blended_draws(data), ElementsAre(1));
    constexpr MaterialTexture kBase[] = {{"base", &SceneMaterial::base_color_texture}};
    EXPECT_THAT(by_textures(data, solid_draws(data), kBase), ElementsAre(2, 3, 0, 4));
    EXPECT_TRUE(any_masked(data, solid_draws(data)));
    EXPECT_FALSE(any_masked(data, blended_draws(data)));
    EXPECT_FALSE(any_masked(data, {}));
}

TEST(PackScene, MovesTheBytesOutAndMakesMips) {
    SceneBuilder scene;
    scene.texture(4, 2, std::vector<std::array<std::uint8_t, 4>>(8, {10, 20, 30, 40}));
    scene.quad(scene.material(SceneBuilder::plain()), glm::mat4(1.0f));
    const SceneAsset asset = pack_scene(std::move(scene).finish());
    EXPECT_EQ(asset.vertices->size(), 4 * sizeof(Vertex));
    EXPECT_EQ(asset.indices->size(), 6 * sizeof(std::uint32_t));
    EXPECT_EQ(asset.draws->size(), sizeof(SceneDraw));
    EXPECT_EQ(asset.transforms->size(), sizeof(SceneTransform));
    EXPECT_EQ(asset.materials->size(), sizeof(SceneMaterial));
    ASSERT_EQ(asset.images.size(), 1u);
    EXPECT_EQ(asset.images[0]->size(), 4u * (4 * 2 + 2 * 1 + 1));
    EXPECT_EQ((*asset.images[0])[4 * 10 + 2], std::byte{30}) << "the last mip";
    EXPECT_TRUE(asset.data->vertices.empty());
    EXPECT_TRUE(asset.data->images[0].texels.empty());
    EXPECT_EQ(asset.data->draws.size(), 1u);
}

TEST(PackScene, EmptyScenesStillMakeBuffers) {
    const SceneAsset asset = pack_scene({});
    EXPECT_EQ(asset.vertices->size(), sizeof(Vertex));
    EXPECT_EQ(asset.indices->size(), sizeof(std::uint32_t));
    const Graph graph = graph_of(asset);
    EXPECT_THAT(codes(graph), IsEmpty());
    const RasterNode* meshes = raster_node(graph, "mesh_raster/meshes");
    ASSERT_TRUE(meshes);
    EXPECT_TRUE(meshes->draws.empty());
}

} // namespace
} // namespace tuff::passes
