// Other ways to the same picture: tiles, peeling, compute kernels, samples.

#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/deform.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/oit/compute.hpp"
#include "passes/oit/depth_peel.hpp"
#include "passes/oit/shade.hpp"
#include "passes/oit/statistics.hpp"
#include "passes/oit/tiled.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <tuff/graph_runner.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace tuff {
namespace {

using passes::BinChoice;
using passes::OitCapture;
using passes::OitCompute;
using passes::OitResolve;
using passes::OitTiled;
using passes::TileChoice;

constexpr double kHalfFloatStep = 1.0 / 1024.0; // of half floats, whose pictures these are

std::size_t texels_that_differ(const HostImage& a, const HostImage& b, double tolerance) {
    std::size_t count = 0;
    for (std::uint32_t y = 0; y < a.extent.height; ++y)
        for (std::uint32_t x = 0; x < a.extent.width; ++x) {
            const auto one = a.texel(x, y);
            const auto other = b.texel(x, y);
            count += !std::ranges::equal(one, other, [&](float p, float q) {
                return std::abs(static_cast<double>(p - q)) <= tolerance;
            });
        }
    return count;
}

TEST_F(OitTest, TilesBucketsAndPeelsAgree) {
    std::mt19937 random(23);
    PaneScene scene = random_panes(random, 40, 9, 9);
    for (Pane& pane : scene.panes) { // leaves a margin, and tiles without anything
        pane.right = std::min(pane.right, 30.0);
        pane.left = std::clamp(pane.left, 3.0, 25.0);
        pane.bottom = std::min(pane.bottom, 33.0);
        pane.right = std::max(pane.right, pane.left + 1);
        pane.bottom = std::max(pane.bottom, pane.top + 1);
    }
    Graph g = graph();
    const Seen seen = see(g, scene);
    const auto captured = g.add(OitCapture{.scene = seen.scene, .view = seen.view}).lists;
    const auto resolved = [&](TileChoice tiles) {
        return g.add(OitResolve{.lists = captured, .view = seen.view, .tiles = tiles}).color;
    };
    g.output("all", resolved(TileChoice::all));
    g.output("buckets", resolved(TileChoice::buckets));
    const glm::uvec2 sides[] = {{16, 16}, {17, 13}, {40, 40}};
    for (const auto area : {passes::TiledArea::everywhere, passes::TiledArea::bounds})
        for (std::size_t i = 0; i < std::size(sides); ++i) {
            OitTiled tiled{.scene = seen.scene, .view = seen.view, .tile = sides[i], .area = area};
            tiled.pool.layers = 9.0f;
            g.output(fmt::format("tiled {} {}", static_cast<int>(area), i), g.add(tiled).color);
        }
    g.output("peeled",
             g.add(passes::DepthPeel{.scene = seen.scene, .view = seen.view, .layers = 9}).color);
    const auto statistics = g.add(passes::OverdrawStatistics{.lists = captured, .most = 5.0f});
    g.output("heat", statistics.color);
    g.output("histogram", statistics.histogram);
    g.output("summary", statistics.summary);

    testing_gpu::Running running = run(std::move(g));
    const auto expected = blended_by_sorting(scene, quantized_8bit);
    const HostImage all = running.image("all");
    expect_near(all, expected, kHalfFloatStep, "all");
    EXPECT_EQ(running.image("buckets").texels, all.texels);
    for (int area = 0; area < 2; ++area)
        for (std::size_t i = 0; i < std::size(sides); ++i)
            EXPECT_EQ(running.image(fmt::format("tiled {} {}", area, i)).texels, all.texels)
                << sides[i].x << "x" << sides[i].y;
    expect_near(running.image("peeled"), expected, 1e-5, "peeled");

    std::vector<std::uint32_t> lengths(passes::OverdrawStatistics::kLengths);
    std::uint32_t longest = 0;
    for (std::uint32_t i = 0; i < 1600; ++i) {
        const auto covers = [&](const Pane& pane) {
            return pane.covers(i % 40 + 0.5, i / 40 + 0.5);
        };
        const auto count = static_cast<std::uint32_t>(std::ranges::count_if(scene.panes, covers));
        longest = std::max(longest, count);
        ++lengths[count];
    }
    EXPECT_EQ(running.buffer<std::uint32_t>("histogram"), lengths);
    // One colour a layer, and white from the fifth on.
    constexpr float kHeat[6][3] = {{0, 0, 0},           {0.05f, 0.08f, 0.45f}, {0.02f, 0.45f, 0.4f},
                                   {0.35f, 0.7f, 0.1f}, {1, 0.55f, 0.05f},     {1, 1, 1}};
    const HostImage heat = running.image("heat");
    for (std::uint32_t i = 0; i < 1600; ++i) {
        const auto layers = std::ranges::count_if(
            scene.panes, [&](const Pane& pane) { return pane.covers(i % 40 + 0.5, i / 40 + 0.5); });
        const auto texel = heat.texel(i % 40, i / 40);
        for (std::size_t c = 0; c < 3; ++c)
            ASSERT_NEAR(texel[c], kHeat[std::min<std::ptrdiff_t>(layers, 5)][c], kHalfFloatStep)
                << i % 40 << ", " << i / 40;
    }
    const auto summary = running.buffer<std::uint32_t>("summary");
    EXPECT_EQ(summary[0], longest);
    std::uint32_t below = 0; // pixels with no more layers than the 99th percentile has
    for (std::uint32_t i = 0; i <= summary[1]; ++i)
        below += lengths[i];
    EXPECT_GE(below, 1584u);
    EXPECT_LT(below - lengths[summary[1]], 1584u);
    EXPECT_EQ(summary[3], 1600 - lengths[0]);
}

TEST_F(OitTest, EachRectangleShadesItsOwnFragmentsAlone) {
    std::mt19937 random(37);
    const PaneScene scene = random_panes(random, 40, 9, 9);
    for (const glm::uvec2 side : {glm::uvec2(16, 16), glm::uvec2(17, 13)}) {
        Graph g = graph();
        const Seen seen = see(g, scene);
        OitTiled tiled{.scene = seen.scene, .view = seen.view, .tile = side};
        tiled.area = passes::TiledArea::everywhere;
        tiled.pool.capacity = 0; // each fragment that is shaded is told to have found no room
        g.output("color", g.add(tiled).color);
        const GraphDesc desc = std::move(g).finish();
        std::size_t pixels = 0;
        for (const NodePayload& payload : desc.payloads)
            if (const auto* raster = std::get_if<RasterNode>(&payload); raster && raster->scissor) {
                EXPECT_LE(raster->scissor->width, side.x);
                EXPECT_LE(raster->scissor->height, side.y);
                pixels += std::size_t{raster->scissor->width} * raster->scissor->height;
            }
        EXPECT_EQ(pixels, std::size_t{40} * 40);

        GraphRunner runner(device());
        ASSERT_TRUE(runner.take(desc, shaders()));
        ASSERT_TRUE(runner.executor()->execute());
        const auto warnings = runner.executor()->warnings();
        ASSERT_TRUE(warnings);
        ASSERT_EQ(warnings->size(), 1u);
        EXPECT_EQ(warnings->front().message.find(fmt::format(": {} of ", fragments_of(scene))),
                  std::string_view("tiled").size())
            << warnings->front().message;
    }
}

TEST_F(OitTest, GlassThatLeavesItsBoundsIsNotCutOff) {
    PaneScene scene{.width = 40, .height = 40, .panes = {}, .solids = {}};
    scene.panes = {
        {.left = 3, .right = 9, .top = 2, .bottom = 38, .z = 1, .color = {1, 0, 0, 0.5f}},
        {.left = 5, .right = 8, .top = 4, .bottom = 30, .z = 2, .color = {0, 1, 0, 0.25f}}};
    Graph g = graph();
    const Seen seen = see(g, scene);
    passes::Deform deform{.source = seen.scene, .time = 0.5f, .rate = 0.5f};
    deform.center = {0.0f, -20.0f, 0.0f}; // the lower edge of the picture
    deform.bend = {0.015f, 0.0f};
    const Scene moved = g.add(deform).scene;
    const auto lists = g.add(OitCapture{.scene = moved, .view = seen.view}).lists;
    g.output("lists",
             g.add(OitResolve{.lists = lists, .view = seen.view, .tiles = TileChoice::all}).color);
    g.output("tiled", g.add(OitTiled{.scene = moved, .view = seen.view, .tile = {16, 16}}).color);
    testing_gpu::Running running = run(std::move(g));
    const HostImage whole = running.image("lists");
    EXPECT_EQ(running.image("tiled").texels, whole.texels);
    std::size_t outside = 0; // glass where no box has been
    for (std::uint32_t y = 0; y < 40; ++y)
        for (std::uint32_t x = 12; x < 40; ++x)
            outside += whole.texel(x, y)[0] > 0.3f;
    EXPECT_GT(outside, 40u);
}

TEST_F(OitTest, TilesInComputeKernelsGiveThePictureOfASorter) {
    std::mt19937 random(29);
    for (const std::uint32_t count : {0u, 1u, 12u, 70u}) {
        // Seventy lie on eight depths, and are more than are kept.
        PaneScene scene = random_panes(random, 37, count, count == 70 ? 8 : count + 1);
        for (std::size_t i = 0; i < scene.panes.size() && count == 12; ++i)
            scene.panes[i].mode = static_cast<std::uint32_t>(i % 4);
        scene.solids.push_back({.left = 9,
                                .right = 21,
                                .top = 2,
                                .bottom = 15,
                                .z = 0.07f,
                                .color = {0.5f, 0.25f, 0.75f, 1.0f}});
        Graph g = graph();
        const Seen seen = see(g, scene);
        OitCompute compute{.scene = seen.scene, .view = seen.view, .keep = 5};
        for (const Pane& pane : scene.panes)
            compute.modes.push_back(static_cast<float>(pane.mode));
        compute.bins = BinChoice::off;
        g.output("off", g.add(compute, "off").color);
        compute.bins = BinChoice::on;
        const OitCompute binned = g.add(compute, "on");
        g.output("on", binned.color);
        g.output("status", binned.status);
        testing_gpu::Running running = run(std::move(g));
        const HostImage picture = running.image("off");
        expect_near(picture, blended_by_sorting(scene, quantized_8bit),
                    2.0 * kHalfFloatStep * (count == 12 ? 4.0 : 1.0),
                    fmt::format("{} panes", count));
        EXPECT_EQ(running.image("on").texels, picture.texels) << count;
        const auto status = running.buffer<std::uint32_t>("status");
        EXPECT_EQ(status[0], status[1]);
        EXPECT_EQ(status[0], 2 * count);
    }
}

/// Panes that go through each other and reach behind the eye, lit and in perspective.
SceneData tilted_panes() {
    SceneBuilder builder;
    Camera camera;
    camera.position = {0.3f, 0.4f, 2.5f};
    camera.near_plane = 0.1f;
    camera.far_plane = 20.0f;
    camera.vertical_fov = 60.0f;
    builder.camera(camera);
    for (int i = 0; i < 9; ++i) {
        const float turn = static_cast<float>(i);
        SceneMaterial material = SceneBuilder::plain(
            {0.1f * turn, 0.9f - 0.1f * turn, 0.5f, 0.2f + 0.08f * turn}, 0.0f, 0.6f);
        material.alpha_mode = AlphaMode::blend;
        material.flags |= material_double_sided;
        glm::mat4 world = glm::rotate(glm::mat4(1.0f), 0.7f * turn, glm::vec3(0.3f, 1.0f, 0.2f));
        if (i == 8) // a floor that goes on behind the eye
            world = glm::scale(glm::rotate(glm::translate(glm::mat4(1.0f), {0.0f, -0.7f, 0.0f}),
                                           -1.570796f, glm::vec3(1.0f, 0.0f, 0.0f)),
                               glm::vec3(30.0f));
        SceneBuilder::Quad quad;
        quad.color = {1.0f, 0.5f + 0.05f * turn, 1.0f, 1.0f};
        builder.quad(builder.material(material), world, quad);
    }
    return std::move(builder).finish();
}

TEST_F(OitTest, TilesInComputeKernelsGiveThePictureOfListsWhereSurfacesAreLit) {
    Graph g = graph();
    const SceneData data = tilted_panes();
    passes::MeshRaster opaque;
    opaque.scene = add_scene(g, "scene", pack_scene(data));
    opaque.width = 61;
    opaque.height = 47;
    opaque.samples = 1;
    opaque.camera.mode = passes::CameraMode::file;
    opaque.sun.shadows = false;
    opaque.background = {0.1f, 0.2f, 0.3f, 1.0f};
    opaque.blended = passes::BlendedDraws::left_out;
    const passes::SceneView view = g.add(opaque, "opaque").view;
    OitCapture capture{.scene = opaque.scene, .view = view};
    capture.pool.packing = passes::FragmentPacking::hdr;
    capture.pool.layers = 9.0f;
    const auto lists = g.add(capture).lists;
    g.output("lists",
             g.add(OitResolve{.lists = lists, .view = view, .tiles = TileChoice::all}).color);
    g.output("tiles", g.add(OitCompute{.scene = opaque.scene,
                                       .view = view,
                                       .packing = passes::FragmentPacking::hdr})
                          .color);
    // The same from fragments of the compute rasterizer.
    passes::CaptureFragments raster;
    raster.mesh = g.add(passes::Triangles{.scene = opaque.scene}).mesh;
    raster.width = opaque.width;
    raster.height = opaque.height;
    raster.clip_from_mesh = view.view_projection;
    raster.capacity = 10 * opaque.width * opaque.height;
    passes::OitShade shade{
        .scene = opaque.scene, .view = view, .packing = passes::FragmentPacking::hdr};
    shade.captured = g.add(raster).lists;
    g.output("shaded",
             g.add(OitResolve{.lists = g.add(shade).lists, .view = view, .tiles = TileChoice::all})
                 .color);
    testing_gpu::Running running = run(std::move(g));
    const HostImage from_lists = running.image("lists");
    const HostImage from_raster = running.image("shaded");
    const HostImage from_tiles = running.image("tiles");
    ASSERT_FALSE(from_lists.empty() || from_tiles.empty());
    // Edges lie a sixteenth of a pixel apart at most, and so do lines along which panes cross.
    const std::size_t pixels = 61 * 47;
    EXPECT_LT(texels_that_differ(from_lists, from_tiles, 0.01), pixels / 40);
    EXPECT_LT(texels_that_differ(from_tiles, from_raster, 0.01), pixels / 40);
    EXPECT_GT(texels_that_differ(from_lists, make_image(from_lists.format, from_lists.extent), 0.1),
              pixels / 2);
}

/// Single-sided glass that looks here and away, mirrored and not, before and behind a wall.
SceneData faces_before_a_wall() {
    SceneBuilder builder;
    builder.camera(16.0f);
    for (int i = 0; i < 8; ++i) {
        const bool mirrored = (i & 1) != 0;
        const bool away = (i & 2) != 0;
        const bool behind = (i & 4) != 0;
        const float share = 0.1f * static_cast<float>(i + 1);
        glm::mat4 world = glm::translate(glm::mat4(1.0f),
                                         glm::vec3(-12.0f + 8.0f * static_cast<float>(i % 4),
                                                   behind ? -8.0f : 8.0f, behind ? -2.0f : 2.0f));
        world = glm::scale(world, glm::vec3(mirrored ? -3.0f : 3.0f, 7.0f, 1.0f));
        if (away) world = glm::rotate(world, 3.14159265f, glm::vec3(0.0f, 1.0f, 0.0f));
        builder.quad(builder.material(
                         SceneBuilder::unlit({share, 1.0f - share, 0.5f, 0.5f}, AlphaMode::blend)),
                     world);
    }
    // Covers the right half of all.
    const glm::mat4 wall = glm::scale(glm::translate(glm::mat4(1.0f), glm::vec3(8.0f, 0.0f, 0.0f)),
                                      glm::vec3(8.0f, 16.0f, 1.0f));
    builder.quad(builder.material(SceneBuilder::unlit({0.25f, 0.25f, 0.75f, 1.0f})), wall);
    return std::move(builder).finish();
}

TEST_F(OitTest, CapturedTrianglesShowTheFacesThatListsKeepBeforeWhatIsSolid) {
    constexpr std::uint32_t kSide = 32;
    Graph g = graph();
    const glm::vec4 background(0.125f);
    const Seen seen = see(g, faces_before_a_wall(), kSide, kSide, 1, background);
    const auto resolved = [&](const passes::FragmentLists& lists) {
        return g.add(OitResolve{.lists = lists, .view = seen.view, .tiles = TileChoice::all}).color;
    };
    g.output("lists", resolved(g.add(OitCapture{.scene = seen.scene, .view = seen.view}).lists));
    passes::CaptureFragments raster;
    raster.mesh = g.add(passes::Triangles{.scene = seen.scene}).mesh;
    raster.width = raster.height = kSide;
    raster.clip_from_mesh = seen.view.view_projection;
    passes::OitShade shade{.scene = seen.scene, .view = seen.view};
    shade.captured = g.add(raster).lists;
    g.output("shaded", resolved(g.add(shade).lists));
    g.output("tiles", g.add(OitCompute{.scene = seen.scene, .view = seen.view}).color);
    testing_gpu::Running running = run(std::move(g));
    const HostImage lists = running.image("lists");
    EXPECT_EQ(texels_that_differ(lists, running.image("shaded"), kHalfFloatStep), 0u);
    EXPECT_EQ(texels_that_differ(lists, running.image("tiles"), kHalfFloatStep), 0u);
    // In the middle of each pane: seen where it looks here, and not behind the wall.
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t x = 4 + 8 * (i % 4);
        const bool shown = (i & 2) == 0 && (i < 4 || x < 16);
        const float share = 0.1f * static_cast<float>(i + 1);
        const float behind = x < 16 ? 0.125f : 0.25f;
        EXPECT_NEAR(lists.texel(x, i < 4 ? 8 : 24)[0],
                    shown ? 0.5f * share + 0.5f * behind : behind, 0.01f)
            << i;
    }
}

