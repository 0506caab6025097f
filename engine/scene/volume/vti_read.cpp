// VTK image data: XML that says where the texels are, and the texels in it or after it.
#include "scene/volume/gzip.hpp"
#include "scene/volume/volume_codec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>

namespace tuff::codec {
namespace {

const std::map<std::string_view, ElementType>& vtk_types() {
    static const std::map<std::string_view, ElementType> kTypes = {
        {"UInt8", ElementType::u8},   {"UInt16", ElementType::u16}, {"UInt32", ElementType::u32},
        {"UInt64", ElementType::u64}, {"Int8", ElementType::i8},    {"Int16", ElementType::i16},
        {"Int32", ElementType::i32},  {"Int64", ElementType::i64},  {"Float32", ElementType::f32},
        {"Float64", ElementType::f64}};
    return kTypes;
}

/// Exactly `count` numbers, or nothing.
template <typename T>
std::optional<std::vector<T>> numbers_of(std::string_view text, std::size_t count) {
    std::vector<T> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        while (at != end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
            ++at;
        if (at == end) break;
        T value{};
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc{} || numbers.size() == count) return std::nullopt;
        numbers.push_back(value);
        at = next;
    }
    if (numbers.size() != count) return std::nullopt;
    return numbers;
}

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// The first `length` bytes of a base64 text, and what follows the group that they end in.
struct Base64Part {
    std::vector<std::byte> bytes;
    std::string_view rest;
};

std::optional<Base64Part> from_base64(std::string_view text, std::uint64_t length) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::uint64_t characters = (length + 2) / 3 * 4;
    if (length > text.size() || characters > text.size()) return std::nullopt;
    Base64Part part{.bytes = {}, .rest = text.substr(static_cast<std::size_t>(characters))};
    part.bytes.reserve(static_cast<std::size_t>(length));
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text.substr(0, static_cast<std::size_t>(characters))) {
        const int digit = base64_digit(c);
        if (digit < 0 && c != '=') return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(std::max(digit, 0));
        if (++count % 4 != 0) continue;
        for (const int shift : {16, 8, 0})
            if (part.bytes.size() < length)
                part.bytes.push_back(static_cast<std::byte>(bits >> shift & 0xffu));
        bits = 0;
    }
    return part;
}

class VtiReader {
  public:
    explicit VtiReader(const VolumeFile& file) : file_(file), name_(file.name()) {}

    Result<StoredVolume> read() {
        if (auto parsed = parse(); !parsed) return propagate(std::move(parsed));
        const pugi::xml_node root = document_.child("VTKFile");
        const pugi::xml_node image = root.child("ImageData");
        if (!image)
            return unsupported_volume(
                name_, fmt::format("is a VTK file of type \"{}\"", root.attribute("type").value()),
                "files of ImageData are read");
        is_big_ = root.attribute("byte_order").value() == std::string_view("BigEndian");
        header_bytes_ =
            root.attribute("header_type").value() == std::string_view("UInt64") ? 8u : 4u;
        compressor_ = root.attribute("compressor").value();
        if (!compressor_.empty() && compressor_ != "vtkZLibDataCompressor")
            return unsupported_volume(name_, fmt::format("is packed by {}", compressor_),
                                      "write it without a compressor, or with zlib");
        if (auto geometry = read_geometry(image); !geometry) return propagate(std::move(geometry));
        stored_.format = image.attribute("TuffFormat").value();
        if (auto array = read_piece(image); !array) return propagate(std::move(array));
        return std::move(stored_);
    }

  private:
    std::unexpected<Diagnostics> corrupt(std::string_view what) const {
        return corrupt_volume(name_, what);
    }

    /// The XML alone: raw bytes after "_" are none.
    Result<void> parse() {
        std::string_view text = file_.text();
        const std::size_t appended = text.find("<AppendedData");
        std::string xml(text.substr(0, appended));
        if (appended != std::string_view::npos) {
            const std::size_t tag_end = text.find('>', appended);
            const std::size_t start = text.find('_', std::min(tag_end, text.size()));
            if (start == std::string_view::npos) return corrupt("its appended data are missing");
            appended_is_raw_ = !text.substr(appended, tag_end - appended).contains("base64");
            appended_ = text.substr(start + 1);
            xml += "</VTKFile>";
        }
        const pugi::xml_parse_result parsed =
            document_.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
        if (!parsed)
            return corrupt(
                fmt::format("its XML ends at byte {}: {}", parsed.offset, parsed.description()));
        return {};
    }

