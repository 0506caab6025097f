#pragma once

#include <tuff/image.hpp>

namespace tuff {

/// The texels of `image` and all its smaller mips, packed mip by mip, each a 2x2 box average of the
/// level before in linear light (an odd last row or column is left out, as mip extents round down).
std::vector<std::byte> with_mips(HostImage image);

} // namespace tuff
