#pragma once

#include <tuff/ranks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

/// Files of whole fields, of which each rank writes or reads its own cells, in place.
namespace tuff {

/// A box of elements, here called cells, in the memory of a rank and in a file, x fastest in both.
struct CellPlaces {
    std::array<std::uint32_t, 3> held{};      ///< cells in memory
    std::array<std::uint32_t, 3> whole{};     ///< cells in the file
    std::array<std::uint32_t, 3> in_memory{}; ///< lowest cell of the box
    std::array<std::uint32_t, 3> in_file{};   ///< the same cell
    std::array<std::uint32_t, 3> count{};     ///< cells of the box
    std::uint64_t held_cells() const { return std::uint64_t{held[0]} * held[1] * held[2]; }
    std::uint64_t whole_cells() const { return std::uint64_t{whole[0]} * whole[1] * whole[2]; }
};

/// The cells of a rank in a file of the field without halo.
CellPlaces cells_of_rank(const FieldPart& part, const Ranks& ranks);
/// In a checkpoint's file, the cells that are this rank's to write: each is one rank's. The halo
/// beyond an end of the field, where that is kept, is of the ranks there.
CellPlaces cells_to_keep(const FieldPart& part, const Ranks& ranks);
/// Where such a file has what a rank holds, its whole halo included.
std::vector<CellPlaces> cells_held(const FieldPart& part, const Ranks& ranks);

/// Makes a new file of this size, zeros at first.
std::error_code make_room(const std::filesystem::path& file, std::uint64_t bytes);
/// Writes a box of `memory` into a file that is there, from `offset` on, and waits until the disk
/// has it. Other ranks may write other cells meanwhile.
std::error_code write_cells(const std::filesystem::path& file, std::uint64_t offset,
                            std::span<const std::byte> memory, const CellPlaces& places,
                            std::uint64_t cell_bytes);
/// Reads a box into `memory`. Error: std::errc::io_error where the file is too short.
std::error_code read_cells(const std::filesystem::path& file, std::uint64_t offset,
                           std::span<std::byte> memory, const CellPlaces& places,
                           std::uint64_t cell_bytes);

} // namespace tuff
