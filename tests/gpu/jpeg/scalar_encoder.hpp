#pragma once

#include "library.hpp"
#include "passes/jpeg/tables.hpp"

#include <cstddef>
#include <vector>

/// A JPEG encoder that does one thing after the other, in double precision.
namespace tuff::testing_jpeg {

/// Coefficients of a block divided by their divisors, before they are rounded, by place.
using Exact = std::array<double, 64>;

/// Of all blocks, in the order of the file. `values`: red, green and blue, 0 to 255, of each pixel,
/// or one value where there is one channel. `integer`: luma and color differences are rounded as
/// libjpeg-turbo does.
std::vector<Exact> exact_blocks(std::span<const double> values, std::uint32_t channels,
                                std::uint32_t width, std::uint32_t height, const Cut& cut,
                                std::uint32_t quality, bool integer = false);

/// The entropy-coded data with its restart markers, by the tables of each component.
std::vector<std::byte> entropy_coded(std::span<const Block> blocks, const Cut& cut,
                                     const std::array<passes::jpeg::TablePair, 3>& tables);

} // namespace tuff::testing_jpeg
