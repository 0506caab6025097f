// Textures of materials, by few at a time and as an array: the pictures are the same to the bit.

#include "passes/raytrace/light.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::MaterialPasses;
using passes::PathTrace;
using passes::TraceWhitted;

class TextureArrays : public RaytraceTest {
  protected:
    static constexpr int kPerRow = 10;

    /// What the device can do, with arrays of at most `textures` textures; 0: without.
    DeviceCaps with_arrays_of(std::uint32_t textures) {
        DeviceCaps caps = device().caps();
        caps.texture_arrays = textures > 0 && caps.texture_arrays;
        if (textures > 0) caps.max_stage_textures = std::min(caps.max_stage_textures, textures + 4);
        return caps;
    }
    std::vector<std::pair<std::string, DeviceCaps>> ways() {
        std::vector<std::pair<std::string, DeviceCaps>> all{{"few", with_arrays_of(0)}};
        if (!device().caps().texture_arrays) return all;
        all.emplace_back("array", device().caps());
        all.emplace_back("arrays of 20", with_arrays_of(20));
        return all;
    }
    template <typename Pass>
    HostImage trace_by(const SceneAsset& asset, Pass pass, const DeviceCaps& caps) {
        Graph g = graph();
        g.set_target(caps);
        pass.scene = add_scene(g, "scene", asset);
        if constexpr (requires { pass.lights; })
            pass.lights.push_back(
                g.add(passes::MakeRayLight{.position = {1, 2, 5}, .intensity = 90}).light);
        g.output("color", g.add(std::move(pass)).color);
        testing_gpu::Running running = run(std::move(g));
        return running ? running.image("color") : HostImage{};
    }
    static std::array<std::uint8_t, 4> color_of(int texture) {
        return {static_cast<std::uint8_t>(5 + 2 * texture),
                static_cast<std::uint8_t>(250 - 2 * texture),
                static_cast<std::uint8_t>(37 * texture % 256), 255};
    }
    static glm::mat4 place_of(int i) {
        return moved(-9.0f + 2.0f * static_cast<float>(i % kPerRow),
                     -9.0f + 2.0f * static_cast<float>(i / kPerRow), 0) *
               scaled(1.0f);
    }

    /// A square each for as many textures.
    static SceneData unlit_squares(int textures) {
        SceneBuilder scene;
        scene.camera(10.0f);
        for (int i = 0; i < textures; ++i) {
            SceneMaterial material = SceneBuilder::unlit(glm::vec4(1.0f));
            material.base_color_texture.texture = scene.texture(1, 1, {color_of(i)});
            scene.quad(scene.material(material), place_of(i));
        }
        return std::move(scene).finish();
    }

    /// Squares that use all slots, of `textures` textures; panes and masks before some, which cast
    /// shadows.
    static SceneData lit_squares(int textures) {
        SceneBuilder scene;
        scene.camera(10.0f);
        std::vector<std::int32_t> ids;
        for (int i = 0; i < textures; ++i) {
            auto dark = color_of(i);
            auto half = color_of(i);
            for (std::uint8_t& channel : dark)
                channel = static_cast<std::uint8_t>(channel / 2);
            half[3] = 100;
            ids.push_back(scene.texture(2, 2, {color_of(i), dark, half, color_of(i)}));
        }
        const auto id = [&](int i) { return ids[static_cast<std::size_t>(i % textures)]; };
        for (int i = 0; i < 30; ++i) {
            SceneMaterial material = SceneBuilder::plain(glm::vec4(1.0f), 1.0f, 0.9f);
            material.base_color_texture.texture = id(5 * i);
            material.metallic_roughness_texture.texture = id(5 * i + 1);
            if (i % 2 == 0) material.normal_texture.texture = id(5 * i + 2);
            material.occlusion_texture.texture = id(5 * i + 3);
            material.emissive = glm::vec3(0.4f);
            material.emissive_texture.texture = id(5 * i + 4);
            if (i % 5 == 3) material.alpha_mode = AlphaMode::mask;
            if (i % 5 == 4) material.alpha_mode = AlphaMode::blend;
            const bool cut = material.alpha_mode != AlphaMode::opaque;
            scene.quad(scene.material(material),
                       place_of(3 * i) * moved(cut ? 0.4f : 0.0f, 0, cut ? 1.0f : 0.0f));
        }
        return std::move(scene).finish();
    }
    template <typename Pass>
    static Pass lit() {
        Pass pass = dark<Pass>(40);
        pass.sun = {.azimuth = 20.0f, .elevation = 30.0f, .intensity = 2.0f};
        pass.ambient = glm::vec3(0.5f);
        pass.bounces = 2;
        return pass;
    }
    template <typename Pass>
    void expect_the_same_by_all_ways(Pass pass, std::initializer_list<int> counts) {
        for (const int textures : counts) {
            const SceneAsset asset = pack_scene(lit_squares(textures));
            HostImage first;
            for (const auto& [name, caps] : ways()) {
                const HostImage picture = trace_by(asset, pass, caps);
                ASSERT_FALSE(picture.empty());
                if (first.empty()) first = picture;
                EXPECT_EQ(picture.texels, first.texels) << textures << " textures, " << name;
            }
            EXPECT_GT(mean(first).x, 0.05);
        }
    }
};

