#include "apps/bench/checks.hpp"
#include "passes/oit/capture.hpp"
#include "passes/oit/compute.hpp"
#include "passes/oit/depth_peel.hpp"
#include "passes/oit/resolve.hpp"
#include "passes/oit/stochastic.hpp"
#include "passes/scene/mesh_raster.hpp"

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

/// Sheets of glass that all cover the whole picture, each a grid of quads, tilted so that they go
/// through each other.
struct Sheets {
    std::uint32_t layers = 8;
    std::uint32_t columns = 16;
    std::uint32_t rows = 8;
    float aspect = 2.0f;
    float close = 1e-3f; ///< depths that are closer than this have no order

    /// x and y from -1 to 1 across the picture.
    float height(std::uint32_t layer, float x, float y) const {
        const float tilt_x = 2.0f * hash_unit(3 * layer) - 1.0f;
        const float tilt_y = 2.0f * hash_unit(3 * layer + 1) - 1.0f;
        const float middle = 4.0f * hash_unit(3 * layer + 2) - 2.0f;
        return middle + 1.5f * (tilt_x * x + tilt_y * y);
    }
    /// Multiples of 1/255, which lists hold exactly.
    glm::vec4 color(std::uint32_t layer) const {
        const auto channel = [&](std::uint32_t c, std::uint32_t low) {
            return static_cast<float>(low + hash32(8 * layer + c) % (256 - 2 * low)) / 255.0f;
        };
        return {channel(0, 0), channel(1, 0), channel(2, 0), channel(3, 60)};
    }

    SceneData scene() const {
        SceneData scene;
        for (std::uint32_t layer = 0; layer < layers; ++layer) {
            SceneMaterial material;
            material.base_color = color(layer);
            material.alpha_mode = AlphaMode::blend;
            material.flags = material_unlit | material_double_sided;
            scene.materials.push_back(material);
            scene.material_names.emplace_back("sheet");
            add_sheet(scene, layer);
        }
        Camera camera;
        camera.kind = Projection::orthographic;
        camera.position = {0.0f, 0.0f, 20.0f};
        camera.orthographic_height = 2.0f;
        camera.near_plane = 10.0f;
        camera.far_plane = 30.0f;
        scene.cameras.push_back({"camera", camera});
        return scene;
    }

    /// What one pixel should be; nothing where depths are too close to tell.
    std::optional<glm::dvec3> at(float x, float y, glm::vec3 background) const {
        std::vector<std::uint32_t> order(layers);
        for (std::uint32_t i = 0; i < layers; ++i)
            order[i] = i;
        std::ranges::sort(order, {}, [&](std::uint32_t layer) { return height(layer, x, y); });
        glm::dvec3 sum(background);
        for (std::uint32_t i = 0; i < layers; ++i) {
            if (i > 0 && std::abs(height(order[i], x, y) - height(order[i - 1], x, y)) < close)
                return {};
            const glm::dvec4 c(color(order[i]));
            sum = glm::dvec3(c) * c.a + (1.0 - c.a) * sum;
        }
        return sum;
    }

    /// What oit/weighted_blended makes of one pixel: its formula, in double precision.
    std::optional<glm::dvec3> weighted_at(float x, float y, glm::vec3 background) const {
        glm::dvec3 sum(0.0);
        double weights = 0.0;
        double through = 1.0;
        for (std::uint32_t layer = 0; layer < layers; ++layer) {
            const glm::dvec4 c(color(layer));
            const double nearness = (static_cast<double>(height(layer, x, y)) + 10.0) / 20.0;
            const double weight = c.a * std::max(1e-2, 30.0 * nearness * nearness * nearness);
            sum += weight * glm::dvec3(c);
            weights += weight;
            through *= 1.0 - c.a;
        }
        return sum / weights * (1.0 - through) + through * glm::dvec3(background);
    }

  private:
    void add_sheet(SceneData& scene, std::uint32_t layer) const {
        const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
        SceneDraw draw{.first_index = count(scene.indices),
                       .vertex_offset = static_cast<std::int32_t>(scene.vertices.size()),
                       .material = layer,
                       .transform = count(scene.transforms),
                       .mesh = layer};
        Bounds bounds;
        for (std::uint32_t j = 0; j <= rows; ++j)
            for (std::uint32_t i = 0; i <= columns; ++i) {
                // A little beyond the picture's rim, where no pixel is left out.
                const float x =
                    1.01f * (2.0f * static_cast<float>(i) / static_cast<float>(columns) - 1.0f);
                const float y =
                    1.01f * (2.0f * static_cast<float>(j) / static_cast<float>(rows) - 1.0f);
                Vertex vertex;
                vertex.position = {x * aspect, y, height(layer, x, y)};
                vertex.normal = {0.0f, 0.0f, 1.0f};
                vertex.color_rg = vertex.color_ba = 0xffffffffu;
                scene.vertices.push_back(vertex);
                bounds.min = glm::min(bounds.min, vertex.position);
                bounds.max = glm::max(bounds.max, vertex.position);
                if (i == columns || j == rows) continue;
                const std::uint32_t first = j * (columns + 1) + i;
                const std::uint32_t above = first + columns + 1;
                scene.indices.insert(scene.indices.end(),
                                     {first, first + 1, above + 1, first, above + 1, above});
            }
        draw.index_count = count(scene.indices) - draw.first_index;
        draw.vertex_count = (columns + 1) * (rows + 1);
        scene.transforms.push_back({});
        scene.draws.push_back(draw);
        scene.draw_bounds.push_back(bounds);
        scene.bounds.min = glm::min(scene.bounds.min, bounds.min);
        scene.bounds.max = glm::max(scene.bounds.max, bounds.max);
    }
};

