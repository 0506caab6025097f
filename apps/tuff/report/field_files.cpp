#include "apps/tuff/report/field_files.hpp"

#include "core/part_file.hpp"
#include "scene/files.hpp"
#include "scene/image/image_codec.hpp"
#include "scene/volume/volume_codec.hpp"

#include <tuff/communicator.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

std::vector<std::byte>& contents_of(FetchedOutput& output) {
    return output.is_image ? output.image.texels : output.bytes;
}

/// The places of the cells of any rank.
CellPlaces places_of(const OutputPart& part, std::uint32_t rank) {
    Ranks ranks = part.ranks;
    ranks.rank = rank;
    return cells_of_rank(part.part, ranks);
}

/// Copies the rows of a box; each of `from` and `to` is of `held` or `whole` cells, and has the
/// box at its own place.
struct BoxSide {
    std::array<std::uint32_t, 3> size{};
    std::array<std::uint32_t, 3> first{};
    std::uint64_t row(std::uint32_t y, std::uint32_t z) const {
        return first[0] +
               std::uint64_t{size[0]} * (first[1] + y + std::uint64_t{size[1]} * (first[2] + z));
    }
};
void copy_box(std::span<const std::byte> from, const BoxSide& source, std::span<std::byte> to,
              const BoxSide& target, const std::array<std::uint32_t, 3>& count,
              std::uint64_t cell_bytes) {
    const std::uint64_t bytes = count[0] * cell_bytes;
    for (std::uint32_t z = 0; z < count[2]; ++z)
        for (std::uint32_t y = 0; y < count[1]; ++y)
            std::memcpy(to.data() + target.row(y, z) * cell_bytes,
                        from.data() + source.row(y, z) * cell_bytes, bytes);
}

std::uint64_t cells_in(const std::array<std::uint32_t, 3>& size) {
    return std::uint64_t{size[0]} * size[1] * size[2];
}

/// The cells of this rank alone.
FetchedOutput without_halo(FetchedOutput output, const OutputPart& part) {
    const CellPlaces places = places_of(part, part.ranks.rank);
    std::vector<std::byte>& contents = contents_of(output);
    const std::uint64_t cell_bytes = contents.size() / places.held_cells();
    std::vector<std::byte> own(cells_in(places.count) * cell_bytes);
    copy_box(contents, {places.held, places.in_memory}, own, {places.count, {}}, places.count,
             cell_bytes);
    contents = std::move(own);
    if (output.is_image) {
        const auto [width, height, depth] = places.count;
        output.image.extent = {width, height, depth};
    }
    return output;
}

Outcome<void> written(const fs::path& file, const std::error_code& error) {
    if (!error) return {};
    return run_failure(
        fail("image/unwritable",
             fmt::format("'{}' cannot be written: {}", file.string(), error.message()),
             "check that the folder exists and may be written to by all processes")
            .error());
}

Outcome<void> wait_for_all(const Ranks& ranks) {
    if (ranks.size() == 1) return {};
    if (auto ok = ranks.communicator->barrier(); !ok) return run_failure(std::move(ok.error()));
    return {};
}

/// How an array of the whole field begins in a file, and what follows of this rank.
struct NpyPart {
    std::vector<std::byte> header;
    std::vector<std::byte> cells;
};

Outcome<NpyPart> npy_part(FetchedOutput own, const OutputPart& part) {
    const auto& whole = part.part.cells;
    if (!own.is_image) {
        const std::uint64_t cells = cells_in(places_of(part, part.ranks.rank).count);
        const std::uint64_t count =
            own.bytes.size() / cells * cells_in(whole) / own.elements.bytes();
        NpyPart npy{.header = {}, .cells = std::move(own.bytes)};
        if (own.elements.is_record()) {
            npy.header = codec::encode_npy(own.elements, count, {});
            return npy;
        }
        const ElementMember& numbers = own.elements.members().front();
        std::vector<std::uint64_t> shape = {count};
        if (numbers.count > 1) shape.push_back(numbers.count);
        npy.header = codec::encode_npy(numbers.type, shape, {});
        return npy;
    }
    auto texels = stored_texels(std::move(own.image));
    if (!texels) return run_failure(std::move(texels.error()));
    std::vector<std::uint64_t> shape = {whole[1], whole[0], texels->channels};
    if (whole[2] > 1) shape.insert(shape.begin(), whole[2]);
    return NpyPart{.header = codec::encode_npy(texels->type, shape, {}),
                   .cells = std::move(texels->image.texels)};
}

