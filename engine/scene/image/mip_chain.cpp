#include "scene/image/mip_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace tuff {
namespace {

HostImage halved(const HostImage& image) {
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
    return smaller;
}

std::vector<float> alphas_of(const HostImage& image) {
    std::vector<float> alphas;
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x)
            alphas.push_back(image.texel(x, y)[3]);
    return alphas;
}

/// The image with alpha scaled so that this share of its texels, or the next greater one, is not
/// below the cutoff.
HostImage covering(HostImage image, double share, float cutoff) {
    std::vector<float> alphas = alphas_of(image);
    const auto kept = static_cast<std::size_t>(
        std::llround(std::ceil(share * static_cast<double>(alphas.size()) - 1e-9)));
    if (kept == 0) return image;
    const auto last = alphas.begin() + static_cast<std::ptrdiff_t>(kept - 1);
    std::ranges::nth_element(alphas, last, std::greater{});
    if (*last <= 0.0f) return image;
    // A step of eight bits more, so that rounding cuts none of them away.
    const float scale = (cutoff + 0.5f / 255.0f) / *last;
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            std::array<float, 4> texel = image.texel(x, y);
            texel[3] = std::min(texel[3] * scale, 1.0f);
            image.set_texel(texel, x, y);
        }
    return image;
}

} // namespace

std::vector<std::byte> with_mips(HostImage image, std::optional<float> cutoff) {
    const std::uint32_t levels = full_mip_count(image.extent);
    std::vector<std::byte> packed = image.texels;
    double share = 0.0;
    if (cutoff) {
        const std::vector<float> alphas = alphas_of(image);
        share = static_cast<double>(
                    std::ranges::count_if(alphas, [&](float alpha) { return alpha >= *cutoff; })) /
                static_cast<double>(alphas.size());
    }
    for (std::uint32_t level = 1; level < levels; ++level) {
        image = halved(image);
        const HostImage shown = cutoff ? covering(image, share, *cutoff) : image;
        packed.insert(packed.end(), shown.texels.begin(), shown.texels.end());
    }
    return packed;
}

} // namespace tuff
