#pragma once

#include "passes/filter/local_structure.hpp"

#include <glm/vec3.hpp>

#include <string_view>

namespace tuff::passes {

/// Denoising that follows local structure. See `describe`.
struct FilterAdaptive {
    static constexpr std::string_view kName = "filter/adaptive";

    Buffer source;
    Buffer structure; ///< optional
    TensorMethod method = TensorMethod::monomial;
    glm::uvec4 size{1};
    std::uint32_t batch = 1;
    glm::uvec4 kernel_size{9, 9, 1, 1};
    float frequency = 0.6f; ///< radians a number
    float structure_frequency = 1.0f;
    float octaves = 2.0f;
    glm::vec4 smoothing{1.0f};
    float noise = 0.1f;
    float strength = 1.5f;
    glm::vec3 energy{0.0f, 2.0f, 1.0f};
    glm::vec3 spread{0.3f, 2.0f, 1.0f};
    FilterBorder border = FilterBorder::mirror;
    FilterPath path = FilterPath::automatic;
    Buffer result;
    Buffer tensor;

    static void describe(PassInfo<FilterAdaptive>& info);
    void build(Graph& graph);
};

/// The eigenvalue that white noise of standard deviation 1 has on average in tensors of a method.
double noise_eigenvalue(TensorMethod method, const KernelSet& kernels);

} // namespace tuff::passes
