#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The periodic Poisson equation on a field over ranks, by Fourier transforms. See `describe`.
struct PoissonFftOfParts {
    static constexpr std::string_view kName = "mpi/poisson_fft";

    Image source;
    glm::ivec3 cells{1, 1, 1};
    std::int32_t halo = 1;
    float cell = 1.0f;
    Image result;

    static void describe(PassInfo<PoissonFftOfParts>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
