#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How the rows are swept.
enum class RowMode : std::uint8_t {
    whole, ///< an invocation to each row
    tiled, ///< one to each section of a row; takes a clamp
};

/// How the columns are minimised.
enum class ColumnMode : std::uint8_t {
    bounded, ///< outwards from the texel, until the distance along the column alone is too much
    brute,   ///< over all rows
    split,   ///< an invocation to each column, downwards and upwards in restricted ranges
};

/// Where squares come from.
enum class SquareMode : std::uint8_t {
    product, ///< where they are needed
    pass,    ///< those of the rows from a pass of their own
    offset,  ///< those of the rows from sums of odd numbers, in their sweeps
    table,   ///< those along columns from a table
};

/// Squared Euclidean distances by rows, then columns. See `describe`.
struct SaitoToriwaki {
    static constexpr std::string_view kName = "distance/saito";

    Image seed;
    std::uint32_t clamp = 0;
    RowMode rows = RowMode::whole;
    std::uint32_t span = 64;
    std::uint32_t margin = 0;
    ColumnMode columns = ColumnMode::bounded;
    SquareMode squares = SquareMode::product;
    FieldStorage storage = FieldStorage::u32;
    FieldChannels channels = FieldChannels::one;
    Image field;
    Buffer status;

    static void describe(PassInfo<SaitoToriwaki>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RowMode> {
    static constexpr std::array<std::string_view, 2> names{"whole", "tiled"};
};

template <>
struct tuff::ChoiceNames<tuff::passes::ColumnMode> {
    static constexpr std::array<std::string_view, 3> names{"bounded", "brute", "split"};
};

template <>
struct tuff::ChoiceNames<tuff::passes::SquareMode> {
    static constexpr std::array<std::string_view, 4> names{"product", "pass", "offset", "table"};
};
