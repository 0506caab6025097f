#pragma once

#include <tuff/format.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// JPEG files by libjpeg-turbo, where the build found its header and the machine has its library:
/// what one core of the host makes of the same work.
namespace tuff::bench {

enum class HostSampling : std::uint8_t { s444, s422, s420 };

/// Two medians of a few repetitions.
struct TurboJpeg {
    std::string name; ///< "libjpeg-turbo on 1 core"
    double encode_milliseconds = 0.0;
    double decode_milliseconds = 0.0;
    std::vector<std::byte> file;
    std::vector<std::byte> decoded; ///< RGBA, by its exact transform and smooth upsampling
};

/// Writes RGBA texels as a file and reads it again. Nothing where the library is missing.
std::optional<TurboJpeg> by_turbojpeg(std::span<const std::byte> rgba, Extent size, int quality,
                                      HostSampling sampling);

/// What it makes of a file. Empty where the library is missing or objects to the file.
std::vector<std::byte> decoded_by_turbojpeg(std::span<const std::byte> file, Extent size);

} // namespace tuff::bench
