#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/format.hpp>

#include <cstddef>
#include <span>

/// JPEG files that a kernel has left in a buffer with more room than they take.
namespace tuff::cli {

/// A file and the picture's size.
struct JpegFile {
    std::span<const std::byte> bytes;
    Extent extent;
};

/// The file at the beginning of `buffer`, up to and with its end. Error: cli/not-jpeg, where there
/// is none, or it is cut off.
Result<JpegFile> find_jpeg(std::span<const std::byte> buffer);

} // namespace tuff::cli
