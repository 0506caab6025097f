#pragma once

#include "passes/primitives/elements.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// What the sorting and searching passes share: the types of keys, their order, and records of
/// several words.
namespace tuff::passes {

/// What a key is. 64-bit keys are two words, the low one first. Floats are in their total order:
/// -NaN, -inf, ..., -0, +0, ..., +inf, NaN; NaNs among themselves by their bits. The first three
/// are those of Element.
enum class SortKey : std::uint8_t { u32, i32, f32, u64, i64, f64 };

enum class SortOrder : std::uint8_t { ascending, descending };

/// 1 or 2.
constexpr std::uint32_t key_words(SortKey type) {
    return type < SortKey::u64 ? 1 : 2;
}
constexpr std::uint32_t key_bits(SortKey type) {
    return 32 * key_words(type);
}

/// Sets the constants of primitives/sort_key.glsl.
void specialize(ComputeNodeBuilder& node, SortKey type, SortOrder order);

/// `length_of` for records of `words` words: the length counts records.
[[nodiscard]] std::optional<Length> records_of(Graph& graph, Buffer source, std::uint32_t words,
                                               std::int64_t length, Buffer count,
                                               std::string_view port);

/// Checks that `buffer` has room for as many records of `words` words as `length` may come to.
[[nodiscard]] bool holds_records(Graph& graph, Buffer buffer, std::uint32_t words,
                                 const Length& length, std::string_view port);

/// Room for `length` records of `words` words.
Buffer records(Graph& graph, std::string_view name, std::uint32_t words, const Length& length);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SortKey> {
    static constexpr std::array<std::string_view, 6> names{"u32", "i32", "f32",
                                                           "u64", "i64", "f64"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::SortOrder> {
    static constexpr std::array<std::string_view, 2> names{"ascending", "descending"};
};
