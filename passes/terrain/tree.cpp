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
                              fmt::format("{} nodes should be divided and are not, for the tree "
                                          "has room for no more leaves than the {} it has",
                                          refused, count),
                              "give it a greater \"capacity\", or a smaller \"k\""));
    if (broken > 0)
        all.push_back(warning("terrain/broken-tree",
                              fmt::format("the leaves had {} holes or overlaps: the tree began "
                                          "again with its root, for the time no. {}",
                                          broken, resets),
                              "mode \"incremental\" looks at siblings before it merges them"));
    return all;
}

EyeStatus EyeStatus::read(std::span<const std::uint32_t> words) {
    return status_from<EyeStatus>(words);
}

Diagnostics EyeStatus::warnings() const {
    if (bad == 0) return {};
    return {
        warning("terrain/lost-eye",
                fmt::format("{} eyes have no finite place: they count where they were last", bad),
                "mend the places")};
}

} // namespace tuff::passes
