#include "core/part_file.hpp"

#include "core/open_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace tuff {
namespace {

constexpr std::size_t kStagedBytes = std::size_t{1} << 20;

std::error_code write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written =
            pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return last_error();
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return {};
}

std::error_code read_at(int file, std::uint64_t offset, std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = pread(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return last_error();
        if (count == 0) return std::make_error_code(std::errc::io_error);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

/// Calls `row(cell in memory, cell in the file)` for the first cell of each row of the box.
template <typename Row>
std::error_code for_each_row(const CellPlaces& places, Row row) {
    const auto index = [](const auto& at, const auto& size, std::uint32_t y, std::uint32_t z) {
        return at[0] + std::uint64_t{size[0]} * (at[1] + y + std::uint64_t{size[1]} * (at[2] + z));
    };
    for (std::uint32_t z = 0; z < places.count[2]; ++z)
        for (std::uint32_t y = 0; y < places.count[1]; ++y)
            if (const auto error = row(index(places.in_memory, places.held, y, z),
                                       index(places.in_file, places.whole, y, z)))
                return error;
    return {};
}

} // namespace

CellPlaces cells_of_rank(const FieldPart& part, const Ranks& ranks) {
    CellPlaces places{
        .held = part.size(ranks, ranks.rank), .whole = part.cells, .in_memory = part.halo};
    const auto own = ranks.part(part.cells);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        places.in_file[axis] = own[axis].first;
        places.count[axis] = own[axis].count;
    }
    return places;
}

CellPlaces cells_to_keep(const FieldPart& part, const Ranks& ranks) {
    CellPlaces places = cells_held(part, ranks);
    const auto own = ranks.part(part.cells);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool first = own[axis].first == 0;
        const bool last = own[axis].first + own[axis].count == part.cells[axis];
        const std::uint32_t below = first ? 0 : part.halo[axis];
        places.in_memory[axis] = below;
        places.in_file[axis] += below;
        places.count[axis] -= below + (last ? 0 : part.halo[axis]);
    }
    return places;
}

CellPlaces cells_held(const FieldPart& part, const Ranks& ranks) {
    CellPlaces places{.held = part.size(ranks, ranks.rank), .whole = part.whole()};
    places.count = places.held;
    const auto own = ranks.part(part.cells);
    for (std::size_t axis = 0; axis < 3; ++axis)
        places.in_file[axis] = own[axis].first;
    return places;
}

std::error_code make_room(const std::filesystem::path& file, std::uint64_t bytes) {
    OpenFile opened(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!opened || ftruncate(opened.get(), static_cast<off_t>(bytes)) != 0) return last_error();
    return opened.end() ? std::error_code() : last_error();
}

std::error_code write_cells(const std::filesystem::path& file, std::uint64_t offset,
                            std::span<const std::byte> memory, const CellPlaces& places,
                            std::uint64_t cell_bytes) {
    OpenFile opened(file, O_WRONLY | O_NOFOLLOW);
    if (!opened) return last_error();
    std::vector<std::byte> staged; // of rows that follow each other in the file
    std::uint64_t staged_at = 0;
    const auto flush = [&] {
        const auto error = write_at(opened.get(), staged_at, staged);
        staged.clear();
        return error;
    };
    const std::uint64_t row_bytes = places.count[0] * cell_bytes;
    const auto stage = [&](std::uint64_t from, std::uint64_t to) -> std::error_code {
        const std::uint64_t at = offset + to * cell_bytes;
        if (staged.size() > kStagedBytes || staged_at + staged.size() != at)
            if (const auto error = flush()) return error;
        if (staged.empty()) staged_at = at;
        const auto row = memory.subspan(from * cell_bytes, row_bytes);
        staged.insert(staged.end(), row.begin(), row.end());
        return {};
    };
    if (const auto error = for_each_row(places, stage)) return error;
    if (const auto error = flush()) return error;
    if (fsync(opened.get()) != 0) return last_error();
    return opened.end() ? std::error_code() : last_error();
}

std::error_code read_cells(const std::filesystem::path& file, std::uint64_t offset,
                           std::span<std::byte> memory, const CellPlaces& places,
                           std::uint64_t cell_bytes) {
    OpenFile opened(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!opened) return last_error();
    return for_each_row(places, [&](std::uint64_t to, std::uint64_t from) {
        return read_at(opened.get(), offset + from * cell_bytes,
                       memory.subspan(to * cell_bytes, places.count[0] * cell_bytes));
    });
}

} // namespace tuff