struct Ready {
    Scene scene;
    passes::SceneView view;
    Sheets sheets;
    Extent extent;
};
constexpr glm::vec4 kBackground{0.125f, 0.25f, 0.5f, 1.0f};

Ready prepare(CaseBuilder& c, std::uint32_t layers, std::uint32_t samples = 1) {
    Ready ready;
    ready.extent = c.extent();
    ready.sheets.layers = layers;
    if (samples > 1) {
        // A fragment for each triangle that a pixel touches: few of them, so that few pixels have
        // more than one a sheet.
        ready.sheets.columns = ready.sheets.rows = 1;
        // Where in a pixel a depth is taken is left to the device: two sheets come together by up
        // to 3 along x and y, which go from -1 to 1, and half a pixel lies between.
        ready.sheets.close = 3.0f / static_cast<float>(ready.extent.width) +
                             3.0f / static_cast<float>(ready.extent.height);
    }
    ready.sheets.aspect =
        static_cast<float>(ready.extent.width) / static_cast<float>(ready.extent.height);
    ready.scene = add_scene(c.graph(), "sheets", pack_scene(ready.sheets.scene()));
    passes::MeshRaster opaque{.scene = ready.scene,
                              .width = ready.extent.width,
                              .height = ready.extent.height,
                              .samples = samples,
                              .background = kBackground,
                              .blended = passes::BlendedDraws::left_out};
    opaque.camera.mode = passes::CameraMode::file;
    opaque.sun.shadows = false;
    ready.view = c.graph().add(opaque, "opaque").view;
    return ready;
}

/// What a pixel of the sheets should be, before a background.
using Expected = std::optional<glm::dvec3> (Sheets::*)(float x, float y, glm::vec3) const;

/// Some pixels of the picture; `tolerance` for half floats and rounding.
void check(CaseBuilder& c, const Ready& ready, Image color, double tolerance,
           Expected pixel = &Sheets::at) {
    c.time_only("oit/");
    // Each fragment has to be found once, and each pixel read and written.
    const double pixels = static_cast<double>(ready.extent.width) * ready.extent.height;
    const double fragments = pixels * ready.sheets.layers;
    c.set_cost({.bytes = 20.0 * pixels, .operations = 20.0 * fragments});
    c.check("color", color, [ready, tolerance, pixel](const HostImage& got) -> Verdict {
        constexpr std::uint32_t kChecked = 200;
        for (std::uint32_t i = 0; i < kChecked; ++i) {
            const std::uint32_t x = hash32(2 * i) % ready.extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % ready.extent.height;
            const auto expected = (ready.sheets.*pixel)(
                2.0f * (static_cast<float>(x) + 0.5f) / static_cast<float>(ready.extent.width) -
                    1.0f,
                1.0f -
                    2.0f * (static_cast<float>(y) + 0.5f) / static_cast<float>(ready.extent.height),
                glm::vec3(kBackground));
            if (!expected) continue;
            const auto texel = got.texel(x, y);
            for (int channel = 0; channel < 3; ++channel)
                if (!(std::abs(static_cast<double>(texel[static_cast<std::size_t>(channel)]) -
                               (*expected)[channel]) <= tolerance))
                    return std::unexpected(fmt::format(
                        "texel {}, {} channel {} is {} instead of {}", x, y, channel,
                        texel[static_cast<std::size_t>(channel)], (*expected)[channel]));
        }
        return {};
    });
}

constexpr double kHalf = 2e-3;

void lists(CaseBuilder& c, FragmentLayout layout, FragmentPacking packing, std::uint32_t layers,
           passes::TileChoice tiles) {
    const Ready ready = prepare(c, layers);
    Graph& g = c.graph();
    g.push_scope("oit");
    passes::OitCapture capture{.scene = ready.scene, .view = ready.view, .layout = layout};
    capture.pool.packing = packing;
    capture.pool.layers = static_cast<float>(layers);
    const passes::OitLists captured = g.add(capture).lists;
    const Image color =
        g.add(passes::OitResolve{.lists = captured, .view = ready.view, .tiles = tiles}).color;
    g.pop_scope();
    check(c, ready, color, packing == FragmentPacking::tight ? 0.2 : kHalf);
}

