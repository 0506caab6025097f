// Multi-layer alpha blending against its rule on the CPU, and against sorting.

#include "passes/oit/multi_layer.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <vector>

namespace tuff {
namespace {

using passes::FragmentLayout;
using passes::FragmentPacking;
using passes::MultiLayer;
using passes::OitCapture;

/// Sums of up to fifty rounded products; light that is added goes up to about ten.
constexpr double kLayerRounding = 2e-5;

struct BlendedLayer {
    double z = 0;
    glm::dvec3 light{0.0};
    glm::dvec4 through{1.0};
};

BlendedLayer layer_of(const Pane& pane, glm::dvec4 color) {
    const double a = color.a;
    const glm::dvec3 c(color);
    const auto z = static_cast<double>(pane.z);
    switch (pane.mode) {
    case 1: return {z, c * a, glm::dvec4(1.0)};
    case 2: return {z, glm::dvec3(0.0), glm::dvec4(glm::mix(glm::dvec3(1.0), c, a), 1.0)};
    case 3: return {z, c, glm::dvec4(1.0 - a)};
    default: return {z, c * a, glm::dvec4(1.0 - a)};
    }
}

BlendedLayer merged(const BlendedLayer& front, const BlendedLayer& back) {
    return {front.z, front.light + glm::dvec3(front.through) * back.light,
            front.through * back.through};
}

bool is_seen(const PaneScene& scene, const Pane& pane, double x, double y) {
    return pane.covers(x, y) && std::ranges::none_of(scene.solids, [&](const Pane& solid) {
               return solid.z >= pane.z && solid.covers(x, y);
           });
}

glm::dvec4 background_at(const PaneScene& scene, double x, double y) {
    glm::dvec4 color(scene.background);
    float nearest = -100.0f;
    for (const Pane& solid : scene.solids)
        if (solid.covers(x, y) && solid.z > nearest) {
            nearest = solid.z;
            color = glm::dvec4(solid.color);
        }
    return color;
}

/// The picture by the paper's rule, panes in their order.
std::vector<glm::dvec4> blended_by_layers(const PaneScene& scene, Quantize quantize,
                                          std::size_t most) {
    std::vector<glm::dvec4> picture;
    for (std::uint32_t i = 0; i < scene.width * scene.height; ++i) {
        const double x = i % scene.width + 0.5;
        const double y = i / scene.width + 0.5;
        std::vector<BlendedLayer> layers;
        for (const Pane& pane : scene.panes) {
            if (!is_seen(scene, pane, x, y)) continue;
            const BlendedLayer layer = layer_of(pane, quantize(pane.color));
            const auto place =
                std::ranges::upper_bound(layers, layer.z, std::ranges::greater{}, &BlendedLayer::z);
            layers.insert(place, layer);
            if (layers.size() <= most) continue;
            const BlendedLayer farthest = layers.back();
            layers.pop_back();
            layers.back() = merged(layers.back(), farthest);
        }
        BlendedLayer all;
        for (const BlendedLayer& layer : layers)
            all = merged(all, layer);
        const glm::dvec4 below = background_at(scene, x, y);
        picture.emplace_back(all.light + glm::dvec3(all.through) * glm::dvec3(below),
                             1.0 - all.through.a * (1.0 - below.a));
    }
    return picture;
}

std::size_t longest_list(const PaneScene& scene) {
    std::size_t longest = 0;
    for (std::uint32_t i = 0; i < scene.width * scene.height; ++i) {
        const auto seen = std::ranges::count_if(scene.panes, [&](const Pane& pane) {
            return is_seen(scene, pane, i % scene.width + 0.5, i / scene.width + 0.5);
        });
        longest = std::max(longest, static_cast<std::size_t>(seen));
    }
    return longest;
}

double greatest_difference(const std::vector<glm::dvec4>& a, const std::vector<glm::dvec4>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int c = 0; c < 3; ++c)
            most = std::max(most, std::abs(a[i][c] - b[i][c]));
    return most;
}

/// Panes of all modes before a wall, so many that lists are sorted in several rounds.
PaneScene many_panes() {
    std::mt19937 random(61);
    PaneScene scene = random_panes(random, 37, 50, 15);
    for (std::size_t i = 0; i < scene.panes.size(); ++i) {
        Pane& pane = scene.panes[i];
        pane.mode = static_cast<std::uint32_t>(i % 7 < 4 ? 0 : i % 7 - 3);
        pane.right += 12;
        pane.bottom += 12;
        pane.color.a *= 0.5f;
    }
    scene.solids.push_back({.left = 9,
                            .right = 21,
                            .top = 2,
                            .bottom = 15,
                            .z = 0.07f,
                            .color = {0.5f, 0.25f, 0.75f, 1.0f}});
    return scene;
}

TEST_F(OitTest, LayersAreThoseOfThePapersRuleInWhateverOrderFragmentsWereCaptured) {
    const PaneScene scene = many_panes();
    ASSERT_GT(longest_list(scene), 32u); // three rounds of sixteen
    Graph g = graph();
    const Seen seen = see(g, scene);
    OitCapture capture{.scene = seen.scene, .view = seen.view};
    capture.pool.layers = 50.0f;
    for (const Pane& pane : scene.panes)
        capture.modes.push_back(static_cast<float>(pane.mode));
    OitCapture reversed = capture;
    for (std::uint32_t i = 0; i < scene.panes.size(); ++i)
        reversed.draws.insert(reversed.draws.begin(), i);
    OitCapture arrays = capture;
    arrays.layout = FragmentLayout::arrays;
    OitCapture halves = capture;
    halves.pool.packing = FragmentPacking::hdr;
    const auto layered = [&](const OitCapture& captured, std::uint32_t layers) {
        return g
            .add(MultiLayer{.lists = g.add(captured).lists,
                            .view = seen.view,
                            .layers = layers,
                            .format = passes::OutputFormat::rgba32_sfloat})
            .color;
    };
    for (const std::uint32_t layers : {1u, 2u, 4u, 8u})
        g.output(fmt::format("{}", layers), layered(capture, layers));
    g.output("reversed", layered(reversed, 4));
    g.output("arrays", layered(arrays, 4));
    g.output("halves", layered(halves, 4));
    testing_gpu::Running running = run(std::move(g));
    const auto sorted = blended_by_sorting(scene, quantized_8bit);
    for (const std::uint32_t layers : {1u, 2u, 4u, 8u}) {
        const auto expected = blended_by_layers(scene, quantized_8bit, layers);
        expect_near(running.image(fmt::format("{}", layers)), expected, kLayerRounding,
                    fmt::format("{} layers", layers));
        // The rule itself is not that of sorting here.
        EXPECT_GT(greatest_difference(expected, sorted), 0.01) << layers;
    }
    const HostImage four = running.image("4");
    EXPECT_EQ(running.image("reversed").texels, four.texels);
    EXPECT_EQ(running.image("arrays").texels, four.texels);
    expect_near(running.image("halves"), blended_by_layers(scene, quantized_half, 4),
                kLayerRounding, "halves");
}

TEST_F(OitTest, PixelsWithNoMoreFragmentsThanLayersAreThoseOfSorting) {
    std::mt19937 random(67);
    PaneScene scene = random_panes(random, 45, 8, 3); // of three depths: ties
    for (Pane& pane : scene.panes)
        pane.right += 20;
    scene.panes[3].mode = 1;
    scene.panes[5].mode = 2;
    ASSERT_GT(longest_list(scene), 4u);
    Graph g = graph();
    const Seen seen = see(g, scene);
    OitCapture capture{.scene = seen.scene, .view = seen.view};
    for (const Pane& pane : scene.panes)
        capture.modes.push_back(static_cast<float>(pane.mode));
    const auto lists = g.add(capture).lists;
    g.output("layers", g.add(MultiLayer{.lists = lists,
                                        .view = seen.view,
                                        .layers = 8,
                                        .format = passes::OutputFormat::rgba32_sfloat})
                           .color);
    g.output("sorted", g.add(passes::OitResolve{.lists = lists,
                                                .view = seen.view,
                                                .order = passes::BlendOrder::under,
                                                .tiles = passes::TileChoice::all,
                                                .format = passes::OutputFormat::rgba32_sfloat})
                           .color);
    testing_gpu::Running running = run(std::move(g));
    const HostImage sorted = running.image("sorted");
    std::vector<glm::dvec4> expected;
    for (std::uint32_t i = 0; i < 45 * 45; ++i) {
        const auto texel = sorted.texel(i % 45, i / 45);
        expected.emplace_back(texel[0], texel[1], texel[2], texel[3]);
    }
    expect_near(running.image("layers"), expected, 2e-6 * 8, "layers");
}

TEST_F(OitTest, LayersNeedTheTrianglesOfFragmentsAndOneSample) {
    const PaneScene scene{.panes = {{.left = 2, .right = 9, .top = 3, .bottom = 8}}, .solids = {}};
    const auto code_with = [&](FragmentPacking packing, std::uint32_t samples) {
        Graph g = graph();
        const Seen seen = see(g, scene, samples);
        OitCapture capture{.scene = seen.scene, .view = seen.view};
        capture.pool.packing = packing;
        g.output("color",
                 g.add(MultiLayer{.lists = g.add(capture).lists, .view = seen.view}).color);
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(code_with(FragmentPacking::standard, 1), "");
    EXPECT_EQ(code_with(FragmentPacking::compact, 1), "oit/packing");
    EXPECT_EQ(code_with(FragmentPacking::tight, 1), "oit/packing");
    EXPECT_EQ(code_with(FragmentPacking::standard, 4), "oit/samples");
}

} // namespace
} // namespace tuff
