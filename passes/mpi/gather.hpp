#pragma once

#include "passes/mpi/parts.hpp"

#include <glm/vec3.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The parts of all ranks as one image. See `describe`.
struct GatherParts {
    static constexpr std::string_view kName = "mpi/gather";

    Image source;
    glm::ivec3 cells{1, 1, 1};
    std::int32_t halo = 0;
    Image result;

    static void describe(PassInfo<GatherParts>& info);
    void build(Graph& graph);
};

/// One image as the parts of all ranks. See `describe`.
struct ScatterParts {
    static constexpr std::string_view kName = "mpi/scatter";

    Image source;
    glm::ivec3 cells{1, 1, 1};
    std::int32_t halo = 0;
    Image result;

    static void describe(PassInfo<ScatterParts>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