/// Each rank writes its cells into one file, which takes its name once all have.
Outcome<void> save_npy_part(FetchedOutput own, const OutputPart& part, const fs::path& file) {
    auto npy = npy_part(std::move(own), part);
    if (!npy) return pass_on(std::move(npy));
    CellPlaces places = places_of(part, part.ranks.rank);
    places.held = places.count;
    places.in_memory = {};
    const std::uint64_t cell_bytes = npy->cells.size() / places.held_cells();
    const fs::path partial =
        file.parent_path() / fmt::format(".{}.partial", file.filename().string());
    if (part.ranks.rank == 0) {
        std::error_code ignored; // of a run that has ended in the middle
        fs::remove(partial, ignored);
        const std::uint64_t size = npy->header.size() + places.whole_cells() * cell_bytes;
        if (auto ok = written(file, make_room(partial, size)); !ok) return ok;
        const auto length = static_cast<std::uint32_t>(npy->header.size());
        const CellPlaces whole{
            .held = {length, 1, 1}, .whole = {length, 1, 1}, .count = {length, 1, 1}};
        if (auto ok = written(file, write_cells(partial, 0, npy->header, whole, 1)); !ok) return ok;
    }
    if (auto ok = wait_for_all(part.ranks); !ok) return ok;
    const auto error = write_cells(partial, npy->header.size(), npy->cells, places, cell_bytes);
    if (auto ok = written(file, error); !ok) return ok;
    if (auto ok = wait_for_all(part.ranks); !ok) return ok;
    if (part.ranks.rank != 0) return {};
    std::error_code renamed;
    fs::rename(partial, file, renamed);
    return written(file, renamed);
}

codec::FieldPlace field_place(const OutputPart& part, std::uint32_t rank) {
    const CellPlaces places = places_of(part, rank);
    return {.whole = places.whole, .first = places.in_file, .count = places.count};
}

/// "field_2.vti" of "field.pvti".
std::string piece_name(const fs::path& file, std::uint32_t rank) {
    return fmt::format("{}_{}.vti", file.stem().string(), rank);
}

Outcome<void> save_pieces(FetchedOutput own, const OutputPart& part, const fs::path& file) {
    const VolumeGeometry geometry = own.geometry.value_or(VolumeGeometry{});
    auto texels = stored_texels(std::move(own.image));
    if (!texels) return run_failure(std::move(texels.error()));
    const codec::VolumeToWrite volume{*texels, geometry, own.name};
    const auto piece = codec::encode_vti_piece(volume, field_place(part, part.ranks.rank));
    if (!piece) return run_failure(piece.error());
    if (auto saved = write_file(file.parent_path() / piece_name(file, part.ranks.rank), *piece);
        !saved)
        return run_failure(std::move(saved.error()));
    if (auto ok = wait_for_all(part.ranks); !ok) return ok;
    if (part.ranks.rank != 0) return {};
    std::vector<codec::NamedPiece> pieces;
    for (std::uint32_t rank = 0; rank < part.ranks.size(); ++rank)
        pieces.push_back({piece_name(file, rank), field_place(part, rank)});
    return write_text_file(file, codec::pvti_text(volume, pieces));
}

/// Whether the elements follow each other in a file as they do in memory.
bool is_dense(const BufferElements& elements) {
    if (elements.is_record()) return true;
    const ElementMember& numbers = elements.members().front();
    return element_bytes(numbers.type) * numbers.count == elements.bytes();
}

} // namespace

bool is_shared_file(const FetchedOutput& output, const fs::path& file) {
    const std::string extension = lower_extension(file);
    if (extension == ".npy") return output.is_image || is_dense(output.elements);
    return extension == ".pvti" && output.is_image;
}

std::vector<fs::path> pieces_of(const fs::path& file, const Ranks& ranks) {
    std::vector<fs::path> pieces;
    if (lower_extension(file) != ".pvti") return pieces;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
        pieces.push_back(file.parent_path() / piece_name(file, rank));
    return pieces;
}

Outcome<void> save_part(const FetchedOutput& output, const OutputPart& part, const fs::path& file) {
    FetchedOutput own = without_halo(output, part);
    if (lower_extension(file) == ".npy") return save_npy_part(std::move(own), part, file);
    return save_pieces(std::move(own), part, file);
}

Outcome<std::optional<FetchedOutput>> gather_field(FetchedOutput output, const OutputPart& part) {
    FetchedOutput own = without_halo(std::move(output), part);
    if (part.ranks.size() == 1) return own;
    const auto all = part.ranks.communicator->gather(contents_of(own), 0);
    if (!all) return run_failure(all.error());
    if (part.ranks.rank != 0) return std::nullopt;
    const auto& cells = part.part.cells;
    const std::uint64_t cell_bytes =
        contents_of(own).size() / cells_in(places_of(part, part.ranks.rank).count);
    std::vector<std::byte> whole(cells_in(cells) * cell_bytes);
    for (std::uint32_t rank = 0; rank < part.ranks.size(); ++rank) {
        const CellPlaces places = places_of(part, rank);
        copy_box((*all)[rank], {places.count, {}}, whole, {places.whole, places.in_file},
                 places.count, cell_bytes);
    }
    contents_of(own) = std::move(whole);
    if (own.is_image) own.image.extent = {cells[0], cells[1], cells[2]};
    return own;
}

} // namespace tuff::cli
