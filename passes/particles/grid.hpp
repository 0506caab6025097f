#pragma once

#include "passes/particles/particles.hpp"

#include <array>

namespace tuff::passes {

/// How cells divide the box.
enum class GridShape : std::uint8_t {
    cubes,
    columns, ///< a cell reaches through the box along z, for particles in a plane
};

/// A uniform grid and the particles in each of its cells.
struct ParticleGrid {
    static constexpr std::string_view kPortType = "ParticleGrid";

    Buffer order;     ///< u32 a particle: the particles sorted by cell, those of one by number
    Buffer ranges;    ///< two u32 a cell and two more: begin and end in `order`, 0 and 0 if empty;
                      ///< the last is of the particles that take no part
    Buffer positions; ///< those of the particles, in that order
    Buffer velocities;
    glm::vec3 origin{0.0f};
    glm::uvec3 cells{1};
    float cell = 1.0f; ///< side of a cell, at least a diameter

    explicit operator bool() const { return bool(ranges); }
    std::vector<PortMember> members() const {
        return {{"order", order, BufferElements::of<std::uint32_t>()},
                {"ranges", ranges, BufferElements::of<glm::uvec2>()},
                {"positions", positions, BufferElements::of<glm::vec4>()},
                {"velocities", velocities, BufferElements::of<glm::vec4>()}};
    }
};

/// Sorts particles into a uniform grid. See `describe`.
struct SortIntoGrid {
    static constexpr std::string_view kName = "particles/grid";

    Particles source;
    BoxParameters box;
    GridShape shape = GridShape::cubes;
    ParticleGrid grid;

    static void describe(PassInfo<SortIntoGrid>& info);
    void build(Graph& graph);
};

/// Sets what shaders/particles/cells.glsl declares.
void set_grid(ComputeNodeBuilder& node, const ParticleGrid& grid);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::GridShape> {
    static constexpr std::array<std::string_view, 2> names{"cubes", "columns"};
};
