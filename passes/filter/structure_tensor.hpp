#pragma once

#include "passes/filter/tensor.hpp"

#include <string_view>

namespace tuff::passes {

/// What a structure tensor is made of.
enum class TensorMethod : std::uint8_t {
    quadrature, ///< magnitudes of quadrature filters, weighted by the duals of their directions
    monomial,   ///< monomials of first and second order
    gradient,   ///< outer products of gradients
};

/// How many responses a method takes for each place; 0 where there are no such filters.
std::uint32_t tensor_responses(TensorMethod method, std::uint32_t dimensions);

/// The factors of a quadrature filter along n: |q| (alpha n n^T - beta I).
struct TensorDuals {
    double alpha = 1.0;
    double beta = 0.0;
};
/// Of all directions of `filter_directions`: the tensor of a plane wave is A u u^T.
TensorDuals tensor_duals(std::uint32_t dimensions);

/// Local structure out of filter responses. See `describe`.
struct FilterStructureTensor {
    static constexpr std::string_view kName = "filter/structure_tensor";

    Buffer responses;
    TensorMethod method = TensorMethod::quadrature;
    std::uint32_t dimensions = 2;
    glm::uvec4 size{1};
    std::uint32_t batch = 1;
    Buffer tensor;

    static void describe(PassInfo<FilterStructureTensor>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TensorMethod> {
    static constexpr std::array<std::string_view, 3> names{"quadrature", "monomial", "gradient"};
};
