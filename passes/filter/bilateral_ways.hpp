#pragma once

#include "passes/filter/bilateral.hpp"

#include <optional>

namespace tuff::passes {

/// Samples of a Gaussian, their sum 1, x fastest; one weight along an axis is 1.
std::vector<float> gaussian_weights(const FilterSize& kernel_size, glm::vec4 sigma);

/// The bilateral filter as it is defined. `kernel` has the spatial weights.
Buffer bilateral_direct(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                        float sigma_range);

/// The bilateral grid of an array: a cell for each `step` places and each `bin` of the range.
struct BilateralGrid {
    FilterSize step{1, 1, 1, 1};
    float bin = 1.0f;
    FilterSize pad{};            ///< cells before the first place, along each axis
    std::uint32_t range_pad = 0; ///< bins below the range
    FilterSize cells{1, 1, 1, 1};
    std::uint32_t bins = 1;
    std::array<float, 5>
        blur{}; ///< variance of the Gaussian along each axis and the bins, in cells
};

/// Its shape. Reports filter/bilateral-grid, and returns nothing then.
std::optional<BilateralGrid> bilateral_grid(Graph& graph, const FilterBilateral& pass,
                                            const FilterProblem& problem);

/// By the grid: numbers are summed in its cells, cells are blurred, the result is read between
/// them.
Buffer bilateral_by_grid(Graph& graph, const FilterBilateral& pass, const FilterProblem& problem,
                         const BilateralGrid& grid);

} // namespace tuff::passes
