// Lists of fragments mean the same to all passes, whoever makes them.

#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/oit/multi_layer.hpp"
#include "passes/oit/shade.hpp"
#include "passes/oit/statistics.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

using passes::FragmentLayout;
using passes::FragmentLists;
using passes::FragmentPacking;
using passes::OitCapture;
using passes::OitResolve;
using passes::OverdrawStatistics;

class OitInterchange : public OitTest {
  protected:
    /// The triangles of a scene in lists, drawn by compute kernels.
    static FragmentLists triangles(Graph& g, const Seen& seen) {
        passes::CaptureFragments capture{.mesh = g.add(passes::Triangles{.scene = seen.scene}).mesh,
                                         .clip_from_mesh = seen.view.view_projection,
                                         .capacity = 1u << 16};
        const Extent extent = g.extent(seen.view.color);
        capture.width = extent.width;
        capture.height = extent.height;
        return g.add(capture).lists;
    }
    static FragmentLists colored(Graph& g, const Seen& seen, FragmentPacking packing) {
        passes::OitShade shade{.scene = seen.scene, .view = seen.view, .packing = packing};
        shade.captured = triangles(g, seen);
        return g.add(shade).lists;
    }
    static FragmentLists drawn(Graph& g, const Seen& seen, FragmentLayout layout,
                               FragmentPacking packing) {
        OitCapture capture{.scene = seen.scene, .view = seen.view, .layout = layout};
        capture.pool.packing = packing;
        capture.pool.layers = 40.0f;
        return g.add(capture).lists;
    }
    static Image resolved(Graph& g, const Seen& seen, const FragmentLists& lists) {
        OitResolve resolve = exact_ways().resolve;
        resolve.lists = lists;
        resolve.view = seen.view;
        return g.add(resolve).color;
    }
};

TEST_F(OitInterchange, ListsOfComputeKernelsResolveToTheBitsOfThoseThatAreDrawn) {
    std::mt19937 random(101);
    // At whole pixels nobody's grid matters. Colours of sixteenths are themselves as half floats,
    // however their interpolation is rounded. Of 20 panes some share their depths.
    for (const std::uint32_t count : {1u, 12u, 20u}) {
        PaneScene scene = random_panes(random, 29, count, count == 20 ? 8 : count);
        scene.solids.push_back({.left = 4,
                                .right = 20,
                                .top = 3,
                                .bottom = 17,
                                .z = 0.05f,
                                .color = {0.5f, 0.25f, 0.75f, 1.0f}});
        Graph g = graph();
        const Seen seen = see(g, scene);
        const FragmentPacking hdr = FragmentPacking::hdr;
        g.output("computed", resolved(g, seen, colored(g, seen, hdr)));
        g.output("linked", resolved(g, seen, drawn(g, seen, FragmentLayout::linked, hdr)));
        g.output("arrays", resolved(g, seen, drawn(g, seen, FragmentLayout::arrays, hdr)));
        testing_gpu::Running running = run(std::move(g));
        const HostImage computed = running.image("computed");
        expect_near(computed, blended_by_sorting(scene, quantized_half), 4e-7 * (count + 1),
                    fmt::format("{} panes", count));
        EXPECT_EQ(running.image("linked").texels, computed.texels) << count;
        EXPECT_EQ(running.image("arrays").texels, computed.texels) << count;
    }
}

TEST_F(OitInterchange, StatisticsCountWhateverIsStored) {
    std::mt19937 random(103);
    const PaneScene scene = random_panes(random, 27, 14, 14);
    Graph g = graph();
    const Seen seen = see(g, scene);
    const std::pair<const char*, FragmentLists> all[] = {
        {"triangles", triangles(g, seen)},
        {"colored", colored(g, seen, FragmentPacking::standard)},
        {"linked", drawn(g, seen, FragmentLayout::linked, FragmentPacking::standard)},
        {"tight", drawn(g, seen, FragmentLayout::linked, FragmentPacking::tight)},
        {"arrays", drawn(g, seen, FragmentLayout::arrays, FragmentPacking::hdr)}};
    for (const auto& [name, lists] : all)
        g.output(name, g.add(OverdrawStatistics{.lists = lists}).lengths);
    testing_gpu::Running running = run(std::move(g));
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 27 * 27; ++i)
        expected.push_back(
            static_cast<std::uint32_t>(std::ranges::count_if(scene.panes, [&](const Pane& pane) {
                return pane.covers(i % 27 + 0.5, i / 27 + 0.5);
            })));
    EXPECT_GT(std::ranges::max(expected), 3u);
    for (const auto& one : all)
        EXPECT_EQ(running.buffer<std::uint32_t>(one.first), expected) << one.first;
}

TEST_F(OitInterchange, PixelsWhoseFragmentsDoNotAllFitInArraysHaveNone) {
    std::mt19937 random(107);
    const PaneScene scene = random_panes(random, 24, 12, 12);
    std::vector<glm::dvec4> expected = blended_by_sorting(scene, quantized_8bit);
    const auto capacity = static_cast<std::uint32_t>(fragments_of(scene) / 2);
    std::uint32_t before = 0;
    std::uint32_t cut = 0; // pixels of which a part would have fit
    for (std::uint32_t i = 0; i < expected.size(); ++i) {
        const std::uint32_t first = before;
        for (const Pane& pane : scene.panes)
            before += pane.covers(i % 24 + 0.5, i / 24 + 0.5);
        if (before > capacity) expected[i] = glm::dvec4(scene.background);
        cut += first < capacity && before > capacity;
    }
    ASSERT_EQ(cut, 1u);
    Ways ways = exact_ways();
    ways.capture.layout = FragmentLayout::arrays;
    ways.capture.pool.capacity = capacity;
    expect_near(draw(scene, ways).color, expected, 1e-5, "half of the room");
}

TEST_F(OitInterchange, FragmentsOfAnotherPayloadAreRefused) {
    const auto code_of = [&](auto&& add) {
        std::mt19937 random(1);
        Graph g = graph();
        const Seen seen = see(g, random_panes(random, 8, 2, 2));
        add(g, seen);
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(code_of([](Graph& g, const Seen& seen) { resolved(g, seen, triangles(g, seen)); }),
              "oit/no-colors");
    EXPECT_EQ(code_of([](Graph& g, const Seen& seen) {
                  g.add(passes::MultiLayer{.lists = triangles(g, seen), .view = seen.view});
              }),
              "oit/no-colors");
    EXPECT_EQ(code_of([](Graph& g, const Seen& seen) {
                  passes::OitShade shade{.scene = seen.scene, .view = seen.view};
                  shade.captured =
                      drawn(g, seen, FragmentLayout::arrays, FragmentPacking::standard);
                  g.add(shade);
              }),
              "oit/no-triangles");
}

} // namespace
} // namespace tuff