/// The places of four samples in a pixel ("Multisampling" in the Vulkan specification).
constexpr glm::dvec2 kPlaces[] = {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};

std::vector<glm::dvec4> averaged(const PaneScene& scene, std::span<const glm::dvec2> places) {
    std::vector<glm::dvec4> sum(std::size_t{scene.width} * scene.height);
    for (const glm::dvec2 place : places) {
        const auto picture = blended_by_sorting(scene, quantized_8bit, place);
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += picture[i] / static_cast<double>(places.size());
    }
    return sum;
}

TEST_F(OitTest, SamplesOfAPixelAreBlendedEachWithItsOwnFragments) {
    std::mt19937 random(31);
    PaneScene scene = random_panes(random, 16, 7, 7);
    for (Pane& pane : scene.panes) { // edges within pixels
        pane.left += 0.25;
        pane.top += 0.5;
        pane.right += 0.75;
        pane.bottom += 0.25;
    }
    scene.solids.push_back({.left = 1.5,
                            .right = 14.25,
                            .top = 2.25,
                            .bottom = 13.5,
                            .z = 0.07f,
                            .color = {0.5f, 0.25f, 0.75f, 1.0f}});
    const auto expected = averaged(scene, kPlaces);
    for (const auto captured : {passes::CaptureRate::pixel, passes::CaptureRate::sample})
        for (const auto layout : {passes::FragmentLayout::linked, passes::FragmentLayout::arrays})
            for (const auto resolved : {passes::ResolveRate::pixel, passes::ResolveRate::sample})
                for (const auto order : {passes::BlendOrder::over, passes::BlendOrder::under})
                    for (const glm::vec2 depths : {glm::vec2(0.0f, 1.0f), glm::vec2(0.0f, 0.85f)}) {
                        const bool under = order == passes::BlendOrder::under;
                        const bool by_pixel = resolved == passes::ResolveRate::pixel;
                        if (by_pixel && under) continue; // is refused
                        if (layout == passes::FragmentLayout::arrays && !by_pixel) continue;
                        Ways ways = exact_ways();
                        ways.samples = 4;
                        ways.capture.layout = layout;
                        ways.capture.pool.rate = captured;
                        ways.capture.pool.layers = 8.0f;
                        ways.capture.pool.depths = depths; // to which the solid is near
                        ways.resolve.rate = resolved;
                        ways.resolve.order = order;
                        ways.resolve.tiles = TileChoice::all;
                        const Drawn drawn = draw(scene, ways);
                        EXPECT_EQ(drawn.status.lost, 0u);
                        expect_near(drawn.color, expected, 4.0 / 1024.0,
                                    fmt::format("capture {} resolve {} order {} depths to {}",
                                                static_cast<int>(captured),
                                                static_cast<int>(resolved), static_cast<int>(order),
                                                depths.y));
                    }

    // Four samples come nearer to many than one does.
    std::vector<glm::dvec2> many;
    for (int i = 0; i < 64; ++i)
        many.emplace_back((i % 8 + 0.5) / 8.0, (i / 8 + 0.5) / 8.0);
    const auto reference = averaged(scene, many);
    const auto once = blended_by_sorting(scene, quantized_8bit);
    double four_off = 0.0;
    double one_off = 0.0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        four_off += glm::length(expected[i] - reference[i]);
        one_off += glm::length(once[i] - reference[i]);
    }
    EXPECT_LT(four_off, 0.5 * one_off);
}

