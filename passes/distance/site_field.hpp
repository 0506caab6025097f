#pragma once

#include "passes/distance/channels.hpp"

#include <cstdint>
#include <string_view>

/// Fields of methods that find where the nearest object is.
namespace tuff::passes {

/// An image of the seed's size and shape.
Image like_seed(Graph& graph, std::string_view name, Image seed, Format format);
/// The squared distances to `sites`, which have a word for each texel of the seed: see
/// shaders/distance/site.glsl. The status says that `passes` ran. With a clamp farther sites are
/// forgotten, and the field is its square there.
MadeField site_field(Graph& graph, Image seed, Image sites, std::uint32_t passes,
                     std::uint32_t clamp = 0);

} // namespace tuff::passes
