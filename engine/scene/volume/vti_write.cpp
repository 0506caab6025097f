#include "core/xml_text.hpp"
#include "scene/volume/volume_codec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tuff::codec {
namespace {

std::string_view vtk_type(ElementType type) {
    switch (type) {
    case ElementType::u8: return "UInt8";
    case ElementType::u16: return "UInt16";
    case ElementType::u32: return "UInt32";
    case ElementType::u64: return "UInt64";
    case ElementType::i8: return "Int8";
    case ElementType::i16: return "Int16";
    case ElementType::i32: return "Int32";
    case ElementType::i64: return "Int64";
    case ElementType::f64: return "Float64";
    default: return "Float32"; // there are no half floats
    }
}

/// Attributes of geometry, with `origin` in place of its own.
std::string geometry_text(const VolumeGeometry& geometry, const std::array<double, 3>& origin) {
    std::string direction; // VTK 9 knows it; its rows are the world's axes
    if (geometry.axes != VolumeGeometry{}.axes) {
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t axis = 0; axis < 3; ++axis)
                direction +=
                    fmt::format("{}{}", direction.empty() ? "" : " ", geometry.axes[axis][c]);
        direction = fmt::format(" Direction=\"{}\"", direction);
    }
    return fmt::format("Origin=\"{}\" Spacing=\"{}\"{}", fmt::join(origin, " "),
                       fmt::join(geometry.spacing, " "), direction);
}

/// The corner of the first cell, whose centre is the first texel.
std::array<double, 3> corner_of(const VolumeGeometry& geometry) {
    std::array<double, 3> corner = geometry.origin;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t c = 0; c < 3; ++c)
            corner[c] -= 0.5 * geometry.spacing[axis] * geometry.axes[axis][c];
    return corner;
}

/// In points, of which cells have one more along each axis.
std::string cell_extent(const std::array<std::uint32_t, 3>& first,
                        const std::array<std::uint32_t, 3>& count) {
    std::string text;
    for (std::size_t axis = 0; axis < 3; ++axis)
        text += fmt::format("{}{} {}", axis == 0 ? "" : " ", first[axis],
                            std::uint64_t{first[axis]} + count[axis]);
    return text;
}

/// Which of its attributes the texels are.
enum class Kind : std::uint8_t { points, cells };

std::vector<std::byte> encode(const VolumeToWrite& volume, const std::string& extent, Kind kind) {
    const VolumeGeometry& geometry = volume.geometry;
    const bool halves = volume.texels.type == ElementType::f16;
    const std::vector<std::byte>& texels = volume.texels.image.texels;
    const std::vector<std::byte> numbers = halves ? floats_of_halves(texels) : texels;
    const std::string name = xml_text(volume.name);
    const std::string header = fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n"
        "  <ImageData WholeExtent=\"{0}\" {1} "
        "TuffFormat=\"{2}\"{3}>\n"
        "    <Piece Extent=\"{0}\">\n"
        "      <{4} Scalars=\"{5}\">\n"
        "        <DataArray type=\"{6}\" Name=\"{5}\" NumberOfComponents=\"{7}\" "
        "format=\"appended\" offset=\"0\"/>\n"
        "      </{4}>\n"
        "    </Piece>\n"
        "  </ImageData>\n"
        "  <AppendedData encoding=\"raw\">\n"
        "_",
        extent,
        geometry_text(geometry, kind == Kind::cells ? corner_of(geometry) : geometry.origin),
        volume.format(), geometry.anatomical ? " TuffAnatomical=\"1\"" : "",
        kind == Kind::cells ? "CellData" : "PointData", name, vtk_type(volume.texels.type),
        volume.texels.channels);
    const std::uint64_t length = numbers.size();
    const std::string_view footer = "\n  </AppendedData>\n</VTKFile>\n";
    std::vector<std::byte> file;
    file.reserve(header.size() + sizeof length + numbers.size() + footer.size());
    const auto append = [&](std::span<const std::byte> bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
    };
    append(std::as_bytes(std::span(header)));
    append(std::as_bytes(std::span(&length, 1)));
    append(numbers);
    append(std::as_bytes(std::span(footer)));
    return file;
}

} // namespace

EncodedVolume encode_vti(const VolumeToWrite& volume) {
    const Extent extent = volume.texels.image.extent;
    return encode(
        volume,
        fmt::format("0 {} 0 {} 0 {}", extent.width - 1, extent.height - 1, extent.depth - 1),
        Kind::points);
}

EncodedVolume encode_vti_piece(const VolumeToWrite& volume, const FieldPlace& place) {
    return encode(volume, cell_extent(place.first, place.count), Kind::cells);
}

std::string pvti_text(const VolumeToWrite& volume, std::span<const NamedPiece> pieces) {
    const std::string name = xml_text(volume.name);
    std::string text =
        fmt::format("<?xml version=\"1.0\"?>\n"
                    "<VTKFile type=\"PImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\">\n"
                    "  <PImageData WholeExtent=\"{}\" GhostLevel=\"0\" {}>\n"
                    "    <PCellData Scalars=\"{}\">\n"
                    "      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n"
                    "    </PCellData>\n",
                    cell_extent({}, pieces.front().place.whole),
                    geometry_text(volume.geometry, corner_of(volume.geometry)), name,
                    vtk_type(volume.texels.type), name, volume.texels.channels);
    for (const NamedPiece& piece : pieces)
        text +=
            fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n",
                        cell_extent(piece.place.first, piece.place.count), xml_text(piece.file));
    return text + "  </PImageData>\n</VTKFile>\n";
}

} // namespace tuff::codec
