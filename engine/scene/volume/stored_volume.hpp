#pragma once

#include <tuff/volume.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace tuff {

/// What a volume's file holds, whatever its format: numbers, x fastest, those of a texel side by
/// side, in this machine's byte order.
struct StoredVolume {
    Extent extent;
    ElementType type = ElementType::u8;
    std::uint32_t channels = 1;
    std::vector<std::byte> numbers;
    /// Another value than (1, 0) stands for slope * number + intercept.
    double slope = 1.0;
    double intercept = 0.0;
    VolumeGeometry geometry;
    std::string format =
        {}; ///< of the texels, where Tuff wrote the file; files of others have none
};

/// The error volume/corrupt.
std::unexpected<Diagnostics> corrupt_volume(std::string_view name, std::string_view what);
/// The error volume/unsupported.
std::unexpected<Diagnostics> unsupported_volume(std::string_view name, std::string_view what,
                                                std::string_view hint);

/// Before any memory is taken. Errors: volume/corrupt where a size is 0, volume/too-large,
/// volume/unsupported where there are other than one to four channels.
Result<void> check_volume_size(std::string_view name, const std::array<std::uint64_t, 3>& size,
                               std::uint64_t channels, ElementType type);
/// Bytes of all numbers.
std::uint64_t stored_bytes(const Extent& extent, std::uint32_t channels, ElementType type);

/// The frame to be read of a series of `frames`. Error: volume/no-such-frame.
Result<std::uint64_t> chosen_frame(std::string_view name, const VolumeLoadOptions& options,
                                   std::uint64_t frames);

/// Spacing and origin are numbers and the spacing lies above 0. Error: volume/bad-geometry.
Result<void> check_geometry(std::string_view name, const VolumeGeometry& geometry);
/// Spacing and axes from the steps from texel to texel. Error: volume/bad-geometry.
Result<VolumeGeometry> geometry_of(std::string_view name,
                                   const std::array<std::array<double, 3>, 3>& steps,
                                   const std::array<double, 3>& origin);
/// The steps from texel to texel along x, y and z.
std::array<std::array<double, 3>, 3> steps_of(const VolumeGeometry& geometry);

/// Turns the bytes of each number round.
void swap_bytes(std::span<std::byte> numbers, std::size_t bytes_each);
/// Numbers in planes, a channel after the other, to numbers of a texel side by side; and back.
std::vector<std::byte> interleaved(std::span<const std::byte> planes, std::uint32_t channels,
                                   std::size_t bytes_each);
std::vector<std::byte> in_planes(std::span<const std::byte> texels, std::uint32_t channels,
                                 std::size_t bytes_each);
/// Half floats as floats.
std::vector<std::byte> floats_of_halves(std::span<const std::byte> halves);
/// A number of a file as one that Tuff computes with.
double stored_number(ElementType type, const std::byte* at);

/// A number of a text as one of `type`.
void append_number_as(ElementType type, double number, std::vector<std::byte>& bytes);

/// The texels of `stored`. Errors: volume/bad-geometry.
Result<Volume> volume_of(StoredVolume stored, std::string_view name,
                         const VolumeLoadOptions& options);

} // namespace tuff
