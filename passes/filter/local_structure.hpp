#pragma once

#include "passes/filter/crossovers.hpp"
#include "passes/filter/kernel_design.hpp"
#include "passes/filter/structure_tensor.hpp"

#include <string_view>

namespace tuff::passes {

/// What becomes of the filters' responses.
enum class StructureForm : std::uint8_t {
    stored, ///< all are stored, by whatever path is fastest
    fused,  ///< a kernel keeps them in registers: each number is read once for all filters
};

/// Tensors of local structure straight from numbers. See `describe`.
struct FilterLocalStructure {
    static constexpr std::string_view kName = "filter/local_structure";

    Buffer source;
    TensorMethod method = TensorMethod::quadrature;
    glm::uvec4 size{1};
    std::uint32_t batch = 1;
    glm::uvec4 kernel_size{9, 9, 1, 1};
    float frequency = 1.5707964f; ///< radians a number
    float octaves = 2.0f;
    KernelWindow window = KernelWindow::root_cosine;
    glm::vec4 smoothing{0.0f}; ///< standard deviations, numbers
    FilterBorder border = FilterBorder::mirror;
    StructureForm form = StructureForm::stored;
    FilterPath path = FilterPath::automatic;
    Buffer tensor;

    static void describe(PassInfo<FilterLocalStructure>& info);
    void build(Graph& graph);
};

/// The kernels of a method; those of "gradient" are Sobel's of 3 along each axis.
KernelDesign structure_kernels(TensorMethod method, const FilterSize& size, double frequency,
                               double octaves, KernelWindow window);

/// Each of `arrays` arrays convolved with a Gaussian; sigma of 0 along an axis: not along that.
Buffer smoothed_arrays(Graph& graph, Buffer source, glm::uvec4 size, std::uint32_t arrays,
                       glm::vec4 sigma, FilterBorder border);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::StructureForm> {
    static constexpr std::array<std::string_view, 2> names{"stored", "fused"};
};
