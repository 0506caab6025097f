#pragma once

#include "passes/primitives/sort_key.hpp"

#include <cstdint>
#include <string>

/// The two ways in which the radix sort moves elements. Both give the same result.
namespace tuff::passes {

/// Keys, and the values that move with them.
struct SortArrays {
    Buffer keys;
    Buffer values; ///< not connected where there are none
};

/// What is sorted by which bits.
struct RadixJob {
    Length length;
    SortKey type = SortKey::u32;
    SortOrder order = SortOrder::ascending;
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = 32;
    std::uint32_t value_words = 0; ///< 0 to 2, for 64-bit keys 0 or 1
    bool index_values = false;     ///< the values are the elements' indices; `value_words` is 1
};

/// How a group ranks the digits of a tile, and how large they are.
struct RadixShape {
    std::uint32_t items = 16; ///< elements of an invocation
    std::uint32_t lanes = 0;  ///< of a subgroup; 0: not known, ranks come from shared memory
    std::uint32_t digit_bits = 8;
    std::uint32_t turns = 1; ///< in which a tile goes through shared memory; divides `items`

    std::uint32_t tile() const;          ///< elements
    std::uint32_t bins() const;          ///< digits
    std::uint32_t scratch_words() const; ///< of shared memory
    std::uint32_t passes(const RadixJob& job) const;
};

/// Runs on every device. A pass counts the digits of each chunk, which is some neighbouring tiles,
/// sums the counts up over the chunks, and moves the elements: three kernels that do not depend on
/// how groups are scheduled.
RadixShape counted_shape(const DeviceCaps& target, const RadixJob& job);
SortArrays sort_counted(Graph& graph, const RadixJob& job, const SortArrays& arrays);

/// Reads and writes the keys once a pass: tiles look back at each other. It ends on every device,
/// but is fast only where groups that have begun get on. `spin_limit` is the number of looks after
/// which a tile is counted instead.
RadixShape onesweep_shape(const DeviceCaps& target, const RadixJob& job);
SortArrays sort_onesweep(Graph& graph, const RadixJob& job, const SortArrays& arrays,
                         std::uint32_t spin_limit);

} // namespace tuff::passes