    Result<void> read_geometry(const pugi::xml_node& image) {
        const auto extent = numbers_of<std::int64_t>(image.attribute("WholeExtent").value(), 6);
        if (!extent)
            return corrupt(
                fmt::format("its extent is \"{}\"", image.attribute("WholeExtent").value()));
        whole_ = *extent;
        VolumeGeometry& geometry = stored_.geometry;
        const auto read = [&](const char* attribute, std::size_t count, auto store) {
            const char* const text = image.attribute(attribute).value();
            if (*text == '\0') return true;
            const auto numbers = numbers_of<double>(text, count);
            if (numbers) store(*numbers);
            return numbers.has_value();
        };
        const bool sound =
            read("Spacing", 3, [&](auto& n) { std::ranges::copy(n, geometry.spacing.begin()); }) &&
            read("Origin", 3, [&](auto& n) { std::ranges::copy(n, geometry.origin.begin()); }) &&
            read("Direction", 9, [&](auto& n) {
                for (std::size_t i = 0; i < 9; ++i)
                    geometry.axes[i % 3][i / 3] = n[i];
            });
        if (!sound) return corrupt("its spacing, origin or direction are not numbers");
        geometry.anatomical = image.attribute("TuffAnatomical").as_bool();
        return {};
    }

    Result<void> read_piece(const pugi::xml_node& image) {
        const pugi::xml_node piece = image.child("Piece");
        if (piece.next_sibling("Piece"))
            return unsupported_volume(name_, "is in several pieces", "write it as one");
        const auto extent = numbers_of<std::int64_t>(piece.attribute("Extent").value(), 6);
        if (!extent || *extent != whole_)
            return corrupt(
                fmt::format("its piece has the extent \"{}\"", piece.attribute("Extent").value()));
        const pugi::xml_node points = piece.child("PointData");
        const pugi::xml_node cells = piece.child("CellData");
        const bool of_cells = !points.child("DataArray");
        const pugi::xml_node data = of_cells ? cells : points;
        const pugi::xml_node array = choose_array(data);
        if (!array) {
            std::vector<std::string_view> names;
            for (const pugi::xml_node& known : data.children("DataArray"))
                names.emplace_back(known.attribute("Name").value());
            return fail("volume/no-such-array",
                        fmt::format("'{}' has no array \"{}\"", name_, file_.options.array),
                        fmt::format("its arrays: {}", fmt::join(names, ", ")));
        }
        if (auto size = read_size(array, of_cells); !size) return size;
        return read_array(array);
    }

    pugi::xml_node choose_array(const pugi::xml_node& data) const {
        std::string_view wanted = file_.options.array;
        const bool is_asked = !wanted.empty();
        if (!is_asked) wanted = data.attribute("Scalars").value();
        for (const pugi::xml_node& array : data.children("DataArray"))
            if (array.attribute("Name").value() == wanted) return array;
        return is_asked ? pugi::xml_node() : data.child("DataArray");
    }

    Result<void> read_size(const pugi::xml_node& array, bool of_cells) {
        const auto type = vtk_types().find(array.attribute("type").value());
        if (type == vtk_types().end())
            return unsupported_volume(
                name_, fmt::format("holds numbers of type {}", array.attribute("type").value()),
                "integers and floats are read");
        stored_.type = type->second;
        std::array<std::uint64_t, 3> size{};
        for (std::size_t i = 0; i < 3; ++i) {
            const std::int64_t low = whole_[2 * i];
            const std::int64_t high = whole_[2 * i + 1];
            constexpr std::int64_t kFar = std::int64_t{1} << 40;
            if (low > high || low < -kFar || high > kFar)
                return corrupt(fmt::format("its extent is {}", fmt::join(whole_, " ")));
            size[i] = static_cast<std::uint64_t>(high - low) + (of_cells ? 0 : 1);
            const double first = static_cast<double>(low) + (of_cells ? 0.5 : 0.0);
            for (std::size_t c = 0; c < 3 && first != 0.0; ++c)
                stored_.geometry.origin[c] +=
                    first * stored_.geometry.spacing[i] * stored_.geometry.axes[i][c];
        }
        const auto channels = array.attribute("NumberOfComponents").as_ullong(1);
        if (auto fits = check_volume_size(name_, size, channels, stored_.type); !fits) return fits;
        stored_.extent = {static_cast<std::uint32_t>(size[0]), static_cast<std::uint32_t>(size[1]),
                          static_cast<std::uint32_t>(size[2])};
        stored_.channels = static_cast<std::uint32_t>(channels);
        return {};
    }

    Result<void> read_array(const pugi::xml_node& array) {
        const std::uint64_t length = stored_bytes(stored_.extent, stored_.channels, stored_.type);
        const std::string_view format = array.attribute("format").value();
        if (format == "ascii") return read_ascii(array.child_value(), length);
        std::string_view data = array.child_value();
        bool is_raw = false;
        if (format == "appended") {
            const auto offset = array.attribute("offset").as_ullong();
            if (offset > appended_.size()) return corrupt("its data begin after its end");
            data = appended_.substr(static_cast<std::size_t>(offset));
            is_raw = appended_is_raw_;
        } else if (format != "binary") {
            return unsupported_volume(name_, fmt::format("has data in the format \"{}\"", format),
                                      "appended, binary and ascii are read");
        }
        auto bytes = compressor_.empty() ? read_plain(data, is_raw, length)
                                         : read_packed(data, is_raw, length);
        if (!bytes)
            return corrupt(
                fmt::format("its data are not the {} bytes that its extent says", length));
        stored_.numbers = std::move(*bytes);
        if (is_big_) swap_bytes(stored_.numbers, element_bytes(stored_.type));
        return {};
    }

