#pragma once

#include "tests/gpu/primitives/primitive_test.hpp"
#include "passes/primitives/sort_key.hpp"

#include <cstdint>
#include <vector>

/// Sorting on the CPU, by std::stable_sort, and what to sort.
namespace tuff::testing_gpu {

inline constexpr passes::SortKey kSortKeys[] = {passes::SortKey::u32, passes::SortKey::i32,
                                                passes::SortKey::f32, passes::SortKey::u64,
                                                passes::SortKey::i64, passes::SortKey::f64};
inline constexpr passes::SortOrder kSortOrders[] = {passes::SortOrder::ascending,
                                                    passes::SortOrder::descending};

using Words = std::vector<std::uint32_t>;

/// `count` keys, of one or two words each.
Words make_keys(passes::SortKey type, std::size_t count, Pattern pattern, std::uint32_t seed = 1);

/// A number whose unsigned order is that of the keys, for the key at `index`.
std::uint64_t rank_of(const Words& keys, std::size_t index, passes::SortKey type);

/// Bits [first, end) of the ranks, for an order.
struct SortBy {
    passes::SortKey type = passes::SortKey::u32;
    passes::SortOrder order = passes::SortOrder::ascending;
    unsigned first_bit = 0;
    unsigned end_bit = 64;
};

/// Where each of the sorted keys [begin, end) was. Stable.
Words sorted_indices(const Words& keys, std::size_t begin, std::size_t end, const SortBy& by);
inline Words sorted_indices(const Words& keys, const SortBy& by) {
    return sorted_indices(keys, 0, keys.size() / passes::key_words(by.type), by);
}

/// The records of `words` words at `indices`.
Words gathered(const Words& source, const Words& indices, std::size_t words = 1);

} // namespace tuff::testing_gpu
