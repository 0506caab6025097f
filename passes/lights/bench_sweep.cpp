#include "apps/bench/checks.hpp"
#include "passes/lights/bench_hall.hpp"
#include "passes/lights/tiled.hpp"
#include "passes/lights/volumes.hpp"

#include <fmt/format.h>

#include <string>

/// The same picture for ever more lights: what each way of culling takes, one kernel or two, and
/// from how many lights on tiles beat light volumes. `tuff bench 'lights/*sweep' --csv lights.csv`
/// makes the table.
namespace tuff::bench {
namespace {

using passes::CullLights;
using passes::CullTest;
using passes::DepthSplit;
using passes::LightVolumes;
using passes::ShadeLights;

constexpr std::uint32_t kMaxSwept = 1024;

/// Lights of one size, so that few lights leave parts dark.
passes::Lights swept_lights(CaseBuilder& c, std::uint32_t count) {
    return c.graph()
        .add(passes::GenerateLights{.count = count,
                                    .low = {-8, 0, -34},
                                    .high = {8, 5, 5},
                                    .least_range = 0.6f,
                                    .greatest_range = 2.0f})
        .lights;
}

ShadeLights lit_hall(const Hall& hall, const passes::Lights& lights, passes::LightGrid grid) {
    return in_hall(ShadeLights{.lights = lights,
                               .grid = std::move(grid),
                               .normal = hall.normal,
                               .albedo = hall.albedo},
                   hall);
}

/// Half floats, of which volumes round each partial sum.
Verdict is_nearly_the_same(CaseResults& results) {
    const HostImage got = results.read_image("lit");
    const HostImage wanted = results.read_image("by_all");
    if (got.empty() || got.texels.size() != wanted.texels.size())
        return std::unexpected("there is no result");
    for (std::uint32_t y = 0; y < wanted.extent.height; y += 3)
        for (std::uint32_t x = 0; x < wanted.extent.width; x += 3)
            for (std::size_t k = 0; k < 3; ++k) {
                const Verdict close = near(static_cast<double>(got.texel(x, y)[k]),
                                           static_cast<double>(wanted.texel(x, y)[k]),
                                           {.absolute = 1e-3, .relative = 1e-2});
                if (!close) return close;
            }
    return {};
}

void tiled_and_culled(CaseBuilder& c, std::uint32_t count, const CullLights& pass) {
    const Hall hall = make_hall(c);
    CullLights cull = in_hall(pass, hall);
    cull.lights = swept_lights(c, count);
    cull = c.add(cull, "timed/cull");
    c.output("lit", c.add(lit_hall(hall, cull.lights, cull.grid), "timed/shade").result);
    c.output("by_all", c.graph().add(lit_hall(hall, cull.lights, {}), "all").result);
    c.time_only("timed/");
    c.check(is_nearly_the_same);
}

void by_one_kernel(CaseBuilder& c, std::uint32_t count) {
    const Hall hall = make_hall(c);
    const passes::Lights lights = swept_lights(c, count);
    c.output("lit", c.add(in_hall(passes::TiledLights{.lights = lights,
                                                      .normal = hall.normal,
                                                      .albedo = hall.albedo},
                                  hall),
                          "timed")
                        .result);
    c.output("by_all", c.graph().add(lit_hall(hall, lights, {}), "all").result);
    c.time_only("timed/");
    c.check(is_nearly_the_same);
}

void by_volumes(CaseBuilder& c, std::uint32_t count) {
    const Hall hall = make_hall(c);
    const passes::Lights lights = swept_lights(c, count);
    c.output(
        "lit",
        c.add(in_hall(LightVolumes{.lights = lights, .normal = hall.normal, .albedo = hall.albedo},
                      hall),
              "timed")
            .result);
    c.output("by_all", c.graph().add(lit_hall(hall, lights, {}), "all").result);
    c.time_only("timed/");
    c.check(is_nearly_the_same);
}

void add_case(CaseList& cases, std::string_view pass, std::string name,
              std::function<void(CaseBuilder&)> build) {
    cases.add({.pass = std::string(pass),
               .name = std::move(name),
               .build = std::move(build),
               .least = 1u << 12, // of fewer pixels the chart would be of launches
               .most = 1u << 23,
               .most_on_software = 1u << 16});
}

} // namespace

void add_lights_sweep_cases(CaseList& cases) {
    struct Variant {
        std::string_view name;
        CullLights pass;
    };
    const std::array<Variant, 4> variants{
        {{"planes and one list", {.test = CullTest::planes, .split = DepthSplit::none}},
         {"planes and half splits", {.test = CullTest::planes, .split = DepthSplit::half}},
         {"planes and tight halves",
          {.test = CullTest::planes, .split = DepthSplit::modified_half}},
         {"planes and boxes and tight halves", {}}}};
    for (std::uint32_t count = 64; count <= kMaxSwept; count *= 2) {
        for (const Variant& variant : variants)
            add_case(
                cases, ShadeLights::kName,
                fmt::format("{} lights with culling by {}: sweep", count, variant.name),
                [count, pass = variant.pass](CaseBuilder& c) { tiled_and_culled(c, count, pass); });
        add_case(cases, passes::TiledLights::kName, fmt::format("{} lights: sweep", count),
                 [count](CaseBuilder& c) { by_one_kernel(c, count); });
        add_case(cases, LightVolumes::kName, fmt::format("{} lights: sweep", count),
                 [count](CaseBuilder& c) { by_volumes(c, count); });
    }
}

} // namespace tuff::bench