    /// The next `length` bytes, and the data after them.
    static std::optional<std::vector<std::byte>> take(std::string_view& data, bool is_raw,
                                                      std::uint64_t length) {
        if (!is_raw) {
            auto part = from_base64(data, length);
            if (!part) return std::nullopt;
            data = part->rest;
            return std::move(part->bytes);
        }
        if (length > data.size()) return std::nullopt;
        const auto bytes =
            std::as_bytes(std::span(data.substr(0, static_cast<std::size_t>(length))));
        data.remove_prefix(static_cast<std::size_t>(length));
        return std::vector(bytes.begin(), bytes.end());
    }

    std::uint64_t count_at(std::span<const std::byte> bytes, std::size_t index) const {
        std::vector<std::byte> word(
            bytes.begin() + static_cast<std::ptrdiff_t>(index * header_bytes_),
            bytes.begin() + static_cast<std::ptrdiff_t>((index + 1) * header_bytes_));
        if (is_big_) std::ranges::reverse(word);
        std::uint64_t value = 0;
        std::memcpy(&value, word.data(), word.size());
        return value;
    }

    /// The length, then the bytes; in base64 one text.
    std::optional<std::vector<std::byte>> read_plain(std::string_view data, bool is_raw,
                                                     std::uint64_t length) const {
        auto bytes = take(data, is_raw, header_bytes_ + length);
        if (!bytes || count_at(*bytes, 0) != length) return std::nullopt;
        bytes->erase(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(header_bytes_));
        return bytes;
    }

    /// The number of blocks, the size of all but the last and of the last, the packed size of each;
    /// then the blocks.
    std::optional<std::vector<std::byte>> read_packed(std::string_view data, bool is_raw,
                                                      std::uint64_t length) const {
        std::string_view start = data;
        const auto head = take(start, is_raw, header_bytes_);
        if (!head) return std::nullopt;
        const std::uint64_t blocks = count_at(*head, 0);
        if (blocks > data.size()) return std::nullopt;
        const auto sizes = take(data, is_raw, (3 + blocks) * header_bytes_);
        if (!sizes) return std::nullopt;
        std::uint64_t packed = 0;
        for (std::size_t i = 0; i < blocks; ++i) {
            const std::uint64_t size = count_at(*sizes, 3 + i);
            if (size > data.size()) return std::nullopt;
            packed += size;
        }
        const auto all = take(data, is_raw, packed);
        if (!all) return std::nullopt;
        std::vector<std::byte> result;
        std::size_t at = 0;
        for (std::size_t i = 0; i < blocks; ++i) {
            const auto size = static_cast<std::size_t>(count_at(*sizes, 3 + i));
            const std::uint64_t last = count_at(*sizes, 2);
            const std::uint64_t wanted = i + 1 == blocks && last > 0 ? last : count_at(*sizes, 1);
            if (wanted > length - result.size()) return std::nullopt;
            const auto block = inflate_part(std::span(*all).subspan(at, size), 0, wanted);
            if (!block) return std::nullopt;
            result.insert(result.end(), block->begin(), block->end());
            at += size;
        }
        if (result.size() != length) return std::nullopt;
        return result;
    }

    Result<void> read_ascii(std::string_view text, std::uint64_t length) {
        const std::uint64_t count = length / element_bytes(stored_.type);
        const auto numbers = count <= text.size()
                                 ? numbers_of<double>(text, static_cast<std::size_t>(count))
                                 : std::optional<std::vector<double>>();
        if (!numbers)
            return corrupt(fmt::format("its text is not the {} numbers that its extent "
                                       "says",
                                       count));
        for (const double number : *numbers)
            append_number_as(stored_.type, number, stored_.numbers);
        return {};
    }

    const VolumeFile& file_;
    std::string name_;
    pugi::xml_document document_;
    std::string_view appended_;
    bool appended_is_raw_ = true;
    bool is_big_ = false;
    std::size_t header_bytes_ = 4;
    std::string compressor_;
    std::vector<std::int64_t> whole_;
    StoredVolume stored_;
};

} // namespace

bool is_vti(std::span<const std::byte> file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()),
                                std::min<std::size_t>(file.size(), 1024));
    return text.contains("<VTKFile");
}

Result<StoredVolume> decode_vti(const VolumeFile& file) {
    return VtiReader(file).read();
}

} // namespace tuff::codec
