#pragma once

#include "passes/distance/field.hpp"

#include <optional>

/// What methods that draw something for each object share.
namespace tuff::passes {

/// Texels along a side of what is drawn: squared distances are exact in floats of 32 bits.
inline constexpr std::uint32_t kMaxDrawnSide = 2896;

/// Objects beside the background: all that can be the nearest of any of its texels.
struct Contour {
    Buffer texels; ///< numbered row by row, ascending
    Buffer count;  ///< one word
};
std::optional<Contour> find_contour(Graph& graph, Image seed);
/// An indirect draw of an instance for each.
Buffer draw_each(Graph& graph, const Contour& contour, std::uint32_t vertices);
/// How far distances reach: the clamp, or without one from corner to corner.
float reach_of(Extent size, std::uint32_t clamp);

} // namespace tuff::passes
