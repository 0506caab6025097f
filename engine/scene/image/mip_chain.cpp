#include "scene/image/mip_chain.hpp"

#include <algorithm>
#include <array>

namespace tuff {

std::vector<std::byte> with_mips(HostImage image) {
    const std::uint32_t levels = full_mip_count(image.extent);
    std::vector<std::byte> packed = image.texels;
    for (std::uint32_t level = 1; level < levels; ++level) {
        const Extent from = image.extent;
        HostImage smaller = make_image(image.format, mip_extent(from, 1));
        for (std::uint32_t y = 0; y < smaller.extent.height; ++y)
            for (std::uint32_t x = 0; x < smaller.extent.width; ++x) {
                std::array<float, 4> sum{};
                for (std::uint32_t i = 0; i < 4; ++i) {
                    const auto texel = image.texel(std::min(2 * x + i % 2, from.width - 1),
                                                   std::min(2 * y + i / 2, from.height - 1));
                    for (std::size_t c = 0; c < 4; ++c)
                        sum[c] += 0.25f * texel[c];
                }
                smaller.set_texel(sum, x, y);
            }
        packed.insert(packed.end(), smaller.texels.begin(), smaller.texels.end());
        image = std::move(smaller);
    }
    return packed;
}

} // namespace tuff
