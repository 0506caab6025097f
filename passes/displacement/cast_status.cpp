#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/displacement/cast.hpp"

#include <fmt/format.h>

namespace tuff::passes {

DisplacedCastStatus DisplacedCastStatus::read(std::span<const std::uint32_t> words) {
    return status_from<DisplacedCastStatus>(words);
}

Diagnostics DisplacedCastStatus::warnings() const {
    Diagnostics all;
    for (const PoolNeed& need : pool_needs())
        all.push_back(warning(
            "displacement/lost-pairs",
            fmt::format("rays hit the boxes of patches {} times, but there is room for {}: "
                        "some patches may be missing",
                        need.elements, room),
            fmt::format("set \"most_pairs\" to {}, or run several frames: the capacity grows",
                        need.elements)));
    if (coarse > hits / 2)
        all.push_back(
            warning("displacement/coarse",
                    fmt::format("{} of {} rays that hit patches see cells larger than their pixel",
                                coarse, hits),
                    "set a higher \"level\" of the surface, up to 7, or divide the quads"));
    return all;
}

std::vector<PoolNeed> DisplacedCastStatus::pool_needs() const {
    if (pairs <= room) return {};
    return {{"pairs", pairs}};
}

} // namespace tuff::passes
