// Pictures with what small ones do not reach: long lists in buckets, several bins of triangles,
// more tiles than a row of groups.

#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/oit/compute.hpp"
#include "passes/oit/depth_peel.hpp"
#include "passes/oit/shade.hpp"
#include "passes/oit/tiled.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tuff {
namespace {

using passes::FragmentLayout;
using passes::FragmentPacking;
using passes::OitCapture;
using passes::OitCompute;
using passes::OitResolve;
using passes::OitTiled;
using passes::TileChoice;

constexpr double kRelativeHalfStep = 1.0 / 1024.0;

/// Forty panes within each other, of `depths` depths in no order: the farther in, the longer the
/// lists. They let enough through that the last one is seen. Colours are steps of 8 bits.
PaneScene nested_panes(std::uint32_t depths) {
    std::mt19937 random(41);
    PaneScene scene{.width = 300, .height = 140, .panes = {}, .solids = {}};
    const auto below = [&](std::uint32_t n) {
        return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random);
    };
    std::vector<std::uint32_t> places(40);
    std::iota(places.begin(), places.end(), 0u);
    std::ranges::shuffle(places, random);
    for (std::uint32_t i = 0; i < 40; ++i) {
        Pane pane{.left = 3.0 * i, .right = 300.0 - 2.0 * i, .top = 1.0 * i, .bottom = 140.0 - i};
        pane.z = static_cast<float>(9.0 - 18.0 * (places[i] % depths) / depths);
        for (int c = 0; c < 3; ++c)
            pane.color[c] = static_cast<float>(below(18)) / 17.0f;
        pane.color.a = static_cast<float>(1 + below(3)) / 17.0f;
        pane.draw = i;
        scene.panes.push_back(pane);
    }
    // The farthest ones of the middle are hidden.
    scene.solids.push_back({.left = 140,
                            .right = 200,
                            .top = 50,
                            .bottom = 130,
                            .z = -4.05f,
                            .color = {0.5f, 0.25f, 0.75f, 1.0f}});
    return scene;
}

TEST_F(OitTest, LongListsOfALargePictureAreThoseOfASorterInEveryMode) {
    TUFF_ONLY_ON(lavapipe);
    const PaneScene scene = nested_panes(25);
    Graph g = graph();
    const Seen seen = see(g, scene);
    std::vector<std::pair<std::string, FragmentPacking>> pictures;
    const auto resolved = [&](const passes::FragmentLists& lists, TileChoice tiles,
                              std::uint32_t keep, passes::BlendOrder order) {
        return g
            .add(OitResolve{.lists = lists,
                            .view = seen.view,
                            .order = order,
                            .keep = keep,
                            .tiles = tiles,
                            .format = passes::OutputFormat::rgba32_sfloat})
            .color;
    };
    for (const auto layout : {FragmentLayout::linked, FragmentLayout::arrays})
        for (const auto packing : {FragmentPacking::standard, FragmentPacking::hdr}) {
            OitCapture capture{.scene = seen.scene, .view = seen.view, .layout = layout};
            capture.pool.packing = packing;
            capture.pool.layers = 40.0f;
            const auto lists = g.add(capture).lists;
            for (const std::uint32_t keep : {16u, 32u})
                for (const auto order : {passes::BlendOrder::over, passes::BlendOrder::under}) {
                    const std::string name = fmt::format(
                        "layout {} packing {} keep {} order {}", static_cast<int>(layout),
                        static_cast<int>(packing), keep, static_cast<int>(order));
                    g.output(name, resolved(lists, TileChoice::buckets, keep, order));
                    pictures.emplace_back(name, packing);
                }
        }
    OitCompute compute{.scene = seen.scene, .view = seen.view};
    compute.bins = passes::BinChoice::off;
    g.output("unbinned", g.add(compute).color);
    compute.bins = passes::BinChoice::on;
    g.output("binned", g.add(compute).color);
    OitTiled tiled{.scene = seen.scene, .view = seen.view, .tile = {128, 64}};
    tiled.pool.layers = 40.0f;
    g.output("tiled", g.add(tiled).color);
    g.output("peeled",
             g.add(passes::DepthPeel{.scene = seen.scene, .view = seen.view, .layers = 40}).color);
    passes::CaptureFragments raster;
    raster.mesh = g.add(passes::Triangles{.scene = seen.scene}).mesh;
    raster.width = scene.width;
    raster.height = scene.height;
    raster.clip_from_mesh = seen.view.view_projection;
    raster.capacity = 42 * scene.width * scene.height;
    passes::OitShade shade{.scene = seen.scene, .view = seen.view};
    shade.captured = g.add(raster).lists;
    g.output("shaded",
             resolved(g.add(shade).lists, TileChoice::buckets, 32, passes::BlendOrder::over));

    testing_gpu::Running running = run(std::move(g));
    const auto expected = blended_by_sorting(scene, quantized_8bit);
    constexpr double kFloats = 4e-7 * 41;
    for (const auto& [name, packing] : pictures) {
        const Quantize quantize = packing == FragmentPacking::hdr ? quantized_half : quantized_8bit;
        expect_near(running.image(name), blended_by_sorting(scene, quantize), kFloats, name);
    }
    expect_near(running.image("shaded"), expected, kFloats, "shaded");
    expect_near(running.image("peeled"), expected, kFloats, "peeled");
    for (const char* name : {"unbinned", "binned", "tiled"})
        expect_near(running.image(name), expected, kRelativeHalfStep, name);
}

