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

    /// Elements of a buffer with it: vectors if the last of several axes has two to four numbers.
    BufferElements elements() const;
};

/// How an array is read.
struct ArrayRequest {
    /// Converts numbers to this type; none: that of the file, f32 for a .csv. Bare bytes need it.
    std::optional<ElementType> type = {};
    /// Numbers along each axis; empty: as in the file, else one axis.
    std::vector<std::uint64_t> shape = {};
};

/// Reads a .npy, a .csv, .txt or .tsv (numbers separated by commas, semicolons or blanks, the same
/// count in each line, with or without a first line of names; lines that begin with # are
/// ignored), the bare bytes of a .raw or .bin, or the bytes of a .hair.
///
/// Errors: array/not-found, array/unreadable, array/too-large (above 2 GiB), array/unknown-format,
/// array/corrupt, array/unsupported, array/not-a-number, array/wrong-type (a number does not fit
/// the type, or the type of bare bytes is not known), array/wrong-shape, array/empty.
Result<HostArray> load_array(const std::filesystem::path& path, const ArrayRequest& request = {});

/// An array of these numbers. Errors: array/wrong-type, array/wrong-shape, array/empty.
Result<HostArray> make_array(std::span<const double> numbers, ElementType type,
                             std::vector<std::uint64_t> shape = {});

} // namespace tuff
