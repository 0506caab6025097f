#include "apps/bench/checks.hpp"
#include "passes/lights/bench_hall.hpp"
#include "passes/lights/shade.hpp"
#include "passes/lights/tiled.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>

/// Lighting by lists, and what shows them.
namespace tuff::bench {
namespace {

using passes::CullLights;
using passes::LightHeat;
using passes::ShadeLights;

constexpr std::uint64_t kCheckedHeatPixels = 64;

void add_shade_case(CaseList& cases, std::string name, std::uint32_t count, CullLights culling) {
    const auto build = [count, culling](CaseBuilder& c) {
        const Hall hall = make_hall(c);
        CullLights lists = in_hall(culling, hall);
        lists.lights = lights_in_hall(c, count);
        lists = c.graph().add(lists);
        ShadeLights pass = in_hall(ShadeLights{.lights = lists.lights,
                                               .grid = lists.grid,
                                               .normal = hall.normal,
                                               .albedo = hall.albedo},
                                   hall);
        c.output("by_lists", c.add(pass, "shade").result);
        c.time_only("shade/");
        pass.grid = {};
        c.output("by_all", c.graph().add(pass, "all").result);
        c.check([](CaseResults& results) {
            return pictures_agree(results, {.absolute = 1e-4, .relative = 1e-3});
        });
    };
    cases.add({.pass = std::string(ShadeLights::kName),
               .name = std::move(name),
               .build = build,
               .most = 1u << 24,
               .most_on_software = 1u << 12});
}

/// Culling and shading in one kernel.
void add_tiled_case(CaseList& cases, std::string name, std::uint32_t count) {
    const auto build = [count](CaseBuilder& c) {
        const Hall hall = make_hall(c);
        const passes::TiledLights pass = in_hall(
            passes::TiledLights{
                .lights = lights_in_hall(c, count), .normal = hall.normal, .albedo = hall.albedo},
            hall);
        c.output("by_lists", c.add(pass, "tiled").result);
        c.time_only("tiled/");
        c.output("by_all", c.graph()
                               .add(in_hall(ShadeLights{.lights = pass.lights,
                                                        .normal = hall.normal,
                                                        .albedo = hall.albedo},
                                            hall),
                                    "all")
                               .result);
        c.check([](CaseResults& results) {
            return pictures_agree(results, {.absolute = 1e-4, .relative = 1e-3});
        });
    };
    cases.add({.pass = std::string(passes::TiledLights::kName),
               .name = std::move(name),
               .build = build,
               .most = 1u << 24,
               .most_on_software = 1u << 12});
}

/// Numbers of some pixels are those of the bits of their masks.
void heat(CaseBuilder& c) {
    const Hall hall = make_hall(c);
    CullLights lists = in_hall(CullLights{.split = passes::DepthSplit::none}, hall);
    lists.lights = lights_in_hall(c, 256);
    lists = c.graph().add(lists);
    c.output("numbers", c.add(in_hall(LightHeat{.grid = lists.grid}, hall), "heat").numbers);
    c.output("masks", lists.grid.masks);
    c.time_only("heat/");
    c.check([hall, grid = lists.grid](CaseResults& results) -> Verdict {
        const HostImage numbers = results.read_image("numbers");
        const auto masks = results.read<std::uint32_t>("masks");
        if (numbers.empty() || masks.empty()) return std::unexpected("there is no result");
        for (std::uint64_t k = 0; k < kCheckedHeatPixels; ++k) {
            const std::uint32_t x = hash32(2 * k) % hall.extent.width;
            const std::uint32_t y = hash32(2 * k + 1) % hall.extent.height;
            const std::size_t tile = std::size_t{y / grid.side} * grid.tiles_x() + x / grid.side;
            int wanted = 0;
            for (std::uint32_t w = 0; hall.depth_at(x, y) < 1.0f && w < grid.words; ++w)
                wanted += std::popcount(masks[tile * grid.words + w]);
            if (numbers.texel(x, y)[0] != static_cast<float>(wanted))
                return std::unexpected(fmt::format("{}, {} has another number", x, y));
        }
        return {};
    });
}

} // namespace

void add_lights_shade_cases(CaseList& cases) {
    using passes::CullTest, passes::LightLists, passes::LightTile;
    add_shade_case(cases, "1024 lights", 1024, {});
    add_shade_case(cases, "1024 lights of lists by pixels", 1024, {.test = CullTest::pixels});
    add_shade_case(cases, "1024 lights of capped lists", 1024, {.form = LightLists::capped});
    add_shade_case(cases, "1024 lights of tiles of 32", 1024, {.side = LightTile::side32});
    add_shade_case(cases, "16384 lights", 16384, {});
    add_tiled_case(cases, "1024 lights", 1024);
    add_tiled_case(cases, "16384 lights", 16384);
    cases.add({.pass = std::string(LightHeat::kName),
               .name = "256 lights",
               .build = heat,
               .most = 1u << 24,
               .most_on_software = 1u << 14});
}

} // namespace tuff::bench
