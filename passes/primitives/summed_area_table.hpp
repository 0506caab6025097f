#pragma once

#include "passes/primitives/summed_area.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How a summed-area table keeps its precision.
enum class SumPrecision : std::uint8_t {
    plain,         ///< nothing done about it
    offset,        ///< the mean is taken off first: sums stay small
    centre,        ///< sums start from the centre: a quarter as many texels in each
    offset_centre, ///< both
    integers,      ///< whole numbers modulo 2^32: exact
};

enum class SummedAreaForm : std::uint8_t {
    automatic, ///< tile by tile; volumes line by line
    doubling,  ///< recursive doubling, as the lecture does it
};

/// Makes a summed-area table. See `describe`.
struct SummedAreaTable {
    static constexpr std::string_view kName = "primitives/summed_area_table";

    Image source;
    SumPrecision precision = SumPrecision::plain;
    SummedAreaForm form = SummedAreaForm::automatic;
    std::uint32_t reads = 2; ///< texels that a pass of the doubling form adds up
    float levels = 255.0f;   ///< of whole numbers
    SummedArea table;

    static void describe(PassInfo<SummedAreaTable>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SumPrecision> {
    static constexpr std::array<std::string_view, 5> names{"plain", "offset", "centre",
                                                           "offset_centre", "integers"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::SummedAreaForm> {
    static constexpr std::array<std::string_view, 2> names{"automatic", "doubling"};
};
