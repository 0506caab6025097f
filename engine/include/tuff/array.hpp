#pragma once

#include <tuff/buffer_elements.hpp>
#include <tuff/diagnostic.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

/// Arrays of numbers in files, for buffers.
namespace tuff {

/// Numbers of one type, row by row: the last index changes fastest.
struct HostArray {
    ElementType type = ElementType::f32; ///< of each number
    std::vector<std::uint64_t> shape;    ///< numbers along each axis, the slowest first
    std::vector<std::byte> bytes;        ///< little-endian, without gaps

    /// What a buffer of it holds: vectors where the last of several axes has two to four numbers.
    BufferElements elements() const;
};

/// What somebody who reads an array asks for.
struct ArrayRequest {
    /// Numbers become this type; none: that of the file, f32 of a .csv, and needed of bare bytes.
    std::optional<ElementType> type = {};
    /// Sets how many numbers lie along each axis; empty: as the file says, else one axis.
    std::vector<std::uint64_t> shape = {};
};

/// Reads a .npy, a .csv (also .txt and .tsv: numbers between commas, semicolons or blanks, the same
/// count in each line, below a line of names or not; lines that begin with # are left out), or the
/// bare bytes of a .raw or .bin, or the bytes of a .hair.
///
/// Errors: array/not-found, array/unreadable, array/too-large (above 2 GiB), array/unknown-format,
/// array/corrupt, array/unsupported, array/not-a-number, array/wrong-type (a number does not fit
/// the type, or the type of bare bytes is not known), array/wrong-shape, array/empty.
Result<HostArray> load_array(const std::filesystem::path& path, const ArrayRequest& request = {});

/// An array of these numbers. Errors: array/wrong-type, array/wrong-shape, array/empty.
Result<HostArray> make_array(std::span<const double> numbers, ElementType type,
                             std::vector<std::uint64_t> shape = {});

} // namespace tuff
