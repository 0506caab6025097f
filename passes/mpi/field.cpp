#include "passes/mpi/field.hpp"

namespace tuff::passes {

Field field_of(const Graph& graph, Image image, glm::ivec3 cells, std::int32_t halo,
               const HaloEdges& edges) {
    const auto width = static_cast<std::uint32_t>(halo);
    const bool volume = graph.desc(image).shape == ImageShape::d3;
    return {.cells = {static_cast<std::uint32_t>(cells.x), static_cast<std::uint32_t>(cells.y),
                      static_cast<std::uint32_t>(cells.z)},
            .halo = {width, width, volume ? width : 0},
            .edges = edges};
}

} // namespace tuff::passes
