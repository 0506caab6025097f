// Moment-based transparency against its formulas in long double, and against sorting.

#include "passes/oit/depth_peel.hpp"
#include "passes/oit/moments.hpp"
#include "tests/gpu/oit/moments_reference.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::MomentPowers;
using passes::MomentSums;
using passes::MomentTransparency;
using reference::Absorber;
using reference::are_those_of_something;
using reference::bias_of;
using reference::blended_by_moments;
using reference::Numbers;

/// Up to thirteen layers of optical depths up to 10 are summed in 24 bits, and the exponential of
/// the sum is in weights and in their sum.
constexpr double kFormulaRounding = 2 * 13 * 10 * 6e-8;
/// Beside opaque layers others are a small part of the moments, hardly more than the bias: of such
/// pixels, which are few, rounding shows.
constexpr double kBesideOpaqueLayers = 2e-4;
constexpr double kShareOfSuchPixels = 2e-3;

/// Panes from z = 10, which is the place -1, to z = -10.
std::vector<Absorber> absorbers_at(const PaneScene& scene, double x, double y) {
    std::vector<Absorber> all;
    for (const Pane& pane : scene.panes)
        if (pane.covers(x, y))
            all.push_back({static_cast<double>(pane.z) / -10.0, static_cast<double>(pane.color.a),
                           glm::dvec3(pane.color)});
    return all;
}

std::vector<glm::dvec4> picture_by_moments(const PaneScene& scene, double share,
                                           std::size_t most = 4) {
    std::vector<glm::dvec4> picture;
    for (std::uint32_t i = 0; i < scene.width * scene.height; ++i) {
        const auto all = absorbers_at(scene, i % scene.width + 0.5, i / scene.width + 0.5);
        picture.emplace_back(blended_by_moments(all, glm::dvec3(scene.background), share, most),
                             1.0);
    }
    return picture;
}

glm::dvec4 as_it_is(glm::vec4 color) {
    return glm::dvec4(color);
}

/// Layers that all cover the picture, from the front: places and colours.
PaneScene stacked(std::span<const std::pair<double, glm::vec4>> layers) {
    PaneScene scene{.width = 9, .height = 7, .panes = {}, .solids = {}};
    for (const auto& [place, color] : layers)
        scene.panes.push_back({.left = -1,
                               .right = 10,
                               .top = -1,
                               .bottom = 8,
                               .z = static_cast<float>(-10.0 * place),
                               .color = color,
                               .draw = static_cast<std::uint32_t>(scene.panes.size())});
    return scene;
}

double share_that_differs(const HostImage& got, const std::vector<glm::dvec4>& expected,
                          double tolerance) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < expected.size(); ++i) {
        const auto texel = got.texel(i % got.extent.width, i / got.extent.width);
        bool differs = false;
        for (int c = 0; c < 3; ++c)
            differs |= !(std::abs(static_cast<double>(texel[static_cast<std::size_t>(c)]) -
                                  expected[i][c]) <= tolerance);
        count += differs;
    }
    return static_cast<double>(count) / static_cast<double>(expected.size());
}

class MomentsTest : public OitTest {
  public:
    static Image add_moments(Graph& g, const Seen& seen, double share, MomentSums sums,
                             MomentPowers powers = MomentPowers::four) {
        return g
            .add(MomentTransparency{.scene = seen.scene,
                                    .view = seen.view,
                                    .overestimation = static_cast<float>(share),
                                    .powers = powers,
                                    .sums = sums,
                                    .layers = 40.0f,
                                    .format = passes::OutputFormat::rgba32_sfloat})
            .color;
    }
    HostImage blended(const PaneScene& scene, double share, MomentSums sums,
                      MomentPowers powers = MomentPowers::four) {
        Graph g = graph();
        g.output("color", add_moments(g, see(g, scene), share, sums, powers));
        return run(std::move(g)).image("color");
    }
    HostImage blended(const PaneScene& scene, double share) {
        return blended(scene, share, MomentSums::automatic);
    }
};