TEST_F(OitTest, LongListsOfTightFragmentsAreThoseOfASorter) {
    TUFF_ONLY_ON(lavapipe);
    const PaneScene scene = nested_panes(40); // which triangle is in front they cannot tell
    Ways ways = exact_ways();
    ways.capture.pool.packing = FragmentPacking::tight;
    ways.capture.pool.layers = 40.0f;
    ways.resolve.tiles = TileChoice::buckets;
    for (const std::uint32_t keep : {16u, 32u}) {
        ways.resolve.keep = keep;
        expect_near(draw(scene, ways).color, blended_by_sorting(scene, quantized_565), 4e-7 * 41,
                    fmt::format("keep {}", keep));
    }
}

TEST_F(OitTest, BucketsWithMoreTilesThanARowOfGroupsAreWhole) {
    TUFF_ONLY_ON(lavapipe);
    // 33,280 tiles of 8x8 pixels in one bucket, and 32,768 groups a row.
    PaneScene scene{.width = 4096, .height = 520, .panes = {}, .solids = {}};
    scene.panes = {{.left = 0,
                    .right = 4096,
                    .top = 0,
                    .bottom = 520,
                    .z = 1,
                    .color = {1.0f, 0.0f, 0.5f, 0.5f}}};
    Graph g = graph();
    const Seen seen = see(g, scene);
    OitCapture capture{.scene = seen.scene, .view = seen.view};
    capture.pool.packing = FragmentPacking::compact;
    capture.pool.layers = 1.0f;
    g.output("color", g.add(OitResolve{.lists = g.add(capture).lists, .view = seen.view}).color);
    testing_gpu::Running running = run(std::move(g));
    expect_near(running.image("color"), blended_by_sorting(scene, quantized_8bit),
                kRelativeHalfStep, "all tiles");
}

/// The formula of oit/weighted_blended in double precision (McGuire and Bavoil, equation 10).
std::vector<glm::dvec4> weighted_average(const PaneScene& scene) {
    std::vector<glm::dvec4> picture;
    for (std::uint32_t y = 0; y < scene.height; ++y)
        for (std::uint32_t x = 0; x < scene.width; ++x) {
            glm::dvec4 below(scene.background);
            double solid = -100.0;
            for (const Pane& pane : scene.solids)
                if (pane.covers(x + 0.5, y + 0.5) && static_cast<double>(pane.z) > solid) {
                    solid = static_cast<double>(pane.z);
                    below = glm::dvec4(pane.color);
                }
            glm::dvec3 sum(0.0);
            double weights = 0.0;
            double through = 1.0;
            for (const Pane& pane : scene.panes) {
                const double z = static_cast<double>(pane.z);
                if (!pane.covers(x + 0.5, y + 0.5) || z <= solid) continue;
                const glm::dvec4 color(pane.color);
                const double nearness = (z + 10.0) / 20.0;
                const double weight = color.a * std::max(1e-2, 30.0 * std::pow(nearness, 3.0));
                sum += weight * glm::dvec3(color);
                weights += weight;
                through *= 1.0 - color.a;
            }
            const glm::dvec3 average = weights > 0.0 ? sum / weights : glm::dvec3(0.0);
            picture.emplace_back(average * (1.0 - through) + through * glm::dvec3(below),
                                 1.0 - through * (1.0 - below.a));
        }
    return picture;
}

TEST_F(OitTest, WeightedBlendingIsTheAverageOfItsFormula) {
    for (const std::uint32_t count : {0u, 1u, 6u}) {
        std::mt19937 random(43);
        PaneScene scene = random_panes(random, 32, count, count);
        for (std::size_t i = 0; i < scene.panes.size(); ++i) { // near, far and at the floor
            scene.panes[i].z = i % 3 == 2 ? -9.5f : 9.0f - 2.5f * static_cast<float>(i);
            scene.panes[i].color.a = std::max(scene.panes[i].color.a, 1.0f / 16.0f);
        }
        scene.solids.push_back({.left = 9,
                                .right = 21,
                                .top = 2,
                                .bottom = 15,
                                .z = 2.0f,
                                .color = {0.5f, 0.25f, 0.75f, 1.0f}});
        Graph g = graph();
        const Seen seen = see(g, scene);
        g.output("color",
                 g.add(passes::WeightedBlended{.scene = seen.scene, .view = seen.view}).color);
        testing_gpu::Running running = run(std::move(g));
        // Two sums and a product of half floats, rounded once a layer, and the result.
        expect_near(running.image("color"), weighted_average(scene),
                    (3.0 * count + 1.0) * 0.5 * kRelativeHalfStep, fmt::format("{} panes", count));
    }
}

} // namespace
} // namespace tuff
