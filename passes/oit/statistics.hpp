#pragma once

#include "passes/oit/lists.hpp"

#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How many transparent layers pixels have. See `describe`.
struct OverdrawStatistics {
    static constexpr std::string_view kName = "oit/statistics";
    static constexpr std::uint32_t kLengths = 257; ///< 0 to 255, and longer ones

    FragmentLists lists;
    float most = 16.0f;
    Buffer histogram;
    Buffer lengths;
    Buffer summary;
    Image color;

    static void describe(PassInfo<OverdrawStatistics>& info);
    void build(Graph& graph);
};

/// The words of OverdrawStatistics::summary.
struct OverdrawSummary {
    std::uint32_t longest = 0;      ///< fragments of the pixel that has most
    std::uint32_t most = 0;         ///< 99 % of the pixels have no more than these
    std::uint32_t most_touched = 0; ///< the same of the pixels that have any
    std::uint32_t touched = 0;      ///< pixels that have any
};

} // namespace tuff::passes
