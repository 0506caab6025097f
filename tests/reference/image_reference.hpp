#pragma once

#include "passes/image/border.hpp"

#include <tuff/image.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// The image filters once more, in double precision and written apart from the passes: what the
/// GPU tests compare with.
namespace tuff::reference {

using Texel = std::array<double, 4>;

struct Picture {
    int width = 0;
    int height = 0;
    std::vector<Texel> texels;

    const Texel& at(int x, int y) const {
        return texels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
    Texel& at(int x, int y) { return const_cast<Texel&>(std::as_const(*this).at(x, y)); }
};

Picture blank(int width, int height, Texel value = {});

/// The numbers a sampler gives for `image`.
Picture picture_of(const HostImage& image);

/// Uniform noise over [low, high] in all channels, rounded to what `format` holds.
HostImage noise(Format format, int width, int height, std::uint32_t seed, double low = 0.0,
                double high = 1.0);

/// One colour all over.
HostImage constant(Format format, int width, int height, Texel value);

/// `f` of every texel.
Picture map(const Picture& source, const std::function<Texel(const Texel&)>& f);

/// The texel (x, y), which may lie outside.
Texel with_border(const Picture& source, int x, int y, passes::Border border);

/// A value and how far 32-bit arithmetic may be from it, before storage rounds.
struct Expected {
    Picture value;
    Picture bound;
};

/// Sum of source(p + k) * kernel(k) on the colours, alpha kept. The bound is
/// 4 * 2^-24 * log2(taps) * sum of |kernel| |source|.
Expected correlated(const Picture& source, std::span<const double> kernel, int width, int height,
                    passes::Border border);

/// The middle value of `size` x `size` texels, colour by colour, alpha kept.
Picture median(const Picture& source, int size, passes::Border border);

/// Rounding of `format` when a kernel stores `value`: one step of unorm, twice the half step of
/// floats (rounding towards zero is allowed), nothing for 32-bit floats.
double storage_step(Format format, double value);

} // namespace tuff::reference
