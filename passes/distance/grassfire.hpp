#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

enum class GridMetric : std::uint8_t { manhattan, chessboard };

/// Distances that spread from the objects, a texel in each pass. See `describe`.
struct Grassfire {
    static constexpr std::string_view kName = "distance/grassfire";

    Image seed;
    GridMetric metric = GridMetric::manhattan;
    FieldStorage storage = FieldStorage::u32;
    std::uint32_t max_passes = 0;
    Image field;
    Buffer status;

    static void describe(PassInfo<Grassfire>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::GridMetric> {
    static constexpr std::array<std::string_view, 2> names{"manhattan", "chessboard"};
};
