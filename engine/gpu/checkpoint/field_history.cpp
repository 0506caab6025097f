#include "gpu/checkpoint/field_history.hpp"

namespace tuff {
namespace {

/// A history is a row of boxes: its copies, and the layers or arrays of each.
struct Boxes {
    std::uint64_t cell_bytes = 0;
    std::uint64_t held_bytes = 0;
    std::uint64_t whole_bytes = 0;
    std::uint64_t count = 0;
};

Boxes boxes_of(const HistoryInfo& history, const CellPlaces& places) {
    Boxes boxes;
    std::uint64_t layers = history.part->arrays;
    if (const auto* image = std::get_if<ImageDesc>(&history.desc)) {
        boxes.cell_bytes = info(image->format).texel_bytes;
        layers = image->layers;
    } else {
        const std::uint64_t bytes = std::get<BufferDesc>(history.desc).size;
        boxes.cell_bytes = bytes / places.held_cells() / layers;
    }
    boxes.held_bytes = places.held_cells() * boxes.cell_bytes;
    boxes.whole_bytes = places.whole_cells() * boxes.cell_bytes;
    boxes.count = layers * (history.depth + 1);
    return boxes;
}

/// `each(box's first byte in the file, box in memory, bytes of a cell)`, up to the first error.
template <typename Bytes, typename Each>
std::error_code for_each_box(const HistoryInfo& history, const CellPlaces& places, Bytes contents,
                             Each each) {
    const Boxes boxes = boxes_of(history, places);
    for (std::uint64_t i = 0; i < boxes.count; ++i)
        if (const std::error_code error =
                each(i * boxes.whole_bytes,
                     contents.subspan(i * boxes.held_bytes, boxes.held_bytes), boxes.cell_bytes))
            return error;
    return {};
}

} // namespace

HistoryInfo whole_history(HistoryInfo history, const Ranks& ranks) {
    if (!history.part) return history;
    const CellPlaces places = cells_to_keep(*history.part, ranks);
    if (auto* image = std::get_if<ImageDesc>(&history.desc))
        image->extent = {places.whole[0], places.whole[1], places.whole[2]};
    else if (auto* buffer = std::get_if<BufferDesc>(&history.desc))
        buffer->size = buffer->size / places.held_cells() * places.whole_cells();
    history.part.reset();
    return history;
}

std::error_code write_part(const std::filesystem::path& file, const HistoryInfo& history,
                           const Ranks& ranks, std::span<const std::byte> contents) {
    const CellPlaces places = cells_to_keep(*history.part, ranks);
    return for_each_box(history, places, contents,
                        [&](std::uint64_t at, auto box, std::uint64_t cell_bytes) {
                            return write_cells(file, at, box, places, cell_bytes);
                        });
}

std::error_code read_part(const std::filesystem::path& file, const HistoryInfo& history,
                          const Ranks& ranks, std::span<std::byte> contents) {
    for (const CellPlaces& places : cells_held(*history.part, ranks))
        if (const auto error =
                for_each_box(history, places, contents,
                             [&](std::uint64_t at, auto box, std::uint64_t cell_bytes) {
                                 return read_cells(file, at, box, places, cell_bytes);
                             }))
            return error;
    return {};
}

} // namespace tuff
