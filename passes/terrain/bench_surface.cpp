#include "apps/bench/checks.hpp"
#include "passes/terrain/heights.hpp"
#include "passes/terrain/planet.hpp"
#include "passes/terrain/shade_planet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

/// Maps of as many texels as the case has elements.
namespace tuff::bench {
namespace {

void noise_map(CaseBuilder& c, passes::HeightKind kind) {
    passes::MakeHeights pass{.kind = kind, .octaves = 5};
    pass.width = c.extent().width;
    pass.height = c.extent().height;
    // Noise is 0 at the lattice's points, and bounded by the sum of its octaves.
    c.check("map", c.add(pass).result, [kind](const HostImage& map) -> Verdict {
        if (kind == passes::HeightKind::fbm && std::abs(map.texel(0, 0)[0]) > 1e-5f)
            return std::unexpected(fmt::format("the corner is {} high", map.texel(0, 0)[0]));
        float least = 2.0f, most = -2.0f;
        for (std::uint32_t y = 0; y < map.extent.height; ++y)
            for (std::uint32_t x = 0; x < map.extent.width; ++x) {
                least = std::min(least, map.texel(x, y)[0]);
                most = std::max(most, map.texel(x, y)[0]);
            }
        if (!(least > -2.0f && most < 2.0f && most > least))
            return std::unexpected(fmt::format("heights are {} to {}", least, most));
        return {};
    });
}

float height_of(std::uint64_t i) {
    return static_cast<float>(hash32(static_cast<std::uint32_t>(i)) >> 8) / 16777216.0f;
}

void bounds(CaseBuilder& c) {
    const auto map = c.image<float>("map", Format::r32_sfloat, height_of);
    const Image made = c.add(passes::HeightBounds{.heights = map.image}).bounds;
    const Extent extent = c.extent();
    c.check("bounds", made, [extent](const HostImage& got) -> Verdict {
        for (std::uint32_t k = 0; k < 64; ++k) {
            const std::uint32_t x = hash32(2 * k) % got.extent.width;
            const std::uint32_t y = hash32(2 * k + 1) % got.extent.height;
            float least = 2.0f, most = -2.0f;
            for (std::uint32_t corner = 0; corner < 4; ++corner) {
                // Beyond the last square lies the last texel.
                const std::uint64_t i = std::min(x + corner % 2, extent.width - 1);
                const std::uint64_t j = std::min(y + corner / 2, extent.height - 1);
                least = std::min(least, height_of(j * extent.width + i));
                most = std::max(most, height_of(j * extent.width + i));
            }
            if (got.texel(x, y)[0] != least || got.texel(x, y)[1] != most)
                return std::unexpected(fmt::format("square {}, {}", x, y));
        }
        return {};
    });
}

} // namespace

void add_terrain_surface_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 4,
                   .most = 1u << 26,
                   .most_on_software = 1u << 18});
    };
    using passes::HeightKind;
    add(passes::MakeHeights::kName, "fbm", [](CaseBuilder& c) { noise_map(c, HeightKind::fbm); });
    add(passes::MakeHeights::kName, "canyon",
        [](CaseBuilder& c) { noise_map(c, HeightKind::canyon); });
    add(passes::HeightBounds::kName, "all mips", bounds);
}

} // namespace tuff::bench
