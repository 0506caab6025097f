#pragma once

#include "passes/filter/problem.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec4.hpp>

#include <cstdint>
#include <optional>

/// What passes over symmetric matrices share. Matrices are the components of their upper triangle,
/// row by row: xx, xy, (xz, xw,) yy, ... Each component is an array of its own, as the responses of
/// filters are, so that filters of arrays smooth them.
namespace tuff::passes {

/// Components of a symmetric matrix.
constexpr std::uint32_t tensor_components(std::uint32_t dimensions) {
    return dimensions * (dimensions + 1) / 2;
}

/// Places of an array, and arrays one behind the other.
struct TensorField {
    std::uint32_t places = 1; ///< of an array
    std::uint32_t arrays = 1;
};

/// The places of arrays of `size`. `most` is the numbers of a place in the largest buffer. Reports,
/// and returns nothing: `filter/empty`, `filter/too-large`.
std::optional<TensorField> tensor_field(Graph& graph, glm::uvec4 size, std::uint32_t batch,
                                        std::uint32_t most);

/// Reports `filter/too-short` unless `buffer` holds `per_place` f32 for each place.
bool holds_places(Graph& graph, std::string_view port, Buffer buffer, const TensorField& field,
                  std::uint32_t per_place);

/// An array of `per_place` f32 for each place.
Buffer place_array(Graph& graph, std::string_view name, const TensorField& field,
                   std::uint32_t per_place);

/// Places times numbers of f32, for costs.
double places_of(glm::uvec4 size, std::uint32_t batch);

/// Declares "size" and "batch".
template <typename Pass>
void describe_tensor_field(PassInfo<Pass>& info) {
    info.parameter("size", &Pass::size, "places along x, y, z, w").structural();
    info.parameter("batch", &Pass::batch, "number of consecutive arrays")
        .range(1, 1 << 29)
        .structural();
}

} // namespace tuff::passes
