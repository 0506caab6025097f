#include <tuff/image.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tuff {
namespace {

/// Linear Rec. 709 to CIE 1976 L*a*b* under D65 (IEC 61966-2-1, CIE 15).
std::array<double, 3> to_lab(const std::array<float, 4>& colour) {
    const auto clean = [](float v) {
        return std::isnan(v) ? 0.0 : std::clamp<double>(v, 0.0, 1.0);
    };
    const double r = clean(colour[0]);
    const double g = clean(colour[1]);
    const double b = clean(colour[2]);
    const auto curve = [](double t) {
        constexpr double kDelta = 6.0 / 29.0;
        return t > kDelta * kDelta * kDelta ? std::cbrt(t)
                                            : t / (3.0 * kDelta * kDelta) + 4.0 / 29.0;
    };
    const double x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

double distance(float a, float b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
    return std::abs(static_cast<double>(a) - static_cast<double>(b));
}

/// Sums up colour distances by tile of one slice.
class Tiles {
  public:
    explicit Tiles(const Extent& extent)
        : extent_(extent), across_((extent.width + kSide - 1) / kSide),
          sums_(std::size_t{across_} * ((extent.height + kSide - 1) / kSide), 0.0) {}

    void add(std::uint32_t x, std::uint32_t y, double delta_e) {
        sums_[std::size_t{y / kSide} * across_ + x / kSide] += delta_e;
    }

    /// The worst of `before` and the tiles of this slice.
    ImageDifference::Tile worst(ImageDifference::Tile before) const {
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const auto left = static_cast<std::uint32_t>(i % across_) * kSide;
            const auto top = static_cast<std::uint32_t>(i / across_) * kSide;
            const double texels = static_cast<double>(std::min(kSide, extent_.width - left)) *
                                  std::min(kSide, extent_.height - top);
            if (sums_[i] / texels > before.mean_delta_e) before = {left, top, sums_[i] / texels};
        }
        return before;
    }

  private:
    static constexpr std::uint32_t kSide = ImageDifference::kTile;
    Extent extent_;
    std::uint32_t across_;
    std::vector<double> sums_;
};

} // namespace

Result<ImageDifference> compare_images(const HostImage& a, const HostImage& b) {
    if (a.extent != b.extent)
        return fail("image/size-mismatch",
                    fmt::format("images of {}x{}x{} and {}x{}x{} texels cannot be compared",
                                a.extent.width, a.extent.height, a.extent.depth, b.extent.width,
                                b.extent.height, b.extent.depth));
    constexpr float kGain = 8.0f;
    ImageDifference result;
    result.picture = make_image(Format::rgba8_unorm, a.extent);
    double squares = 0.0;
    for (std::uint32_t z = 0; z < a.extent.depth; ++z) {
        Tiles tiles(a.extent);
        for (std::uint32_t y = 0; y < a.extent.height; ++y) {
            for (std::uint32_t x = 0; x < a.extent.width; ++x) {
                const auto va = a.texel(x, y, z);
                const auto vb = b.texel(x, y, z);
                std::array<float, 4> shown = {0.0f, 0.0f, 0.0f, 1.0f};
                for (std::size_t c = 0; c < 4; ++c) {
                    const double d = distance(va[c], vb[c]);
                    result.max_absolute = std::max(result.max_absolute, d);
                    result.mean_absolute += d;
                    squares += d * d;
                    if (c == 3) continue;
                    const float seen = std::abs(linear_to_srgb(va[c]) - linear_to_srgb(vb[c]));
                    shown[c] = std::isinf(d) ? 1.0f : seen * kGain;
                }
                const auto la = to_lab(va);
                const auto lb = to_lab(vb);
                const double apart = std::hypot(la[0] - lb[0], la[1] - lb[1], la[2] - lb[2]);
                result.mean_delta_e += apart;
                tiles.add(x, y, apart);
                result.picture.set_texel(shown, x, y, z);
            }
        }
        result.worst = tiles.worst(result.worst);
    }
    const double texels = static_cast<double>(a.extent.width) * a.extent.height * a.extent.depth;
    result.mean_absolute /= texels * 4.0;
    result.mean_delta_e /= texels;
    result.rmse = std::sqrt(squares / (texels * 4.0));
    result.psnr = result.rmse == 0.0 ? std::numeric_limits<double>::infinity()
                                     : -20.0 * std::log10(result.rmse);
    return result;
}

} // namespace tuff
