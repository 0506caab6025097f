#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How the columns are minimised.
enum class ColumnMode : std::uint8_t {
    bounded, ///< outwards from the texel, until the distance along the column alone is too much
    brute,   ///< over all rows
};

/// Squared Euclidean distances by rows, then columns. See `describe`.
struct SaitoToriwaki {
    static constexpr std::string_view kName = "distance/saito";

    Image seed;
    std::uint32_t clamp = 0;
    ColumnMode columns = ColumnMode::bounded;
    Image field;
    Buffer status;

    static void describe(PassInfo<SaitoToriwaki>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ColumnMode> {
    static constexpr std::array<std::string_view, 2> names{"bounded", "brute"};
};