TEST_F(MomentsTest, PicturesAreThoseOfTheFormulasBySumsInPicturesAndInLists) {
    ASSERT_TRUE(device().caps().float32_blending);
    std::mt19937 random(71);
    for (const std::uint32_t count : {0u, 1u, 3u, 12u, 40u}) {
        const PaneScene scene = random_panes(random, 37, count, count + 1);
        Graph g = graph();
        const Seen seen = see(g, scene);
        for (const double share : {0.0, 0.25, 1.0}) {
            g.output(fmt::format("blending {}", share),
                     add_moments(g, seen, share, MomentSums::blending));
            g.output(fmt::format("lists {}", share),
                     add_moments(g, seen, share, MomentSums::lists));
        }
        // Layer 1.3.239 forgets a chain where layouts are unified and nothing is drawn: the light
        // that no draw has read is available to its readers' stages, which the next picture there
        // waits for.
        testing_gpu::Running running =
            start(compile_graph(std::move(g), {.layouts = LayoutMode::optimal}));
        running.execute();
        for (const double share : {0.0, 0.25, 1.0})
            for (const char* sums : {"blending", "lists"}) {
                const std::string name = fmt::format("{} {}", sums, share);
                const std::string what = fmt::format("{} panes {}", count, name);
                const HostImage got = running.image(name);
                const auto expected = picture_by_moments(scene, share);
                expect_near(got, expected, kBesideOpaqueLayers, what);
                EXPECT_LE(share_that_differs(got, expected, kFormulaRounding), kShareOfSuchPixels)
                    << what;
            }
    }
}

TEST_F(MomentsTest, TheBiasIsEnoughForMomentsThatAreRoundedAndNotMuchMore) {
    TUFF_ONLY_ON(lavapipe); // of numbers alone
    std::mt19937 random(97);
    std::uniform_real_distribution<double> place(-1.0, 1.0);
    std::uniform_real_distribution<double> alpha(0.05, 0.95);
    for (const std::size_t most : {4u, 6u, 8u}) {
        const reference::Bias bias = bias_of(most);
        // The least that the matrix's norm promises is 4.3e-7 of four moments.
        const long double enough = most == 4 ? 4.3e-7L : bias.share;
        const long double shares[] = {0.0L, enough / 50.0L, enough, bias.share};
        std::array<int, 4> broken{};
        constexpr int kTries = 20'000;
        for (int i = 0; i < kTries; ++i) {
            // One layer or two: their matrices are singular, and rounding makes some negative.
            std::vector<Absorber> layers(static_cast<std::size_t>(1 + i % 2));
            for (Absorber& layer : layers)
                layer = {.place = place(random), .alpha = alpha(random)};
            Numbers rounded = reference::moments_of(layers, most);
            for (std::size_t k = 1; k <= most; ++k)
                rounded[k] = static_cast<float>(rounded[k] / rounded[0]);
            rounded[0] = 1.0L;
            for (std::size_t k = 0; k < std::size(shares); ++k)
                broken[k] += are_those_of_something(rounded, bias, shares[k]) ? 0 : 1;
        }
        EXPECT_GT(broken[0], kTries / 2) << most;
        EXPECT_GT(broken[1], 0) << most;
        EXPECT_EQ(broken[2], 0) << most;
        EXPECT_EQ(broken[3], 0) << most; // what the kernels take
    }
}

constexpr std::pair<MomentPowers, std::size_t> kMorePowers[] = {{MomentPowers::six, 6},
                                                                {MomentPowers::eight, 8}};

// Higher moments tell layers apart that lie close together by little more than the bias: there
// rounding shows, of few pixels. A wrong formula is off by tenths.
TEST_F(MomentsTest, PicturesOfMorePowersAreThoseOfTheFormulas) {
    constexpr double kCloseLayers = 0.03;
    constexpr double kRoundingOfPowers = 5e-4;
    constexpr double kShareOfCloseLayers = 0.02;
    std::mt19937 random(101);
    for (const std::uint32_t count : {0u, 1u, 3u, 12u, 40u}) {
        const PaneScene scene = random_panes(random, 37, count, count + 1);
        Graph g = graph();
        const Seen seen = see(g, scene);
        const auto name_of = [](std::size_t most, const char* sums, double share) {
            return fmt::format("{} {} {}", most, sums, share);
        };
        for (const auto& [powers, most] : kMorePowers)
            for (const double share : {0.0, 0.25}) {
                g.output(name_of(most, "blending", share),
                         add_moments(g, seen, share, MomentSums::blending, powers));
                g.output(name_of(most, "lists", share),
                         add_moments(g, seen, share, MomentSums::lists, powers));
            }
        testing_gpu::Running running = run(std::move(g));
        for (const auto& [powers, most] : kMorePowers)
            for (const double share : {0.0, 0.25}) {
                const auto expected = picture_by_moments(scene, share, most);
                for (const char* sums : {"blending", "lists"}) {
                    const std::string name = name_of(most, sums, share);
                    const HostImage got = running.image(name);
                    expect_near(got, expected, kCloseLayers, name);
                    EXPECT_LE(share_that_differs(got, expected, kRoundingOfPowers),
                              kShareOfCloseLayers)
                        << count << " panes " << name;
                }
            }
    }
}