TEST_F(OitTest, WhatCannotBeIsRefusedWithItsCode) {
    const auto code_of = [&](auto&& add, std::uint32_t samples) {
        std::mt19937 random(1);
        Graph g = graph();
        const Seen seen = see(g, random_panes(random, 8, 2, 2), samples);
        g.output("color", add(g, seen));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    const auto listed = [](auto change) {
        return [change](Graph& g, const Seen& seen) {
            OitCapture capture{.scene = seen.scene, .view = seen.view};
            OitResolve resolve{.view = seen.view};
            change(capture, resolve);
            resolve.lists = g.add(capture).lists;
            return g.add(resolve).color;
        };
    };
    EXPECT_EQ(
        code_of(listed([](auto& c, auto&) { c.pool.packing = passes::FragmentPacking::tight; }), 4),
        "oit/packing");
    EXPECT_EQ(code_of(listed([](auto& c, auto&) { c.pool.capacity = 999'999'999; }), 1),
              "oit/pool-too-large");
    EXPECT_EQ(code_of(listed([](auto& c, auto&) { c.modes = {4.0f}; }), 1), "pass/out-of-range");
    EXPECT_EQ(code_of(listed([](auto& c, auto&) {
                          c.pool.depths = {1.0f, 1.0f};
                      }),
                      1),
              "pass/out-of-range");
    EXPECT_EQ(code_of(listed([](auto&, auto& r) { r.keep = 0; }), 1), "pass/out-of-range");
    EXPECT_EQ(code_of(listed([](auto&, auto& r) { r.order = passes::BlendOrder::under; }), 4),
              "oit/under-samples");
    const auto computed = [](Graph& g, const Seen& seen) {
        return g.add(OitCompute{.scene = seen.scene, .view = seen.view}).color;
    };
    EXPECT_EQ(code_of(computed, 4), "oit/samples");
    const auto peeled = [](Graph& g, const Seen& seen) {
        return g.add(passes::DepthPeel{.scene = seen.scene, .view = seen.view}).color;
    };
    EXPECT_EQ(code_of(peeled, 4), "oit/samples");
    // As many samples as the device lacks.
    std::uint32_t lacking = 0;
    for (const std::uint32_t samples : {2u, 4u, 8u})
        if ((device().caps().sample_counts & samples) == 0) lacking = samples;
    if (lacking > 0) {
        EXPECT_EQ(code_of(listed([](auto&, auto&) {}), lacking), "graph/image-samples");
    }
    EXPECT_EQ(code_of(listed([](auto&, auto&) {}), 64), "pass/out-of-range");
}

} // namespace
} // namespace tuff
