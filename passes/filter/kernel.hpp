#pragma once

#include "passes/filter/kernel_design.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec4.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// A named kernel, or a set of them. See `describe`.
struct FilterKernel {
    static constexpr std::string_view kName = "filter/kernel";

    FilterKernelKind kind = FilterKernelKind::gaussian;
    glm::uvec4 size{9, 9, 1, 1};
    std::vector<float> directions; ///< by number; empty: all
    glm::vec4 sigma{1.0f};
    KernelScale scale = KernelScale::sum_one;
    float frequency = 1.5707964f; ///< radians a number
    float octaves = 2.0f;
    KernelWindow window = KernelWindow::root_cosine;
    Buffer kernel;

    static void describe(PassInfo<FilterKernel>& info);
    void build(Graph& graph);
};

/// A constant of the weights as f32. Graphs that are built again get the same bytes, so that nothing is
/// uploaded again. Reports what is wrong with `design`, and returns nothing.
Buffer constant_kernels(Graph& graph, const KernelDesign& design);

/// The weights, made once for as long as somebody holds them. Reports what is wrong with `design`,
/// and returns null.
std::shared_ptr<const KernelSet> shared_kernels(Graph& graph, const KernelDesign& design);

} // namespace tuff::passes