TEST_F(TextureArrays, EachMaterialHasItsOwnTexture) {
    TUFF_ONLY_ON(lavapipe);
    for (const int textures : {1, 12, 13, 30, 100}) {
        const SceneAsset asset = pack_scene(unlit_squares(textures));
        for (const auto& [name, caps] : ways()) {
            const HostImage picture = trace_by(asset, dark<TraceWhitted>(2 * kPerRow), caps);
            ASSERT_FALSE(picture.empty());
            for (int i = 0; i < kPerRow * kPerRow; ++i) {
                const auto x = static_cast<std::uint32_t>(2 * (i % kPerRow));
                const auto y = static_cast<std::uint32_t>(2 * (kPerRow - 1 - i / kPerRow));
                for (int c = 0; c < 3; ++c)
                    ASSERT_NEAR(at(picture, x + 1, y)[c] * 255.0,
                                i < textures ? color_of(i)[static_cast<std::size_t>(c)] : 0, 0.01)
                        << textures << " textures, " << name << ", number " << i;
            }
        }
    }
}

// Of textures of all sizes, side by side in a group of invocations, and with holes in their arrays.
TEST_F(TextureArrays, EachTextureIsLookedUpAtItsOwnLevel) {
    TUFF_ONLY_ON(lavapipe);
    constexpr int kTextures = 37;
    SceneBuilder scene;
    scene.camera(10.0f);
    for (int i = 0; i < kTextures; ++i) {
        const std::uint32_t width = 4u << (i % 5);
        const std::uint32_t height = 3u + static_cast<std::uint32_t>(i % 7);
        std::vector<std::array<std::uint8_t, 4>> texels;
        for (std::uint32_t t = 0; t < width * height; ++t)
            texels.push_back({static_cast<std::uint8_t>(t * 89u),
                              static_cast<std::uint8_t>(t * 37u),
                              static_cast<std::uint8_t>(t * 151u), 255});
        SceneMaterial material = SceneBuilder::unlit(glm::vec4(1.0f));
        material.base_color_texture.texture = scene.texture(width, height, texels);
        scene.quad(scene.material(material), place_of(i));
    }
    SceneData data = std::move(scene).finish();
    for (SceneTexture& texture : data.textures)
        texture.sampler = {};
    const SceneAsset asset = pack_scene(SceneData(data));
    const HostImage first = trace_by(asset, dark<TraceWhitted>(37), with_arrays_of(0));
    ASSERT_FALSE(first.empty());
    for (const auto& [name, caps] : ways()) {
        TraceWhitted pass = dark<TraceWhitted>(37);
        EXPECT_EQ(trace_by(asset, pass, caps).texels, first.texels) << name;
        pass.materials = MaterialPasses::each;
        EXPECT_EQ(trace_by(asset, pass, caps).texels, first.texels) << name << ", one at a time";
        pass.materials = MaterialPasses::batches;
        pass.texture_levels = passes::TextureLevels::finest;
        EXPECT_NE(trace_by(asset, pass, caps).texels, first.texels) << name;
    }
}

TEST_F(TextureArrays, WhittedPicturesAreTheSame) {
    expect_the_same_by_all_ways(lit<TraceWhitted>(), {1, 12, 13, 30, 100});
}

TEST_F(TextureArrays, PathTracedPicturesAreTheSame) {
    PathTrace pass = lit<PathTrace>();
    pass.samples = 2;
    expect_the_same_by_all_ways(pass, {1, 12, 13, 30, 100});
}

// However materials are dealt out to dispatches.
TEST_F(TextureArrays, OneMaterialAtATimeIsTheSame) {
    const SceneAsset asset = pack_scene(lit_squares(13));
    TraceWhitted pass = lit<TraceWhitted>();
    const HostImage expected = trace_by(asset, pass, device().caps());
    ASSERT_FALSE(expected.empty());
    pass.materials = MaterialPasses::each;
    EXPECT_EQ(trace_by(asset, pass, device().caps()).texels, expected.texels);
}

/// Nodes that shade, of the first bounce.
std::size_t shading_nodes(const Graph& graph) {
    std::size_t found = 0;
    for (const NodeDesc& node : graph.peek().nodes)
        found += graph.peek().name(node.name).ends_with("bounce[0]/shade");
    return found;
}

TEST_F(TextureArrays, AnArrayTakesFewerPasses) {
    const SceneAsset asset = pack_scene(lit_squares(100));
    const auto passes_on = [&](const DeviceCaps& caps, MaterialPasses materials) {
        Graph g = graph();
        g.set_target(caps);
        TraceWhitted pass = lit<TraceWhitted>();
        pass.materials = materials;
        pass.scene = add_scene(g, "scene", asset);
        g.output("color", g.add(pass).color);
        const bool refused = !g.peek().diagnostics.empty();
        return refused ? 0 : shading_nodes(g);
    };
    DeviceCaps caps = device().caps();
    caps.texture_arrays = true;
    caps.max_stage_textures = 1000;
    caps.max_stage_bindings = 1000;
    EXPECT_EQ(passes_on(caps, MaterialPasses::batches), 1u);
    EXPECT_EQ(passes_on(caps, MaterialPasses::single), 1u);
    caps.max_stage_bindings = 60 + 24;
    EXPECT_EQ(passes_on(caps, MaterialPasses::single), 0u);
    EXPECT_LE(passes_on(caps, MaterialPasses::batches), 3u);
    caps.texture_arrays = false;
    EXPECT_GE(passes_on(caps, MaterialPasses::batches), 9u);
    EXPECT_EQ(passes_on(caps, MaterialPasses::single), 0u);
}

} // namespace
} // namespace tuff
