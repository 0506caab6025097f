#pragma once

#include "config/read/asset_spec.hpp"

#include <tuff/image.hpp>

namespace tuff {

/// Draws a generated asset. Coordinates are of texel centres, u to the right and v down, 0 to 1.
///
/// - checker: squares of `cell` texels, white where the top left one is; black and white
/// - gradient: red is u, green is v, blue 0
/// - noise: each channel uniform in [0, 1), alpha 1; the same for the same seed everywhere
/// - zone_plate: 0.5 + 0.5 cos(pi r^2 / s), r in texels from the middle, s the shorter side;
/// reaches
///   the Nyquist frequency at the middle of the shorter side's edges
/// - constant: `color`
HostImage generate_image(const AssetSpec& spec);

} // namespace tuff
