#pragma once

#include "passes/solver/poisson.hpp"

#include <tuff/device.hpp>
#include <tuff/graph.hpp>

#include <glm/vec3.hpp>

#include <expected>
#include <memory>
#include <string>

/// Poisson's equation by the transforms of VkFFT, where the build found its header: the direct
/// solve that multigrid is compared with, in nodes of the same graph.
///
/// It is no pass: VkFFT writes kernels for one device and one size, and compiles them while it
/// makes its plans, and passes know no device and come with their kernels.
namespace tuff::bench {

/// Plans for cells of side 1 and the same boundary all around.
class FftPoisson {
  public:
    /// Otherwise why there is none: the build has no VkFFT, or it fails.
    static std::expected<FftPoisson, std::string> create(Device& device, glm::uvec3 size,
                                                         passes::PoissonBoundary boundary);

    /// The solution for `rhs`, f32 a cell, x fastest; of mean 0 where nothing fixes it. The graph
    /// needs the kernels of `calibration_shaders`; its plan has one executor at a time, and ends
    /// before the device.
    Buffer add(Graph& graph, Buffer rhs) const;

  private:
    struct Transforms;
    explicit FftPoisson(std::shared_ptr<Transforms> transforms)
        : transforms_(std::move(transforms)) {}

    std::shared_ptr<Transforms> transforms_;
};

} // namespace tuff::bench
