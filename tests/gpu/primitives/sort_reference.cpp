#include "tests/gpu/primitives/sort_reference.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tuff::testing_gpu {
namespace {

template <typename T>
void append_words(Words& words, const std::vector<T>& values) {
    for (const T value : values)
        words.push_back(std::bit_cast<std::uint32_t>(value));
}

/// The words of keys of 32 bits.
Words make_words(passes::SortKey type, std::size_t count, Pattern pattern, std::uint32_t seed) {
    Words words;
    if (type == passes::SortKey::i32)
        append_words(words, make_values<std::int32_t>(count, pattern, seed));
    else if (type == passes::SortKey::f32)
        append_words(words, make_values<float>(count, pattern, seed));
    else
        append_words(words, make_values<std::uint32_t>(count, pattern, seed));
    return words;
}

std::uint64_t rank_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    constexpr std::uint64_t kSign = 1ull << 63;
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

} // namespace

Words make_keys(passes::SortKey type, std::size_t count, Pattern pattern, std::uint32_t seed) {
    using passes::SortKey;
    if (passes::key_words(type) == 1) return make_words(type, count, pattern, seed);
    // High words of few kinds make the low ones count.
    const Words low = make_words(SortKey::u32, count, pattern, seed);
    const Words high =
        make_words(type == SortKey::i64 ? SortKey::i32 : SortKey::u32, count, pattern, seed + 1);
    Words keys;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t top = pattern == Pattern::random ? high[i] & 0x800000ffu : high[i];
        if (type == SortKey::f64 && pattern == Pattern::special && i % 2 == 0) {
            constexpr std::uint32_t kSpecial[] = {0x7ff80000u, 0xfff80000u, 0x7ff00000u,
                                                  0xfff00000u, 0u,          0x80000000u};
            top = kSpecial[(i / 2) % std::size(kSpecial)];
        }
        keys.push_back(i % 4 == 0 && pattern == Pattern::special ? 0 : low[i]);
        keys.push_back(top);
    }
    return keys;
}

std::uint64_t rank_of(const Words& keys, std::size_t index, passes::SortKey type) {
    using passes::SortKey;
    constexpr std::uint32_t kSign = 1u << 31;
    if (passes::key_words(type) == 1) {
        const std::uint32_t word = keys[index];
        if (type == SortKey::i32) return word ^ kSign;
        if (type == SortKey::f32) return (word & kSign) != 0 ? ~word : word | kSign;
        return word;
    }
    const std::uint64_t key = (std::uint64_t{keys[2 * index + 1]} << 32) | keys[2 * index];
    if (type == SortKey::i64) return key ^ (std::uint64_t{kSign} << 32);
    if (type == SortKey::f64) return rank_of(std::bit_cast<double>(key));
    return key;
}

Words sorted_indices(const Words& keys, std::size_t begin, std::size_t end, const SortBy& by) {
    const unsigned width = std::min(by.end_bit, passes::key_bits(by.type)) - by.first_bit;
    const std::uint64_t mask = width >= 64 ? ~0ull : (1ull << width) - 1;
    const auto part = [&](std::uint32_t index) {
        return (rank_of(keys, index, by.type) >> by.first_bit) & mask;
    };
    Words indices(end - begin);
    std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(begin));
    std::stable_sort(indices.begin(), indices.end(), [&](std::uint32_t a, std::uint32_t b) {
        return by.order == passes::SortOrder::ascending ? part(a) < part(b) : part(a) > part(b);
    });
    return indices;
}

Words gathered(const Words& source, const Words& indices, std::size_t words) {
    Words result;
    for (const std::uint32_t index : indices)
        for (std::size_t word = 0; word < words; ++word)
            result.push_back(source[index * words + word]);
    return result;
}

} // namespace tuff::testing_gpu