// With a point at the layer that is asked about, n pairs of moments tell n + 1 layers apart. One
// more they do not.
TEST_F(MomentsTest, AsManyLayersAreExactAtTheLowerBoundAsTheMomentsTell) {
    constexpr std::array<glm::vec4, 6> kColors{{{1.0f, 0.25f, 0.0f, 0.25f},
                                                {0.0f, 1.0f, 0.5f, 0.5f},
                                                {0.25f, 0.0f, 1.0f, 0.375f},
                                                {1.0f, 1.0f, 0.0f, 0.625f},
                                                {0.5f, 0.0f, 0.5f, 0.25f},
                                                {0.0f, 0.75f, 1.0f, 0.5f}}};
    const auto layers = [&](std::size_t count) {
        std::vector<std::pair<double, glm::vec4>> all;
        for (std::size_t i = 0; i < count; ++i)
            all.emplace_back(-0.9 + 1.75 * static_cast<double>(i) / static_cast<double>(count - 1),
                             kColors[i]);
        return stacked(all);
    };
    // What the bias moves: of eight moments it is a hundred times that of four.
    const std::tuple<MomentPowers, std::size_t, double> kinds[] = {{MomentPowers::four, 3, 2e-5},
                                                                   {MomentPowers::six, 4, 2e-4},
                                                                   {MomentPowers::eight, 5, 4e-3}};
    for (const auto& [powers, most, moved] : kinds) {
        for (std::size_t count = 2; count <= most; ++count)
            for (const MomentSums sums : {MomentSums::blending, MomentSums::lists}) {
                const PaneScene scene = layers(count);
                expect_near(blended(scene, 0.0, sums, powers), blended_by_sorting(scene, as_it_is),
                            moved, fmt::format("{} layers, up to {}", count, most));
            }
        const PaneScene more = layers(most + 1);
        EXPECT_EQ(share_that_differs(blended(more, 0.0, MomentSums::automatic, powers),
                                     blended_by_sorting(more, as_it_is), 2 * moved),
                  1.0)
            << most;
    }
}

TEST_F(MomentsTest, OneLayerIsExactWhateverItsAlpha) {
    for (const float alpha : {0.0f, 0.125f, 0.875f, 1.0f}) {
        const std::pair<double, glm::vec4> layer[] = {{0.3, {0.75f, 0.5f, 0.125f, alpha}}};
        const PaneScene scene = stacked(layer);
        expect_near(blended(scene, 0.25), blended_by_sorting(scene, as_it_is), 1e-6,
                    fmt::format("alpha {}", alpha));
    }
}

