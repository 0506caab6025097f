#include "passes/oit/bench_sheets.hpp"
#include "passes/oit/capture.hpp"
#include "passes/oit/compute.hpp"
#include "passes/oit/depth_peel.hpp"
#include "passes/oit/resolve.hpp"

#include <tuff/scene_resources.hpp>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tuff::bench {
namespace {

using passes::FragmentLayout;
using passes::FragmentPacking;

void lists(CaseBuilder& c, FragmentLayout layout, FragmentPacking packing, std::uint32_t layers,
           passes::TileChoice tiles) {
    const SheetsView ready = prepare_sheets(c, layers);
    Graph& g = c.graph();
    g.push_scope("oit");
    passes::OitCapture capture{.scene = ready.scene, .view = ready.view, .layout = layout};
    capture.pool.packing = packing;
    capture.pool.layers = static_cast<float>(layers);
    const passes::FragmentLists captured = g.add(capture).lists;
    const Image color =
        g.add(passes::OitResolve{.lists = captured, .view = ready.view, .tiles = tiles}).color;
    g.pop_scope();
    check_sheets(c, ready, color, packing == FragmentPacking::tight ? 0.2 : kHalfFloatError);
}

/// The chapter's only figure: samples that are resolved each for itself, or all of a pixel while
/// its list is gone through once.
void multisampled(CaseBuilder& c, std::uint32_t samples, passes::ResolveRate rate) {
    if ((c.caps().sample_counts & samples) == 0)
        return c.skip(fmt::format("the device has no {} samples a pixel", samples));
    constexpr std::uint32_t kLayers = 8;
    const SheetsView ready = prepare_sheets(c, kLayers, samples);
    Graph& g = c.graph();
    g.push_scope("captured");
    passes::OitCapture capture{.scene = ready.scene, .view = ready.view};
    capture.pool.layers = 2.0f * kLayers; // where the triangles of a sheet meet there are two
    const passes::FragmentLists captured = g.add(capture).lists;
    g.pop_scope();
    g.push_scope("oit");
    const Image color =
        g.add(passes::OitResolve{.lists = captured, .view = ready.view, .rate = rate}).color;
    g.pop_scope();
    check_sheets(c, ready, color, kHalfFloatError);
}

/// Lists that are sorted in memory, as a baseline.
void in_place(CaseBuilder& c) {
    const SheetsView ready = prepare_sheets(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    passes::FragmentLists lists =
        g.add(passes::OitCapture{.scene = ready.scene, .view = ready.view}).lists;
    ComputeNodeBuilder node = g.compute("oit/sort_in_place");
    passes::specialize_fragments(node, lists);
    node.set("size", lists.area.size);
    node.set("capacity", lists.capacity);
    static_cast<void>(node.write("heads", lists.heads));
    static_cast<void>(node.write("fragments", lists.fragments));
    node.read("background", ready.view.color, Sampler::nearest());
    const Image color = node.write(
        "result", g.image("color", {.format = Format::rgba16_sfloat, .extent = ready.extent}));
    node.dispatch_over(ready.extent);
    g.pop_scope();
    check_sheets(c, ready, color, kHalfFloatError);
}

void compute(CaseBuilder& c, std::uint32_t layers, std::uint32_t keep) {
    const SheetsView ready = prepare_sheets(c, layers);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::OitCompute{.scene = ready.scene, .view = ready.view, .keep = keep}).color;
    g.pop_scope();
    check_sheets(c, ready, color, kHalfFloatError);
}

void peel(CaseBuilder& c) {
    const SheetsView ready = prepare_sheets(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::DepthPeel{.scene = ready.scene, .view = ready.view, .layers = 8}).color;
    g.pop_scope();
    check_sheets(c, ready, color, kHalfFloatError);
}

} // namespace

void add_oit_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build,
                         std::uint64_t most = kMaxSheetPixels) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 64,
                   .most = most,
                   .most_on_software = kMaxSheetPixelsOnSoftware});
    };
    using passes::TileChoice;
    add(passes::OitCompute::kName, "8 layers", [](CaseBuilder& c) { compute(c, 8, 8); });
    add(passes::OitCompute::kName, "8 layers by 16", [](CaseBuilder& c) { compute(c, 8, 16); });
    add(passes::OitCompute::kName, "64 layers", [](CaseBuilder& c) { compute(c, 64, 16); });
    const auto add_lists = [&](std::string name, FragmentLayout layout, FragmentPacking packing,
                               std::uint32_t layers, TileChoice tiles) {
        // Nodes of the tight packing are numbered in 24 bits, one fewer than 8 layers of 2^21.
        add(
            passes::OitResolve::kName, std::move(name),
            [=](CaseBuilder& c) { lists(c, layout, packing, layers, tiles); },
            packing == FragmentPacking::tight ? kMaxSheetPixels / 8 : kMaxSheetPixels);
    };
    add_lists("linked lists 16 bytes 8 layers", FragmentLayout::linked, FragmentPacking::standard,
              8, TileChoice::buckets);
    add_lists("linked lists 16 bytes 8 layers all tiles", FragmentLayout::linked,
              FragmentPacking::standard, 8, TileChoice::all);
    add_lists("linked lists 12 bytes 8 layers", FragmentLayout::linked, FragmentPacking::compact, 8,
              TileChoice::buckets);
    add_lists("linked lists 8 bytes 8 layers", FragmentLayout::linked, FragmentPacking::tight, 8,
              TileChoice::buckets);
    add_lists("two-pass arrays 12 bytes 8 layers", FragmentLayout::arrays,
              FragmentPacking::standard, 8, TileChoice::buckets);
    add_lists("two-pass arrays 12 bytes 64 layers", FragmentLayout::arrays,
              FragmentPacking::standard, 64, TileChoice::buckets);
    add(passes::OitResolve::kName, "linked lists 16 bytes 8 layers sorted in place", in_place);
    for (const std::uint32_t samples : {4u, 8u})
        for (const auto rate : {passes::ResolveRate::sample, passes::ResolveRate::pixel})
            add(
                passes::OitResolve::kName,
                fmt::format("8 layers of {} samples by {}", samples,
                            rate == passes::ResolveRate::pixel ? "pixel" : "sample"),
                [=](CaseBuilder& c) { multisampled(c, samples, rate); }, kMaxSheetPixels / 4);
    add(passes::DepthPeel::kName, "8 layers", peel);
}

} // namespace tuff::bench
