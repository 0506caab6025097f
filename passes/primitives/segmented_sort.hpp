#pragma once

#include "passes/primitives/sort_key.hpp"

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Sorts the keys of each segment of an array by themselves. See `describe`.
struct SegmentedSort {
    static constexpr std::string_view kName = "primitives/segmented_sort";

    Buffer keys;
    Buffer offsets;      ///< u32, ascending: where each segment begins, and the last one's end
    Buffer values;       ///< optional
    Buffer count;        ///< of the keys; optional
    Buffer offset_count; ///< optional
    Element type = Element::u32;
    SortOrder order = SortOrder::ascending;
    std::int64_t length = kAllElements;
    std::int64_t offsets_length = kAllElements;
    int value_words = 1; ///< of a value, 1 to 4

    Buffer sorted_keys;
    Buffer sorted_values; ///< where there are values
    Buffer permutation;   ///< u32: where each sorted key was before

    static void describe(PassInfo<SegmentedSort>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