TEST_F(MomentsTest, TwoLayersAreExactAtTheLowerBoundAndWhereTheirAlphasAreEqual) {
    // Two layers are all that four moments tell; the bias takes them apart by a little.
    constexpr double kBiased = 1e-4;
    const auto layers = [](float front, float back) {
        return std::array<std::pair<double, glm::vec4>, 2>{
            {{0.6, {0.125f, 0.25f, 1.0f, back}}, {-0.4, {1.0f, 0.5f, 0.0f, front}}}};
    };
    for (const auto& [front, back] : {std::pair(0.25f, 0.75f), std::pair(0.75f, 0.125f)}) {
        const PaneScene scene = stacked(layers(front, back));
        expect_near(blended(scene, 0.0), blended_by_sorting(scene, as_it_is), kBiased,
                    fmt::format("alphas {} and {}", front, back));
        // Otherwise a share of each layer lies before itself.
        const double share = 0.25;
        const double hides = -std::log(1.0 - static_cast<double>(front));
        const double hidden = -std::log(1.0 - static_cast<double>(back));
        const double near = static_cast<double>(front) * std::exp(-share * hides);
        const double far = static_cast<double>(back) * std::exp(-hides - share * hidden);
        const glm::dvec3 average =
            (near * glm::dvec3(1.0, 0.5, 0.0) + far * glm::dvec3(0.125, 0.25, 1.0)) / (near + far);
        const double through = std::exp(-hides - hidden);
        const glm::dvec3 color = average * (1.0 - through) + through * glm::dvec3(scene.background);
        expect_near(blended(scene, share), std::vector(63, glm::dvec4(color, 1.0)), kBiased,
                    "a share of each");
    }
    const PaneScene equal = stacked(layers(0.5f, 0.5f));
    expect_near(blended(equal, 0.25), blended_by_sorting(equal, as_it_is), kBiased, "equal");
}

/// Sixteen layers, of which column i shows layer i alone: black are all the others.
PaneScene one_layer_a_column(std::span<const float> alphas) {
    PaneScene scene{.width = 16, .height = 4, .panes = {}, .solids = {}};
    scene.background = {0.0f, 0.0f, 0.0f, 1.0f};
    for (std::uint32_t column = 0; column < 16; ++column)
        for (std::uint32_t layer = 0; layer < 16; ++layer) {
            const float light = layer == column ? 1.0f : 0.0f;
            scene.panes.push_back({.left = static_cast<double>(column),
                                   .right = column + 1.0,
                                   .top = 0,
                                   .bottom = 4,
                                   .z = 9.0f - 1.1f * static_cast<float>(layer),
                                   .color = {light, light, light, alphas[layer]},
                                   .draw = 16 * column + layer});
        }
    return scene;
}

TEST_F(MomentsTest, LessComesThroughToWhatLiesFartherAway) {
    std::mt19937 random(73);
    for (int i = 0; i < 4; ++i) {
        std::array<float, 16> alphas{};
        for (float& alpha : alphas)
            alpha = static_cast<float>(
                        1 + std::uniform_int_distribution<int>(0, i == 3 ? 15 : 5)(random)) /
                    16.0f;
        const HostImage got = blended(one_layer_a_column(alphas), 0.25);
        ASSERT_FALSE(got.empty());
        float before = 0.0f;
        for (std::uint32_t layer = 0; layer < 16; ++layer) {
            const float comes = got.texel(layer, 1)[0] / alphas[layer];
            if (layer > 0) {
                EXPECT_LE(comes, before * 1.001f) << "set " << i << ", layer " << layer;
            }
            before = comes;
        }
    }
}

TEST_F(MomentsTest, WhatComesThroughOfTheBackgroundIsExact) {
    std::mt19937 random(79);
    for (const bool opaque : {false, true}) {
        PaneScene scene = random_panes(random, 37, 20, 20);
        scene.background = {1.0f, 0.5f, 0.25f, 1.0f};
        for (Pane& pane : scene.panes) {
            pane.color = {0.0f, 0.0f, 0.0f, opaque ? pane.color.a : 0.5f * pane.color.a};
        }
        expect_near(blended(scene, 0.25), blended_by_sorting(scene, as_it_is), 20 * 1.2e-7,
                    opaque ? "opaque ones among them" : "all let through");
    }
}

