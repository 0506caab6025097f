#pragma once

#include <tuff/image.hpp>

#include <optional>

namespace tuff {

/// The texels of `image` and all its smaller mips, packed mip by mip, each a 2x2 box average of the
/// level before in linear light (an odd last row or column is left out, as mip extents round down).
///
/// `cutoff`: the image is that of a mask, whose texels of less alpha are cut away. Averages would
/// make thin things vanish; the alpha of each mip is scaled so that the same share of its texels
/// stays (Castano, "Computing Alpha Mipmaps", 2010).
std::vector<std::byte> with_mips(HostImage image, std::optional<float> cutoff = {});

} // namespace tuff