/// The chapter's only figure: samples that are resolved each for itself, or all of a pixel while
/// its list is gone through once.
void multisampled(CaseBuilder& c, std::uint32_t samples, passes::ResolveRate rate) {
    if ((c.caps().sample_counts & samples) == 0)
        return c.skip(fmt::format("the device has no {} samples a pixel", samples));
    constexpr std::uint32_t kLayers = 8;
    const Ready ready = prepare(c, kLayers, samples);
    Graph& g = c.graph();
    g.push_scope("captured");
    passes::OitCapture capture{.scene = ready.scene, .view = ready.view};
    capture.pool.layers = 2.0f * kLayers; // where the triangles of a sheet meet there are two
    const passes::OitLists captured = g.add(capture).lists;
    g.pop_scope();
    g.push_scope("oit");
    const Image color =
        g.add(passes::OitResolve{.lists = captured, .view = ready.view, .rate = rate}).color;
    g.pop_scope();
    check(c, ready, color, kHalf);
}

/// Lists that are sorted in memory, as a baseline.
void in_place(CaseBuilder& c) {
    const Ready ready = prepare(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    passes::OitLists lists =
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
    check(c, ready, color, kHalf);
}

void compute(CaseBuilder& c, std::uint32_t layers, std::uint32_t keep) {
    const Ready ready = prepare(c, layers);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::OitCompute{.scene = ready.scene, .view = ready.view, .keep = keep}).color;
    g.pop_scope();
    check(c, ready, color, kHalf);
}

void peel(CaseBuilder& c) {
    const Ready ready = prepare(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::DepthPeel{.scene = ready.scene, .view = ready.view, .layers = 8}).color;
    g.pop_scope();
    check(c, ready, color, kHalf);
}

void weighted(CaseBuilder& c) {
    const Ready ready = prepare(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::WeightedBlended{.scene = ready.scene, .view = ready.view}).color;
    g.pop_scope();
    // Two sums and a product of half floats, rounded once a layer, and the result.
    check(c, ready, color, (3.0 * 8 + 1.0) / 2048.0, &Sheets::weighted_at);
}

constexpr std::uint32_t kStochasticSamples = 16;

/// The mean of samples: what is off at single pixels is chance, on average it must vanish.
void stochastic(CaseBuilder& c) {
    const Ready ready = prepare(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::StochasticTransparency{
                  .scene = ready.scene, .view = ready.view, .samples = kStochasticSamples})
            .color;
    g.pop_scope();
    c.time_only("oit/");
    const double pixels = static_cast<double>(ready.extent.width) * ready.extent.height;
    c.set_cost({.bytes = 20.0 * pixels, .operations = 20.0 * pixels * ready.sheets.layers});
    c.check("color", color, [ready](const HostImage& got) -> Verdict {
        constexpr std::uint32_t kPlaces = 1000;
        double sum = 0.0;
        double squares = 0.0;
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < kPlaces; ++i) {
            const std::uint32_t x = hash32(2 * i) % ready.extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % ready.extent.height;
            const auto across = [](std::uint32_t at, std::uint32_t size) {
                return 2.0f * (static_cast<float>(at) + 0.5f) / static_cast<float>(size) - 1.0f;
            };
            const auto expected =
                ready.sheets.at(across(x, ready.extent.width), -across(y, ready.extent.height),
                                glm::vec3(kBackground));
            if (!expected) continue;
            const double off = static_cast<double>(got.texel(x, y)[0]) - expected->r;
            sum += off;
            squares += off * off;
            ++count;
        }
        // Of one sample the standard deviation is at most a half. Small pictures have fewer places
        // than are looked at.
        const double deviation = 0.5 / std::sqrt(static_cast<double>(kStochasticSamples));
        const double places = std::min(static_cast<double>(count),
                                       static_cast<double>(got.extent.width) * got.extent.height);
        if (!(std::abs(sum / count) <= 5.0 * deviation / std::sqrt(places)))
            return std::unexpected(fmt::format("the picture is off by {} on average", sum / count));
        if (!(std::sqrt(squares / count) <= 1.2 * deviation))
            return std::unexpected(fmt::format("the error is {}, and {} samples allow {}",
                                               std::sqrt(squares / count), kStochasticSamples,
                                               deviation));
        return {};
    });
}

constexpr std::uint64_t kMost = std::uint64_t{1} << 23; // pixels
constexpr std::uint64_t kMostFragmentsOnSoftware = std::uint64_t{1} << 16;

} // namespace

void add_oit_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t most = kMost) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 64,
                   .most = most,
                   .most_on_software = kMostFragmentsOnSoftware});
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
            packing == FragmentPacking::tight ? kMost / 8 : kMost);
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
                [=](CaseBuilder& c) { multisampled(c, samples, rate); }, kMost / 4);
    add(passes::DepthPeel::kName, "8 layers", peel);
    add(passes::WeightedBlended::kName, "8 layers", weighted);
    add(passes::StochasticTransparency::kName, "8 layers 16 samples", stochastic);
}

} // namespace tuff::bench
