// NumPy's array format, version 1 to 3: a signature, the length of a header, the header (a Python
// dictionary literal) padded with spaces so that the data starts at a multiple of 64, the data.
#include "scene/image/image_codec.hpp"

#include <Imath/half.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>

namespace tuff::codec {
namespace {

constexpr std::string_view kSignature = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;

struct TypeName {
    ElementType type;
    std::string_view name;
    std::size_t bytes;
};

constexpr std::array<TypeName, 11> kTypes = {{{ElementType::u8, "u1", 1},
                                              {ElementType::u16, "u2", 2},
                                              {ElementType::u32, "u4", 4},
                                              {ElementType::u64, "u8", 8},
                                              {ElementType::i8, "i1", 1},
                                              {ElementType::i16, "i2", 2},
                                              {ElementType::i32, "i4", 4},
                                              {ElementType::i64, "i8", 8},
                                              {ElementType::f16, "f2", 2},
                                              {ElementType::f32, "f4", 4},
                                              {ElementType::f64, "f8", 8}}};

const TypeName& facts_of(ElementType type) {
    return kTypes[static_cast<std::size_t>(type)];
}

struct NpyHeader {
    ElementType type = ElementType::u8;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0;
};

/// The text after `key` in the header dictionary, spaces skipped.
std::string_view value_of(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(fmt::format("'{}'", key));
    if (at == std::string_view::npos) return {};
    const std::size_t colon = header.find(':', at);
    if (colon == std::string_view::npos) return {};
    const std::size_t value = header.find_first_not_of(' ', colon + 1);
    return value == std::string_view::npos ? std::string_view{} : header.substr(value);
}

std::optional<ElementType> parse_type(std::string_view value) {
    if (value.size() < 5 || (value[0] != '\'' && value[0] != '"')) return std::nullopt;
    const char order = value[1];
    const std::string_view name = value.substr(2, 2);
    const auto found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](auto& t) { return t.name == name; });
    if (found == kTypes.end() || value[4] != value[0]) return std::nullopt;
    const bool native = order == '<' || (found->bytes == 1 && order == '|');
    return native ? std::optional(found->type) : std::nullopt;
}

std::optional<std::vector<std::uint64_t>> parse_shape(std::string_view value) {
    const std::size_t close = value.find(')');
    if (value.empty() || value[0] != '(' || close == std::string_view::npos) return std::nullopt;
    std::vector<std::uint64_t> shape;
    const char* at = value.data() + 1;
    const char* end = value.data() + close;
    while (at != end) {
        if (*at == ' ' || *at == ',') {
            ++at;
            continue;
        }
        std::uint64_t size = 0;
        const auto [next, error] = std::from_chars(at, end, size);
        if (error != std::errc{}) return std::nullopt;
        shape.push_back(size);
        at = next;
    }
    return shape;
}

Result<NpyHeader> parse_header(std::span<const std::byte> file, std::string_view name) {
    const auto corrupt = [&](std::string_view what) {
        return fail("image/corrupt", fmt::format("'{}' is no sound NPY file: {}", name, what));
    };
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (text.size() < 12 || !text.starts_with(kSignature)) return corrupt("it is too short");
    const auto byte_at = [&](std::size_t i) { return std::to_integer<std::size_t>(file[i]); };
    const std::size_t version = byte_at(6);
    const std::size_t start = version == 1 ? 10 : 12;
    std::size_t length = byte_at(8) | byte_at(9) << 8;
    if (version > 1) length |= byte_at(10) << 16 | byte_at(11) << 24;
    if (version < 1 || version > 3) return corrupt("its version is unknown");
    if (length > text.size() - start) return corrupt("its header is cut short");
    const std::string_view header = text.substr(start, length);

    const auto type = parse_type(value_of(header, "descr"));
    if (!type)
        return fail("image/unsupported",
                    fmt::format("'{}' has an element type that is not read", name),
                    "store little-endian u1, u2, u4, i1, i2, i4, f2, f4 or f8");
    if (!value_of(header, "fortran_order").starts_with("False"))
        return fail("image/unsupported", fmt::format("'{}' is stored in Fortran order", name),
                    "store it with numpy.ascontiguousarray");
    const auto shape = parse_shape(value_of(header, "shape"));
    if (!shape) return corrupt("its shape cannot be read");
    return NpyHeader{*type, *shape, start + length};
}

