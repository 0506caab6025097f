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

} // namespace

EncodedVolume encode_vti(const VolumeToWrite& volume) {
    const Extent extent = volume.texels.image.extent;
    const VolumeGeometry& geometry = volume.geometry;
    const bool halves = volume.texels.type == ElementType::f16;
    const std::vector<std::byte>& texels = volume.texels.image.texels;
    const std::vector<std::byte> numbers = halves ? floats_of_halves(texels) : texels;
    const std::string whole =
        fmt::format("0 {} 0 {} 0 {}", extent.width - 1, extent.height - 1, extent.depth - 1);
    std::string direction; // VTK 9 knows it; its rows are the world's axes
    if (geometry.axes != VolumeGeometry{}.axes) {
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t axis = 0; axis < 3; ++axis)
                direction +=
                    fmt::format("{}{}", direction.empty() ? "" : " ", geometry.axes[axis][c]);
        direction = fmt::format(" Direction=\"{}\"", direction);
    }
    const std::string name = xml_text(volume.name);
    std::string header =
        fmt::format("<?xml version=\"1.0\"?>\n"
                    "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\">\n"
                    "  <ImageData WholeExtent=\"{0}\" Origin=\"{1}\" Spacing=\"{2}\"{3} "
                    "TuffFormat=\"{4}\"{5}>\n"
                    "    <Piece Extent=\"{0}\">\n"
                    "      <PointData Scalars=\"{6}\">\n"
                    "        <DataArray type=\"{7}\" Name=\"{6}\" NumberOfComponents=\"{8}\" "
                    "format=\"appended\" offset=\"0\"/>\n"
                    "      </PointData>\n"
                    "    </Piece>\n"
                    "  </ImageData>\n"
                    "  <AppendedData encoding=\"raw\">\n"
                    "_",
                    whole, fmt::join(geometry.origin, " "), fmt::join(geometry.spacing, " "),
                    direction, volume.format(), geometry.anatomical ? " TuffAnatomical=\"1\"" : "",
                    name, vtk_type(volume.texels.type), volume.texels.channels);
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

} // namespace tuff::codec
