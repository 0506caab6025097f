#pragma once

#include "passes/mpi/parts.hpp"

#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <cstdint>

/// The parameters that tell a pass about its field.
namespace tuff::passes {

inline constexpr std::int32_t kMaxHalo = 64; ///< texels

/// The field of an image of it: halos along z only where it is a volume.
Field field_of(const Graph& graph, Image image, glm::ivec3 cells, std::int32_t halo,
               const HaloEdges& edges = {});

/// Declares the parameters `cells` and `halo`, which is at least `least_halo`.
template <typename Pass>
void describe_field(PassInfo<Pass>& info, glm::ivec3 Pass::*cells, std::int32_t Pass::*halo,
                    std::int32_t least_halo) {
    info.parameter("cells", cells, "size of the whole field along x, y, z")
        .range(1, 1e9)
        .unit("cells")
        .structural();
    info.parameter("halo", halo, "width of the halo on each side of a part")
        .range(least_halo, kMaxHalo)
        .unit("texels")
        .structural();
}

} // namespace tuff::passes
