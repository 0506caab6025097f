#include "apps/bench/checks.hpp"
#include "passes/lights/bench_hall.hpp"
#include "passes/lights/cluster.hpp"
#include "passes/lights/tree.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <set>
#include <string>

/// Finding the lights of tiles.
namespace tuff::bench {
namespace {

using passes::ClusterLights;
using passes::CullLights;
using passes::GenerateLights;

constexpr std::uint64_t kCheckedTiles = 48;

/// Lights as they were culled, and their lists, on the host.
struct CulledLists {
    std::vector<std::uint32_t> masks;
    std::vector<std::uint32_t> summaries;
    std::vector<glm::vec4> bounds;
    std::vector<glm::vec4> spheres;
    std::vector<passes::LightShade> shades;

    bool reaches(std::uint32_t i, glm::dvec3 point) const {
        const glm::dvec3 from_light = point - glm::dvec3(spheres[i]);
        const double away = glm::length(from_light);
        return away < static_cast<double>(spheres[i].w) * (1.0 - 1e-5) &&
               (shades[i].cos_outer < -1.0f ||
                glm::dot(glm::dvec3(shades[i].direction), from_light) >
                    (static_cast<double>(shades[i].cos_outer) + 1e-5) * away);
    }
    std::set<std::uint32_t> lights_of(const passes::LightGrid& grid, std::size_t list) const {
        std::set<std::uint32_t> lights;
        for (std::uint32_t w = 0; w < grid.words; ++w) {
            if (!(summaries[list * grid.summary_words + w / 32] >> (w % 32) & 1)) continue;
            for (std::uint32_t left = masks[list * grid.words + w]; left != 0; left &= left - 1)
                lights.insert(32 * w + static_cast<std::uint32_t>(std::countr_zero(left)));
        }
        return lights;
    }
};

/// What the pixels of some tiles try and what they need.
struct HallWork {
    double pixels = 0, tried = 0, lit = 0, of_tiles = 0, of_lists = 0;
};

/// Of a tile each light that reaches a pixel is in the pixel's list.
Verdict check_tile(const Hall& hall, const passes::LightGrid& grid, const CulledLists& found,
                   std::uint32_t tile, HallWork& work) {
    const std::uint32_t x0 = tile % grid.tiles_x() * grid.side;
    const std::uint32_t y0 = tile / grid.tiles_x() * grid.side;
    std::array<std::set<std::uint32_t>, 2> listed, needed;
    for (std::uint32_t l = 0; l < grid.lists_a_tile; ++l)
        listed[l] = found.lights_of(grid, std::size_t{tile} * grid.lists_a_tile + l);
    std::array<double, 2> pixels{};
    for (std::uint32_t y = y0; y < std::min(y0 + grid.side, hall.extent.height); ++y)
        for (std::uint32_t x = x0; x < std::min(x0 + grid.side, hall.extent.width); ++x) {
            const float depth = hall.depth_at(x, y);
            if (depth >= 1.0f) continue;
            const std::size_t l = grid.lists_a_tile == 2 && depth > found.bounds[tile].y ? 1 : 0;
            const glm::dvec3 point = hall.point(x, y, static_cast<double>(depth));
            pixels[l] += 1.0;
            for (std::uint32_t i = 0; i < grid.count; ++i) {
                if (!found.reaches(i, point)) continue;
                needed[l].insert(i);
                work.lit += 1.0;
                if (!listed[l].contains(i))
                    return std::unexpected(fmt::format("light {} is missing at {}, {}", i, x, y));
            }
        }
    std::set<std::uint32_t> all = needed[0];
    all.insert(needed[1].begin(), needed[1].end());
    for (std::size_t l = 0; l < 2; ++l) {
        work.pixels += pixels[l];
        work.tried += pixels[l] * static_cast<double>(listed[l].size());
        work.of_lists += pixels[l] * static_cast<double>(needed[l].size());
        work.of_tiles += pixels[l] * static_cast<double>(all.size());
    }
    return {};
}

Verdict none_is_missing(const Hall& hall, const passes::LightGrid& grid, CaseResults& results) {
    const CulledLists found{results.read<std::uint32_t>("masks"),
                            results.read<std::uint32_t>("summaries"),
                            results.read<glm::vec4>("bounds"), results.read<glm::vec4>("spheres"),
                            results.read<passes::LightShade>("shades")};
    if (found.masks.size() != std::size_t{grid.list_count()} * grid.words ||
        found.spheres.size() < grid.count)
        return std::unexpected("there is no result");
    HallWork work;
    // Tries of pixels and lights that are finished in a second.
    const std::uint64_t tiles = std::clamp<std::uint64_t>(
        100'000'000 / (std::uint64_t{grid.count} * grid.side * grid.side), 2, kCheckedTiles);
    for (std::uint64_t k = 0; k < tiles; ++k) {
        const std::uint32_t tile = hash32(k) % (grid.tiles_x() * grid.tiles_y());
        if (const Verdict right = check_tile(hall, grid, found, tile, work); !right) return right;
    }
    const auto share = [](double a, double b) { return b > 0.0 ? a / b : 1.0; };
    results.set_remark(fmt::format("{:.2f} lights a pixel; {:.2f} reach it; {:.3f} of the exact "
                                   "set of its tile; {:.3f} of its "
                                   "list",
                                   share(work.tried, work.pixels), share(work.lit, work.pixels),
                                   share(work.tried, work.of_tiles),
                                   share(work.tried, work.of_lists)));
    return {};
}

enum class Ordered { no, by_tree };

void add_cull_case(CaseList& cases, std::string name, std::uint32_t count, CullLights pass,
                   Ordered ordered = Ordered::no) {
    const auto build = [count, pass, ordered](CaseBuilder& c) {
        constexpr std::uint32_t kMaxLights = 8192; // tiles of small pictures meet most of them
        if (count > kMaxLights && pass.test == passes::CullTest::pixels &&
            !c.caps().unbounded_loops)
            return c.skip("the device ends long loops");
        const Hall hall = make_hall(c);
        CullLights connected = in_hall(pass, hall);
        connected.lights = lights_in_hall(c, count);
        if (ordered == Ordered::by_tree)
            connected.lights = c.graph().add(passes::LightTree{.source = connected.lights}).lights;
        connected = c.add(connected, "cull");
        c.time_only("cull/");
        c.output("masks", connected.grid.masks);
        c.output("summaries", connected.grid.summaries);
        c.output("bounds", connected.grid.bounds);
        c.output("spheres", connected.lights.spheres);
        c.output("shades", connected.lights.shades);
        c.check([hall, grid = connected.grid](CaseResults& results) {
            return none_is_missing(hall, grid, results);
        });
    };
    cases.add({.pass = std::string(CullLights::kName),
               .name = std::move(name),
               .build = build,
               .most = 1u << 24,
               .most_on_software = 1u << 14});
}

/// All lights are in their box, with ranges between the two that are given.
void generated(CaseBuilder& c) {
    const auto count = static_cast<std::uint32_t>(c.size());
    const GenerateLights pass = c.add(GenerateLights{.count = count});
    c.check<glm::vec4>("spheres", pass.lights.spheres, [count](std::span<const glm::vec4> got) {
        if (got.size() != count) return Verdict(std::unexpected("there is no result"));
        for (const glm::vec4& sphere : got)
            for (int axis = 0; axis < 3; ++axis)
                if (!(std::abs(sphere[axis]) <= 1.0f && sphere.w >= 0.1f && sphere.w <= 0.3f))
                    return Verdict(std::unexpected("a light is outside of the box"));
        return Verdict();
    });
}

/// Each light is within the ball of its 32 and of its 1024, and the same lights are there.
void tree(CaseBuilder& c) {
    const auto count = static_cast<std::uint32_t>(c.size());
    const passes::Lights lights = c.graph().add(GenerateLights{.count = count}).lights;
    const passes::LightTree pass = c.add(passes::LightTree{.source = lights}, "tree");
    c.time_only("tree/");
    c.output("before", lights.spheres);
    c.output("spheres", pass.lights.spheres);
    c.output("nodes", pass.lights.nodes);
    c.output("tops", pass.lights.tops);
    c.check<std::uint32_t>("order", pass.order, [](std::span<const std::uint32_t> order) {
        std::vector<std::uint32_t> sorted(order.begin(), order.end());
        std::ranges::sort(sorted);
        for (std::uint32_t i = 0; i < sorted.size(); ++i)
            if (sorted[i] != i) return Verdict(std::unexpected("a light is missing"));
        return Verdict();
    });
    c.check([count](CaseResults& results) -> Verdict {
        const auto spheres = results.read<glm::vec4>("spheres");
        const auto nodes = results.read<glm::vec4>("nodes");
        const auto tops = results.read<glm::vec4>("tops");
        if (spheres.size() != count || nodes.size() * 32 < count || tops.size() * 1024 < count)
            return std::unexpected("there is no result");
        for (std::size_t i = 0; i < count; ++i)
            for (const glm::vec4& ball : {nodes[i / 32], tops[i / 1024]})
                if (glm::distance(glm::vec3(ball), glm::vec3(spheres[i])) + spheres[i].w >
                    ball.w * 1.00001f)
                    return std::unexpected(fmt::format("light {} is not in its ball", i));
        return {};
    });
}

/// Clusters of 32 pixels and 64 slices: lights at places of the view are in them.
void clusters(CaseBuilder& c) {
    const Hall hall = make_hall(c);
    const passes::Lights lights = lights_in_hall(c, 1024);
    const ClusterLights pass = c.add(ClusterLights{.lights = lights,
                                                   .scene = hall.scene,
                                                   .width = hall.extent.width,
                                                   .height = hall.extent.height,
                                                   .camera = hall.camera()},
                                     "cluster");
    c.time_only("cluster/");
    c.output("masks", pass.grid.masks);
    c.output("bins", pass.grid.bins);
    c.output("spheres", lights.spheres);
    c.output("shades", lights.shades);
    c.check([hall, grid = pass.grid](CaseResults& results) -> Verdict {
        const auto masks = results.read<std::uint32_t>("masks");
        const auto bins = results.read<std::uint32_t>("bins");
        const auto spheres = results.read<glm::vec4>("spheres");
        const auto shades = results.read<passes::LightShade>("shades");
        if (masks.empty() || bins.empty() || spheres.size() != grid.count)
            return std::unexpected("there is no result");
        const glm::dmat4 clip_from_world = glm::inverse(hall.world_from_clip);
        for (std::uint32_t i = 0; i < grid.count; ++i) {
            const glm::dvec4 clip = clip_from_world * glm::dvec4(glm::dvec3(spheres[i]), 1.0);
            const glm::dvec3 at = glm::dvec3(clip) / clip.w;
            if (shades[i].cos_outer >= -1.0f) continue; // a spot is on the rim of what it lights
            if (!(clip.w > 0.2 && std::abs(at.x) < 1.0 && std::abs(at.y) < 1.0)) continue;
            const auto x = static_cast<std::uint32_t>((at.x + 1.0) * 0.5 * hall.extent.width);
            const auto y = static_cast<std::uint32_t>((at.y + 1.0) * 0.5 * hall.extent.height);
            const std::uint32_t tile = y / grid.side * grid.tiles_x() + x / grid.side;
            const double place = std::log2(clip.w / 0.2) / std::log2(80.0 / 0.2) * 64.0;
            const std::uint32_t both =
                masks[tile * grid.words + i / 32] &
                bins[static_cast<std::uint32_t>(place) * grid.words + i / 32];
            if (!(both >> (i % 32) & 1))
                return std::unexpected(fmt::format("light {} is not where it is", i));
        }
        return {};
    });
}

} // namespace

void add_lights_cases(CaseList& cases) {
    using passes::CullTest, passes::DepthSplit, passes::LightLayout, passes::LightTile,
        passes::MacroTiles;
    add_cull_case(cases, "1024 lights", 1024, {});
    add_cull_case(cases, "1024 lights by pixels", 1024, {.test = CullTest::pixels});
    add_cull_case(cases, "1024 lights by both and half splits", 1024, {.split = DepthSplit::half});
    add_cull_case(cases, "1024 lights exact with a mask of slices", 1024,
                  {.test = CullTest::exact, .split = DepthSplit::mask});
    add_cull_case(cases, "1024 lights by pixels in one list", 1024,
                  {.test = CullTest::pixels, .split = DepthSplit::none});
    add_cull_case(cases, "1024 lights of tiles of 8", 1024, {.side = LightTile::side8});
    add_cull_case(cases, "1024 lights of tiles of 32", 1024, {.side = LightTile::side32});
    // Each tile tries each light: the chapter's, and its steps.
    const CullLights chapter{.test = CullTest::planes,
                             .split = DepthSplit::none,
                             .bounds = passes::BoundsMethod::atomics,
                             .macro = MacroTiles::off};
    CullLights step = chapter;
    step.side = LightTile::side8;
    step.layout = LightLayout::combined;
    add_cull_case(cases, "chapter: 1024 lights of combined structs and tiles of 8", 1024, step);
    step.layout = LightLayout::separate;
    add_cull_case(cases, "chapter: separate arrays", 1024, step);
    add_cull_case(cases, "chapter: tiles of 16", 1024, chapter);
    step = chapter;
    step.test = CullTest::both;
    step.split = DepthSplit::modified_half;
    step.bounds = passes::BoundsMethod::tree;
    add_cull_case(cases, "chapter: boxes and a modified half split", 1024, step);
    add_cull_case(cases, "2048 lights", 2048, {});
    add_cull_case(cases, "16384 lights", 16384, {});
    add_cull_case(cases, "2048 lights by pixels", 2048, {.test = CullTest::pixels});
    add_cull_case(cases, "16384 lights by pixels", 16384, {.test = CullTest::pixels});
    add_cull_case(cases, "16384 lights with a tree", 16384, {}, Ordered::by_tree);
    add_cull_case(cases, "131072 lights", 131072, {});
    add_cull_case(cases, "131072 lights with a tree", 131072, {}, Ordered::by_tree);
    cases.add({.pass = std::string(GenerateLights::kName),
               .name = "default",
               .build = generated,
               .most = passes::kMaxPlacedLights});
    cases.add({.pass = std::string(passes::LightTree::kName),
               .name = "default",
               .build = tree,
               .most = passes::kMaxPlacedLights});
    cases.add({.pass = std::string(ClusterLights::kName),
               .name = "1024 lights",
               .build = clusters,
               .most = 1u << 24,
               .most_on_software = 1u << 16});
}

} // namespace tuff::bench
