#pragma once

#include <glm/vec4.hpp>

#include <cstdint>
#include <span>

namespace tuff::passes {

/// Unit vectors spread so evenly over the half-space of `dimensions` axes that quadrature filters
/// along them make a structure tensor: +x in one dimension; 0, 45, 90 and 135 degrees in two; the
/// six diagonals of an icosahedron in three; the twelve of a 24-cell in four. Empty for other
/// numbers of dimensions.
std::span<const glm::dvec4> filter_directions(std::uint32_t dimensions);

} // namespace tuff::passes
