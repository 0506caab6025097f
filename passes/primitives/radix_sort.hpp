#pragma once

#include "passes/primitives/sort_key.hpp"

#include <cstdint>
#include <string_view>

namespace tuff::passes {

enum class RadixMethod : std::uint8_t {
    automatic, ///< `onesweep` where the graph's target has forward progress
    counted,
    onesweep
};

/// Sorts keys, and values along with them. See `describe`.
struct RadixSort {
    static constexpr std::string_view kName = "primitives/radix_sort";

    static constexpr int kMaxValueWords = 4;

    Buffer keys;
    Buffer values; ///< optional
    Buffer count;  ///< optional
    SortKey type = SortKey::u32;
    SortOrder order = SortOrder::ascending;
    std::int64_t length = kAllElements;
    int value_words = 1;           ///< of a value, 1 to 4
    int first_bit = 0;             ///< the least significant bit that is sorted by
    int end_bit = -1;              ///< the bit after the most significant; -1: the whole key
    bool with_permutation = false; ///< asks for `permutation`
    RadixMethod method = RadixMethod::automatic;
    std::uint32_t spin_limit = 4096; ///< of `sort_onesweep`; 0 never looks at another tile's count

    Buffer sorted_keys;
    Buffer sorted_values; ///< where there are values
    Buffer permutation;   ///< u32: where each sorted key was before

    static void describe(PassInfo<RadixSort>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RadixMethod> {
    static constexpr std::array<std::string_view, 3> names{"auto", "counted", "onesweep"};
};
