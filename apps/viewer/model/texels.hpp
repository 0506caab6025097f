#pragma once

#include <tuff/image.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Numbers about what is shown: the value under the cursor, ranges, histograms, tables.
namespace tuff::viewer {

/// One slice of a volume as a picture of depth 1. Precondition: `slice` is below the depth.
HostImage slice_of(const HostImage& image, std::uint32_t slice);

/// "0.25  0.5  1": as many numbers as the format has channels. Precondition: the texel lies within
/// the image.
std::string texel_text(const HostImage& image, std::uint32_t x, std::uint32_t y, std::uint32_t z);

struct ValueSummary {
    double low = 0.0, high = 0.0; ///< of the finite values; both 0 where there are none
    std::uint64_t finite = 0, not_numbers = 0, infinite = 0;
    static constexpr std::size_t kBins = 128;
    using Bins = std::array<std::uint64_t, kBins>;
    /// By channel, one of buffers: how many values lie in each part of [low, high].
    std::vector<Bins> channels;
};

/// Over all channels of the format but alpha.
ValueSummary summarize(const HostImage& image);

/// How the bytes of a buffer are read.
enum class Elements : std::uint8_t { f32, u32, i32, u8, hex };
inline constexpr std::array kElementNames = {"float", "uint", "int", "byte", "hex"};

std::uint32_t element_bytes(Elements elements);
ValueSummary summarize(std::span<const std::byte> bytes, Elements elements);
/// Element `index`. Precondition: it lies within `bytes`.
std::string element_text(std::span<const std::byte> bytes, Elements elements, std::size_t index);

} // namespace tuff::viewer
