#pragma once

#include "passes/primitives/sort_key.hpp"

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Sorts keys of 32 bits by a bitonic network, mostly in shared memory. See `describe`.
struct BitonicSort {
    static constexpr std::string_view kName = "primitives/bitonic_sort";

    Buffer keys;
    Buffer values; ///< optional
    Buffer count;  ///< optional
    Element type = Element::u32;
    SortOrder order = SortOrder::ascending;
    std::int64_t length = kAllElements;
    int value_words = 1; ///< of a value, 1 to 4

    Buffer sorted_keys;
    Buffer sorted_values; ///< where there are values
    Buffer permutation;   ///< u32: where each sorted key was before

    static void describe(PassInfo<BitonicSort>& info);
    void build(Graph& graph);
};

/// The same by the many passes of GPU Gems, for comparison. See `describe`.
struct BitonicSortGems2 {
    static constexpr std::string_view kName = "primitives/bitonic_sort/gems2";

    Buffer keys;
    Buffer values;
    Buffer count;
    Element type = Element::u32;
    SortOrder order = SortOrder::ascending;
    std::int64_t length = kAllElements;
    int value_words = 1;

    Buffer sorted_keys;
    Buffer sorted_values;
    Buffer permutation;

    static void describe(PassInfo<BitonicSortGems2>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
