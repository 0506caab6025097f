#include "scene/array/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace tuff::codec {
namespace {

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

} // namespace

Result<NpyHeader> parse_npy_header(std::span<const std::byte> file, std::string_view name,
                                   std::string_view domain) {
    const auto corrupt = [&](std::string_view what) {
        return fail(fmt::format("{}/corrupt", domain),
                    fmt::format("'{}' is not a valid NPY file: {}", name, what));
    };
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (text.size() < 12 || !text.starts_with(kNpySignature)) return corrupt("it is too short");
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
        return fail(fmt::format("{}/unsupported", domain),
                    fmt::format("'{}' has an element type that is not read", name),
                    "store little-endian u1, u2, u4, i1, i2, i4, f2, f4 or f8");
    if (!value_of(header, "fortran_order").starts_with("False"))
        return fail(fmt::format("{}/unsupported", domain),
                    fmt::format("'{}' is stored in Fortran order", name),
                    "store it with numpy.ascontiguousarray");
    const auto shape = parse_shape(value_of(header, "shape"));
    if (!shape) return corrupt("its shape cannot be read");
    return NpyHeader{*type, *shape, start + length};
}

std::string npy_type_text(ElementType type) {
    const TypeName& facts = facts_of(type);
    return fmt::format("{}{}", facts.bytes == 1 ? '|' : '<', facts.name);
}

} // namespace tuff::codec
