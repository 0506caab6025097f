#include "apps/bench/checks.hpp"
#include "passes/distance/seed.hpp"

namespace tuff::bench {
namespace {

void threshold_seed(CaseBuilder& c) {
    const auto source = c.image<std::uint32_t>("source", Format::rgba8_unorm, hash32);
    const Image seed =
        c.add(passes::DistanceSeed{.source = source.image, .threshold = 0.501f}).seed;
    c.check("result", seed, [source](const HostImage& got) -> Verdict {
        for (std::size_t i = 0; i < got.texels.size(); ++i)
            if (std::to_integer<unsigned>(got.texels[i]) !=
                ((source.texels()[i] & 255u) > 127u ? 1u : 0u))
                return std::unexpected("a texel is on the wrong side of the threshold");
        return {};
    });
}

} // namespace

void add_distance_cases(CaseList& cases) {
    cases.add({.pass = std::string(passes::DistanceSeed::kName),
               .name = "threshold",
               .build = threshold_seed});
}

} // namespace tuff::bench
