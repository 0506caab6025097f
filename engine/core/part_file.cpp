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

/// Cells that lie in a row in memory and in a file.
struct Stretch {
    std::uint32_t in_memory = 0;
    std::uint32_t in_file = 0;
    std::uint32_t count = 0;
};

/// What a rank holds along an axis.
std::vector<Stretch> stretches_along(const FieldPart& part, const Ranks& ranks, std::size_t axis) {
    const CellSpan own = ranks.part(part.cells)[axis];
    const std::uint32_t halo = part.halo[axis];
    const std::uint32_t cells = part.cells[axis];
    const std::uint32_t held = own.count + 2 * halo;
    if (part.ends[axis] == FieldEnd::kept) return {{0, own.first, held}};
    if (part.ends[axis] == FieldEnd::unread) {
        const std::uint32_t missing = halo - std::min(own.first, halo);
        const std::uint32_t first = own.first + missing - halo;
        return {{missing, first, std::min(held - missing, cells - first)}};
    }
    // From the field's end on it begins again.
    std::vector<Stretch> stretches;
    std::uint32_t at = (own.first + cells - halo % cells) % cells;
    for (std::uint32_t done = 0; done < held;) {
        const std::uint32_t count = std::min(held - done, cells - at);
        stretches.push_back({done, at, count});
        done += count;
        at = 0;
    }
    return stretches;
}

} // namespace

CellPlaces cells_of_rank(const FieldPart& part, const Ranks& ranks) {
    CellPlaces places{.held = part.size(ranks, ranks.rank)};
    const auto own = ranks.part(part.cells);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint32_t fine = part.fine[axis];
        places.whole[axis] = fine * part.cells[axis];
        places.in_memory[axis] = fine * part.halo[axis];
        places.in_file[axis] = fine * own[axis].first;
        places.count[axis] = fine * own[axis].count;
    }
    return places;
}

CellPlaces cells_to_keep(const FieldPart& part, const Ranks& ranks) {
    CellPlaces places = cells_of_rank(part, ranks);
    places.whole = part.whole();
    const auto own = ranks.part(part.cells);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (part.ends[axis] != FieldEnd::kept) continue;
        const std::uint32_t halo = part.fine[axis] * part.halo[axis];
        const bool first = own[axis].first == 0;
        const bool last = own[axis].first + own[axis].count == part.cells[axis];
        if (first)
            places.in_memory[axis] = 0;
        else
            places.in_file[axis] += halo;
        places.count[axis] += (first ? halo : 0) + (last ? halo : 0);
    }
    return places;
}

std::vector<CellPlaces> cells_held(const FieldPart& part, const Ranks& ranks) {
    std::vector<CellPlaces> boxes{
        {.held = part.size(ranks, ranks.rank), .whole = part.whole(), .count = {1, 1, 1}}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<CellPlaces> divided;
        for (const Stretch& stretch : stretches_along(part, ranks, axis))
            for (CellPlaces box : boxes) {
                box.in_memory[axis] = part.fine[axis] * stretch.in_memory;
                box.in_file[axis] = part.fine[axis] * stretch.in_file;
                box.count[axis] = part.fine[axis] * stretch.count;
                divided.push_back(box);
            }
        boxes = std::move(divided);
    }
    return boxes;
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
