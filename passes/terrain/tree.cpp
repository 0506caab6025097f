#include "passes/terrain/tree.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

namespace tuff::passes {

TreeStatus TreeStatus::read(std::span<const std::uint32_t> words) {
    return status_from<TreeStatus>(words);
}

Diagnostics TreeStatus::warnings() const {
    Diagnostics all;
    if (refused > 0)
        all.push_back(warning("terrain/full-tree",
                              fmt::format("{} nodes were not divided, because the tree has {} "
                                          "leaves and no capacity for more",
                                          refused, count),
                              "increase \"capacity\", or decrease \"k\""));
    if (broken > 0)
        all.push_back(warning("terrain/broken-tree",
                              fmt::format("the leaves had {} holes or overlaps: the tree "
                                          "restarted from its root; restarts so far: {}",
                                          broken, resets),
                              "use mode \"incremental\", which checks siblings before it "
                              "merges them"));
    return all;
}

EyeStatus EyeStatus::read(std::span<const std::uint32_t> words) {
    return status_from<EyeStatus>(words);
}

Diagnostics EyeStatus::warnings() const {
    if (bad == 0) return {};
    return {warning("terrain/lost-eye",
                    fmt::format("{} eyes have positions that are not finite: their last positions "
                                "are used",
                                bad),
                    "fix the positions")};
}

} // namespace tuff::passes