double load_element(ElementType type, const std::byte* at) {
    const auto load = [at]<typename T>(T value) {
        std::memcpy(&value, at, sizeof value);
        return static_cast<double>(value);
    };
    switch (type) {
    case ElementType::u8: return load(std::uint8_t{});
    case ElementType::u16: return load(std::uint16_t{});
    case ElementType::u32: return load(std::uint32_t{});
    case ElementType::u64: return load(std::uint64_t{});
    case ElementType::i8: return load(std::int8_t{});
    case ElementType::i16: return load(std::int16_t{});
    case ElementType::i32: return load(std::int32_t{});
    case ElementType::i64: return load(std::int64_t{});
    case ElementType::f16: {
        std::uint16_t bits = 0;
        std::memcpy(&bits, at, sizeof bits);
        return static_cast<double>(imath_half_to_float(bits));
    }
    case ElementType::f32: return load(float{});
    case ElementType::f64: return load(double{});
    }
    return 0.0;
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

/// The stored bits that stand for alpha 1 in `type`.
std::vector<std::byte> opaque_element(ElementType type) {
    std::vector<std::byte> bytes(facts_of(type).bytes, std::byte{0xff});
    if (type == ElementType::f16) {
        constexpr std::uint16_t kOne = 0x3c00;
        std::memcpy(bytes.data(), &kOne, sizeof kOne);
    } else if (type == ElementType::f32) {
        constexpr float kOne = 1.0f;
        std::memcpy(bytes.data(), &kOne, sizeof kOne);
    } else if (type == ElementType::u32 || type == ElementType::i32) {
        constexpr std::uint32_t kOne = 1;
        std::memcpy(bytes.data(), &kOne, sizeof kOne);
    }
    return bytes;
}

HostImage keep_elements(ElementType type, Format format, Extent extent, std::size_t channels,
                        std::span<const std::byte> data) {
    HostImage image = make_image(format, extent);
    if (channels != 3) {
        std::memcpy(image.texels.data(), data.data(), image.texels.size());
        return image;
    }
    const std::size_t element = facts_of(type).bytes;
    const std::vector<std::byte> alpha = opaque_element(type);
    for (std::size_t i = 0; i < image.texels.size() / (4 * element); ++i) {
        std::memcpy(&image.texels[i * 4 * element], &data[i * 3 * element], 3 * element);
        std::memcpy(&image.texels[(i * 4 + 3) * element], alpha.data(), element);
    }
    return image;
}

HostImage floats_from(ElementType type, Extent extent, std::size_t channels,
                      std::span<const std::byte> data) {
    constexpr std::array<Format, 5> kFloats = {Format::undefined, Format::r32_sfloat,
                                               Format::rg32_sfloat, Format::rgba32_sfloat,
                                               Format::rgba32_sfloat};
    HostImage image = make_image(kFloats[channels], extent);
    const std::size_t stored = channels == 3 ? 4 : channels;
    const std::size_t element = facts_of(type).bytes;
    for (std::size_t i = 0; i < image.texels.size() / sizeof(float); ++i) {
        const std::size_t c = i % stored;
        const float value = c < channels ? static_cast<float>(load_element(
                                               type, &data[(i / stored * channels + c) * element]))
                                         : 1.0f;
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
    auto header = parse_header(file, name);
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
    const std::size_t element = facts_of(header->type).bytes;
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

/// "<f4", as numpy writes it.
std::string type_text(ElementType type) {
    const TypeName& facts = facts_of(type);
    return fmt::format("{}{}", facts.bytes == 1 ? '|' : '<', facts.name);
}

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
    header.append(kAlignment - 1 - (kPreamble + header.size()) % kAlignment, ' ');
    header += '\n';

    std::vector<std::byte> file(kPreamble + header.size() + data.size());
    std::memcpy(file.data(), kSignature.data(), kSignature.size());
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
    return encode(fmt::format("'{}'", type_text(type)), shape, data);
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
        type += fmt::format("('{}', '{}'{}), ", member.name, type_text(member.type),
                            member.count > 1 ? fmt::format(", ({},)", member.count) : "");
        end = member.offset + element_bytes(member.type) * member.count;
    }
    pad_to(records.bytes());
    type.resize(type.size() - 2);
    const std::array<std::uint64_t, 1> shape = {count};
    return encode(type + ']', shape, data);
}

} // namespace tuff::codec
