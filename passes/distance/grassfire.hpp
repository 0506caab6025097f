#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

enum class GridMetric : std::uint8_t { manhattan, chessboard };

/// How distances spread. All give the same field.
enum class GrassfireMethod : std::uint8_t {
    tiles,    ///< within tiles in shared memory, then over their edges
    passes,   ///< a texel in each pass, between two fields
    in_place, ///< a texel in each pass, in one field
    raster,   ///< as `passes`, drawn
    query,    ///< as `raster`, ended by an occlusion query
};

/// Distances that spread from the objects. See `describe`.
struct Grassfire {
    static constexpr std::string_view kName = "distance/grassfire";

    Image seed;
    GridMetric metric = GridMetric::manhattan;
    GrassfireMethod method = GrassfireMethod::tiles;
    FieldStorage storage = FieldStorage::u32;
    FieldBorder border = FieldBorder::background;
    FieldChannels channels = FieldChannels::one;
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

template <>
struct tuff::ChoiceNames<tuff::passes::GrassfireMethod> {
    static constexpr std::array<std::string_view, 5> names{"tiles", "passes", "in_place", "raster",
                                                           "query"};
};
