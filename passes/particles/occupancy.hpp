#pragma once

#include "passes/particles/grid.hpp"

#include <array>

namespace tuff::passes {

enum class GridAxis : std::uint8_t { x, y, z };

/// Shows how many particles the cells of a grid hold. See `describe`.
struct ParticleOccupancy {
    static constexpr std::string_view kName = "particles/occupancy";

    ParticleGrid grid;
    GridAxis axis = GridAxis::z;
    std::uint32_t scale = 8;
    float full = 1.2f;
    Image result;
    Image counts;

    static void describe(PassInfo<ParticleOccupancy>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::GridAxis> {
    static constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
};
