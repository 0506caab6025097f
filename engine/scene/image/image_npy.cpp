// Images and volumes as NumPy's arrays.
#include "core/element_numbers.hpp"
#include "scene/array/npy_header.hpp"
#include "scene/image/image_codec.hpp"
#include "scene/image/stored_texels.hpp"

#include <Imath/half.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

namespace tuff::codec {
namespace {

float number_at(ElementType type, const std::byte* at) {
    return with_number(type, at, [](auto number) { return static_cast<float>(number); });
}

/// Formats by stored channel count 1, 2, 4. `undefined`: no format keeps the element type.
std::array<Format, 3> formats_of(ElementType type) {
    switch (type) {
    case ElementType::u8: return {Format::r8_unorm, Format::rg8_unorm, Format::rgba8_unorm};
    case ElementType::u16: return {Format::r16_unorm, Format::undefined, Format::rgba16_unorm};
    case ElementType::u32: return {Format::r32_uint, Format::rg32_uint, Format::rgba32_uint};
    case ElementType::i32: return {Format::r32_sint, Format::undefined, Format::rgba32_sint};
    case ElementType::f16: return {Format::r16_sfloat, Format::rg16_sfloat, Format::rgba16_sfloat};
    case ElementType::f32: return {Format::r32_sfloat, Format::rg32_sfloat, Format::rgba32_sfloat};
    default: return {Format::undefined, Format::undefined, Format::undefined};
    }
}

HostImage keep_elements(ElementType type, Format format, Extent extent, std::size_t channels,
                        std::span<const std::byte> data) {
    HostImage image{.format = format, .extent = extent, .texels = {}};
    if (channels == 3)
        image.texels = with_alpha(data, type);
    else
        image.texels.assign(data.begin(), data.end());
    return image;
}

HostImage floats_from(ElementType type, Extent extent, std::size_t channels,
                      std::span<const std::byte> data) {
    constexpr std::array<Format, 5> kFloats = {Format::undefined, Format::r32_sfloat,
                                               Format::rg32_sfloat, Format::rgba32_sfloat,
                                               Format::rgba32_sfloat};
    HostImage image = make_image(kFloats[channels], extent);
    const std::size_t stored = channels == 3 ? 4 : channels;
    const std::size_t element = element_bytes(type);
    for (std::size_t i = 0; i < image.texels.size() / sizeof(float); ++i) {
        const std::size_t c = i % stored;
        const float value =
            c < channels ? number_at(type, &data[(i / stored * channels + c) * element]) : 1.0f;
        std::memcpy(&image.texels[i * sizeof(float)], &value, sizeof value);
    }
    return image;
}

/// width, height, depth, channels; nothing when the array has no such reading.
std::optional<std::array<std::uint64_t, 4>> read_shape(std::vector<std::uint64_t> shape,
                                                       NpyShape reading) {
    if (reading == NpyShape::volume && shape.size() == 3) shape.push_back(1);
    if (reading == NpyShape::image && shape.size() == 2) shape.push_back(1);
    if (reading == NpyShape::image && shape.size() == 3) shape.insert(shape.begin(), 1);
    if (shape.size() != 4 || shape[3] < 1 || shape[3] > 4) return std::nullopt;
    return std::array{shape[2], shape[1], shape[0], shape[3]};
}

} // namespace

Result<HostImage> decode_npy(std::span<const std::byte> file, std::string_view name,
                             NpyShape reading) {
    auto header = parse_npy_header(file, name, "image");
    if (!header) return propagate(std::move(header));
    const auto size = read_shape(header->shape, reading);
    if (!size)
        return fail("image/unsupported",
                    fmt::format("'{}' holds an array of shape ({}) where {} is expected", name,
                                fmt::join(header->shape, ", "),
                                reading == NpyShape::volume
                                    ? "(depth, height, width[, channels])"
                                    : "([depth,] height, width[, channels])"),
                    "one to four channels come last");
    const auto [width, height, depth, channels] = *size;
    if (width == 0 || height == 0 || depth == 0)
        return fail("image/corrupt", fmt::format("'{}' has no texels", name));
    const std::size_t element = element_bytes(header->type);
    if (auto fits = check_extent(name, width, height, depth, 16); !fits)
        return propagate(std::move(fits));
    const std::uint64_t wanted = width * height * depth * channels * element;
    if (wanted > file.size() - header->data_offset)
        return fail("image/corrupt", fmt::format("'{}' is cut short: {} bytes of data, {} expected",
                                                 name, file.size() - header->data_offset, wanted));

    const Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height),
                        static_cast<std::uint32_t>(depth)};
    const std::span data = file.subspan(header->data_offset, wanted);
    const Format format = formats_of(header->type)[channels == 1 ? 0 : channels == 2 ? 1 : 2];
    if (format == Format::undefined) return floats_from(header->type, extent, channels, data);
    return keep_elements(header->type, format, extent, channels, data);
}

namespace {

/// `type`: a Python literal.
std::vector<std::byte> encode(std::string_view type, std::span<const std::uint64_t> shape,
                              std::span<const std::byte> data) {
    std::string dimensions;
    for (const std::uint64_t size : shape)
        dimensions += fmt::format("{}, ", size);
    if (shape.size() > 1) dimensions.resize(dimensions.size() - 2);
    if (shape.size() == 1) dimensions.resize(dimensions.size() - 1); // "(5,)"
    std::string header =
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}), }}", type, dimensions);
    constexpr std::size_t kPreamble = 10; // signature, version, length
    header.append(kNpyAlignment - 1 - (kPreamble + header.size()) % kNpyAlignment, ' ');
    header += '\n';

    std::vector<std::byte> file(kPreamble + header.size() + data.size());
    std::memcpy(file.data(), kNpySignature.data(), kNpySignature.size());
    file[6] = std::byte{1};
    file[7] = std::byte{0};
    file[8] = static_cast<std::byte>(header.size() & 0xff);
    file[9] = static_cast<std::byte>(header.size() >> 8);
    std::memcpy(&file[kPreamble], header.data(), header.size());
    if (!data.empty()) std::memcpy(&file[kPreamble + header.size()], data.data(), data.size());
    return file;
}

} // namespace

std::vector<std::byte> encode_npy(ElementType type, std::span<const std::uint64_t> shape,
                                  std::span<const std::byte> data) {
    return encode(fmt::format("'{}'", npy_type_text(type)), shape, data);
}

std::vector<std::byte> encode_npy(const BufferElements& records, std::uint64_t count,
                                  std::span<const std::byte> data) {
    std::string type = "[";
    std::uint64_t end = 0;
    const auto pad_to = [&](std::uint64_t offset) {
        if (offset > end) type += fmt::format("('', '|V{}'), ", offset - end);
    };
    for (const ElementMember& member : records.members()) {
        pad_to(member.offset);
        type += fmt::format("('{}', '{}'{}), ", member.name, npy_type_text(member.type),
                            member.count > 1 ? fmt::format(", ({},)", member.count) : "");
        end = member.offset + element_bytes(member.type) * member.count;
    }
    pad_to(records.bytes());
    type.resize(type.size() - 2);
    const std::array<std::uint64_t, 1> shape = {count};
    return encode(type + ']', shape, data);
}

} // namespace tuff::codec