TEST_F(MomentsTest, ManyLayersAreNearerToSortingThanTheirWeightedAverage) {
    std::mt19937 random(83);
    const PaneScene scene = random_panes(random, 37, 24, 24);
    const auto expected = blended_by_sorting(scene, as_it_is);
    Graph g = graph();
    const Seen seen = see(g, scene);
    g.output("moments", add_moments(g, seen, 0.25, MomentSums::automatic));
    g.output("six", add_moments(g, seen, 0.25, MomentSums::automatic, MomentPowers::six));
    g.output("eight", add_moments(g, seen, 0.25, MomentSums::automatic, MomentPowers::eight));
    g.output("weighted",
             g.add(passes::WeightedBlended{.scene = seen.scene, .view = seen.view}).color);
    testing_gpu::Running running = run(std::move(g));
    const auto error = [&](const HostImage& got) {
        double squares = 0.0;
        for (std::uint32_t i = 0; i < expected.size(); ++i)
            for (int c = 0; c < 3; ++c)
                squares += std::pow(
                    static_cast<double>(got.texel(i % 37, i / 37)[static_cast<std::size_t>(c)]) -
                        expected[i][c],
                    2.0);
        return std::sqrt(squares / (3.0 * static_cast<double>(expected.size())));
    };
    const double moments = error(running.image("moments"));
    const double weighted = error(running.image("weighted"));
    // The errors are 0.016 and 0.047. A broken order or weight is
    // off by more than a tenth.
    EXPECT_LT(moments, 0.5 * weighted);
    EXPECT_LT(moments, 0.02);
    EXPECT_LT(error(running.image("six")), moments);
    EXPECT_LT(error(running.image("eight")), error(running.image("six")));
}

TEST_F(MomentsTest, DepthsInPerspectiveCountAsLogarithmsOfDistances) {
    constexpr double kNear = 0.5;
    constexpr double kFar = 40.0;
    SceneBuilder builder;
    Camera camera;
    camera.position = {0.0f, 0.0f, 30.0f};
    camera.near_plane = static_cast<float>(kNear);
    camera.far_plane = static_cast<float>(kFar);
    camera.vertical_fov = 50.0f;
    builder.camera(camera);
    const std::pair<double, glm::vec4> layers[] = {{2.0, {1.0f, 0.0f, 0.25f, 0.25f}},
                                                   {4.0, {0.0f, 1.0f, 0.0f, 0.5f}},
                                                   {5.0, {1.0f, 1.0f, 0.5f, 0.25f}},
                                                   {16.0, {0.25f, 0.0f, 1.0f, 0.75f}},
                                                   {30.0, {0.5f, 0.25f, 0.0f, 0.5f}}};
    std::vector<Absorber> all;
    for (const auto& [distance, color] : layers) {
        const auto z = static_cast<float>(30.0 - distance);
        builder.quad(builder.material(SceneBuilder::unlit(color, AlphaMode::blend)),
                     glm::scale(glm::translate(glm::mat4(1.0f), {0.0f, 0.0f, z}),
                                glm::vec3(static_cast<float>(distance))));
        all.push_back({2.0 * std::log(distance / kNear) / std::log(kFar / kNear) - 1.0,
                       static_cast<double>(color.a), glm::dvec3(color)});
    }
    Graph g = graph();
    const glm::vec4 background(0.25f, 0.5f, 1.0f, 1.0f);
    const Seen seen = see(g, std::move(builder).finish(), 8, 8, 1, background);
    g.output("blending", add_moments(g, seen, 0.25, MomentSums::blending));
    g.output("lists", add_moments(g, seen, 0.25, MomentSums::lists));
    testing_gpu::Running running = run(std::move(g));
    // At a distance of 30 rounding a depth of clip space moves it by 1e-4, a place by 2e-6.
    const glm::dvec4 expected(blended_by_moments(all, glm::dvec3(background), 0.25), 1.0);
    for (const char* sums : {"blending", "lists"})
        expect_near(running.image(sums), std::vector(64, expected), 1e-4, sums);
}

TEST_F(MomentsTest, BlendingIsRefusedWhereTheDeviceHasNone) {
    for (const MomentSums sums : {MomentSums::blending, MomentSums::automatic}) {
        DeviceCaps caps = device().caps();
        caps.float32_blending = false;
        Graph g(shaders());
        g.set_target(caps);
        const std::pair<double, glm::vec4> layer[] = {{0.3, {0.75f, 0.5f, 0.125f, 0.5f}}};
        g.output("color", add_moments(g, see(g, stacked(layer)), 0.25, sums));
        const auto plan = compile(std::move(g).finish(), caps);
        if (sums == MomentSums::automatic) {
            EXPECT_TRUE(plan);
        } else {
            ASSERT_FALSE(plan);
            EXPECT_EQ(plan.error().front().code, "oit/no-blending");
        }
    }
}

} // namespace
} // namespace tuff
