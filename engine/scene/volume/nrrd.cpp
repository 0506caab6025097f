// NRRD (teem.sourceforge.net/nrrd/format.html), versions 1 to 5: a signature, lines of "field:
// value" and "key:=value" up to an empty one, then the data, or the name of the file that has them.
#include "core/file_access.hpp"
#include "core/parse_number.hpp"
#include "scene/files.hpp"
#include "scene/volume/gzip.hpp"
#include "scene/volume/volume_codec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace tuff::codec {
namespace {

constexpr std::string_view kNrrdSignature = "NRRD000";
constexpr std::string_view kNrrdFormatKey = "tuff format";

struct NrrdType {
    ElementType type;
    std::vector<std::string_view> names; ///< the first is written
};

const std::vector<NrrdType>& nrrd_types() {
    static const std::vector<NrrdType> kTypes = {
        {ElementType::i8, {"int8", "signed char", "int8_t"}},
        {ElementType::u8, {"uint8", "uchar", "unsigned char", "uint8_t"}},
        {ElementType::i16,
         {"int16", "short", "short int", "signed short", "signed short int", "int16_t"}},
        {ElementType::u16,
         {"uint16", "ushort", "unsigned short", "unsigned short int", "uint16_t"}},
        {ElementType::i32, {"int32", "int", "signed int", "int32_t"}},
        {ElementType::u32, {"uint32", "uint", "unsigned int", "uint32_t"}},
        {ElementType::i64,
         {"int64", "longlong", "long long", "long long int", "signed long long",
          "signed long long int", "int64_t"}},
        {ElementType::u64,
         {"uint64", "ulonglong", "unsigned long long", "unsigned long long int", "uint64_t"}},
        {ElementType::f32, {"float"}},
        {ElementType::f64, {"double"}}};
    return kTypes;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// The words of a text; what stands in brackets or quotes is one, without them.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const char close = text[0] == '(' ? ')' : text[0] == '"' ? '"' : '\0';
        const std::size_t begin = close ? 1 : 0;
        const std::size_t end =
            std::min(close ? text.find(close, 1) : text.find_first_of(" \t"), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        text.remove_prefix(std::min(end + begin, text.size()));
    }
    return words;
}

/// "(1,0,0)" without its brackets.
std::optional<std::array<double, 3>> vector_of(std::string_view text) {
    std::array<double, 3> vector{};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto number = parse_number<double>(trimmed(text.substr(0, comma)));
        if (!number || (i < 2) != (comma < text.size())) return std::nullopt;
        vector[i] = *number;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return vector;
}

struct NrrdHeader {
    std::map<std::string, std::string, std::less<>> fields;
    std::string format; ///< of the texels, where Tuff wrote it
    std::size_t end = 0;
    bool is_whole = false; ///< an empty line ends it

    std::string_view get(std::string_view field) const {
        const auto found = fields.find(field);
        return found == fields.end() ? std::string_view{} : std::string_view(found->second);
    }
    bool has(std::string_view field) const { return fields.contains(field); }
};

/// Spellings of one field.
std::string field_name(std::string_view name) {
    if (name == "datafile") return "data file";
    if (name == "lineskip") return "line skip";
    if (name == "byteskip") return "byte skip";
    if (name == "axismins") return "axis mins";
    if (name == "centerings") return "centers";
    return std::string(name);
}

NrrdHeader read_header(std::string_view text) {
    NrrdHeader header;
    std::size_t at = std::min(text.find('\n'), text.size() - 1) + 1; // after the signature
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = std::min(end + 1, text.size());
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) {
            header.is_whole = true;
            break;
        }
        if (line.starts_with('#')) continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view name = line.substr(0, colon);
        const std::string_view value = line.substr(colon + 1);
        if (value.starts_with('=')) {
            if (name == kNrrdFormatKey) header.format = value.substr(1);
        } else {
            header.fields.insert_or_assign(field_name(name), std::string(trimmed(value)));
        }
    }
    header.end = at;
    return header;
}

/// What the axes of a file are.
struct NrrdAxes {
    std::uint64_t channels = 1;
    std::array<std::uint64_t, 3> size = {1, 1, 1};
    std::uint64_t frames = 1;
    std::size_t first = 0; ///< the axis that is x
};

class NrrdReader {
  public:
    explicit NrrdReader(const VolumeFile& file)
        : file_(file), name_(file.name()), header_(read_header(file.text())) {}

    Result<StoredVolume> read() {
        if (!header_.is_whole && !header_.has("data file"))
            return corrupt_volume(name_, "its header is cut short");
        if (auto type = read_type(); !type) return propagate(std::move(type));
        if (auto axes = read_axes(); !axes) return propagate(std::move(axes));
        if (auto fits = check_volume_size(name_, axes_.size, axes_.channels, stored_.type); !fits)
            return propagate(std::move(fits));
        if (auto geometry = read_geometry(); !geometry) return propagate(std::move(geometry));
        const auto side = [&](std::size_t i) { return static_cast<std::uint32_t>(axes_.size[i]); };
        stored_.extent = {side(0), side(1), side(2)};
        stored_.channels = static_cast<std::uint32_t>(axes_.channels);
        stored_.format = header_.format;
        if (auto data = read_data(); !data) return propagate(std::move(data));
        return std::move(stored_);
    }

  private:
    Result<void> read_type() {
        const std::string_view type = header_.get("type");
        for (const NrrdType& known : nrrd_types())
            if (std::ranges::find(known.names, type) != known.names.end()) {
                stored_.type = known.type;
                return {};
            }
        if (type.empty()) return corrupt_volume(name_, "its header has no \"type\"");
        return unsupported_volume(name_, fmt::format("holds numbers of type \"{}\"", type),
                                  "integers, float and double are read");
    }

    /// Whether an axis is one of space, so far as the header says.
    bool is_domain(std::size_t axis) const {
        if (axis < directions_.size()) return directions_[axis] != "none";
        if (axis < kinds_.size() && kinds_[axis] != "???" && kinds_[axis] != "none")
            return kinds_[axis] == "domain" || kinds_[axis] == "space" || kinds_[axis] == "time";
        return sizes_.size() < 4 || axis > 0 || sizes_[axis] > 4;
    }

    Result<void> read_axes() {
        for (const std::string& word : words_of(header_.get("sizes"))) {
            const auto size = parse_number<std::uint64_t>(word);
            if (!size) return corrupt_volume(name_, fmt::format("a size is \"{}\"", word));
            sizes_.push_back(*size);
        }
        const auto dimension = parse_number<std::uint64_t>(header_.get("dimension"));
        if (!dimension || *dimension != sizes_.size() || sizes_.empty())
            return corrupt_volume(name_, fmt::format("its dimension is \"{}\", with {} sizes",
                                                     header_.get("dimension"), sizes_.size()));
        directions_ = words_of(header_.get("space directions"));
        kinds_ = words_of(header_.get("kinds"));
        std::vector<std::uint64_t> rest = sizes_;
        if (!is_domain(0)) {
            axes_.channels = sizes_[0];
            axes_.first = 1;
            rest.erase(rest.begin());
        }
        if (rest.size() == 4) {
            axes_.frames = rest.back();
            rest.pop_back();
        }
        if (rest.empty() || rest.size() > 3)
            return unsupported_volume(name_,
                                      fmt::format("has the sizes {}", fmt::join(sizes_, " ")),
                                      "volumes have three axes, one before them for what a texel "
                                      "holds and one after them for a series");
        std::ranges::copy(rest, axes_.size.begin());
        space_axes_ = rest.size();
        return {};
    }

    Result<void> read_geometry() {
        const std::string_view space = header_.get("space");
        const bool lps = space == "left-posterior-superior" || space == "LPS";
        const bool las = space == "left-anterior-superior" || space == "LAS";
        const bool ras = space == "right-anterior-superior" || space == "RAS";
        VolumeGeometry& geometry = stored_.geometry;
        if (!directions_.empty()) {
            auto steps = steps_of(geometry);
            for (std::size_t i = 0; i < space_axes_; ++i) {
                const std::size_t axis = axes_.first + i;
                const auto step = axis < directions_.size()
                                      ? vector_of(directions_[axis])
                                      : std::optional<std::array<double, 3>>();
                if (!step)
                    return corrupt_volume(name_, fmt::format("its space directions are \"{}\"",
                                                             header_.get("space directions")));
                steps[i] = *step;
            }
            auto placed = geometry_of(name_, steps, {});
            if (!placed) return propagate(std::move(placed));
            geometry = *placed;
        } else if (header_.has("spacings")) {
            if (auto read = read_spacings(); !read) return read;
        }
        if (auto read = read_origin(); !read) return read;
        geometry.anatomical = lps || las || ras;
        // The world's axes lead right, to the front and up.
        for (std::size_t c = 0; c < 2; ++c) {
            if (!(lps || (las && c == 0))) continue;
            geometry.origin[c] = 0.0 - geometry.origin[c];
            for (auto& axis : geometry.axes)
                axis[c] = 0.0 - axis[c];
        }
        return {};
    }

    Result<void> read_spacings() {
        const auto words = words_of(header_.get("spacings"));
        for (std::size_t i = 0; i < space_axes_; ++i) {
            const std::size_t axis = axes_.first + i;
            const auto spacing =
                axis < words.size() ? parse_number<double>(words[axis]) : std::optional<double>();
            if (!spacing)
                return corrupt_volume(
                    name_, fmt::format("its spacings are \"{}\"", header_.get("spacings")));
            if (!std::isnan(*spacing)) stored_.geometry.spacing[i] = *spacing; // NaN: unknown
        }
        return {};
    }

    Result<void> read_origin() {
        VolumeGeometry& geometry = stored_.geometry;
        if (header_.has("space origin")) {
            const auto words = words_of(header_.get("space origin"));
            const auto origin =
                words.size() == 1 ? vector_of(words[0]) : std::optional<std::array<double, 3>>();
            if (!origin)
                return corrupt_volume(
                    name_, fmt::format("its space origin is \"{}\"", header_.get("space origin")));
            geometry.origin = *origin;
        } else if (directions_.empty() && header_.has("axis mins")) {
            const auto mins = words_of(header_.get("axis mins"));
            const auto centers = words_of(header_.get("centers"));
            for (std::size_t i = 0; i < space_axes_; ++i) {
                const std::size_t axis = axes_.first + i;
                const auto low =
                    axis < mins.size() ? parse_number<double>(mins[axis]) : std::optional<double>();
                if (!low || std::isnan(*low)) continue;
                const bool cell = axis < centers.size() && centers[axis] == "cell";
                geometry.origin[i] = *low + (cell ? geometry.spacing[i] / 2.0 : 0.0);
            }
        }
        return {};
    }

    /// The bytes that hold the data: the rest of the file, or another file.
    Result<std::span<const std::byte>> source() {
        const std::string_view detached = header_.get("data file");
        if (detached.empty()) return file_.bytes.subspan(header_.end);
        if (detached.starts_with("LIST") || detached.contains('%'))
            return unsupported_volume(name_, "has its data in several files",
                                      "put them into one file");
        const auto path = file_.path.parent_path() / detached;
        if (auto readable = check_readable(path, file_.options.confined_to); !readable)
            return propagate(std::move(readable));
        std::error_code error;
        if (!std::filesystem::exists(path, error))
            return fail(
                "volume/not-found",
                fmt::format("'{}' has its data in '{}', which is not there", name_, path.string()),
                "put it beside the header");
        auto bytes = read_file(path, "volume", kMaxVolumeFileBytes);
        if (!bytes) return propagate(std::move(bytes));
        detached_ = std::move(*bytes);
        return std::span<const std::byte>(detached_);
    }

    Result<void> read_data() {
        const auto frame = chosen_frame(name_, file_.options, axes_.frames);
        if (!frame) return std::unexpected(frame.error());
        auto source = this->source();
        if (!source) return propagate(std::move(source));
        std::span<const std::byte> bytes = *source;
        for (auto lines = parse_number<std::uint64_t>(header_.get("line skip")).value_or(0);
             lines > 0 && !bytes.empty(); --lines) {
            const auto end = std::ranges::find(bytes, std::byte{'\n'});
            bytes = bytes.subspan(std::min<std::size_t>(
                static_cast<std::size_t>(end - bytes.begin()) + 1, bytes.size()));
        }
        const std::string_view encoding = header_.get("encoding");
        const std::uint64_t length = stored_bytes(stored_.extent, stored_.channels, stored_.type);
        if (encoding == "raw") return read_raw(bytes, *frame, length);
        if (encoding == "gzip" || encoding == "gz") return read_gzip(bytes, *frame, length);
        if (encoding == "text" || encoding == "txt" || encoding == "ascii")
            return read_text(bytes, *frame, length);
        if (encoding.empty()) return corrupt_volume(name_, "its header has no \"encoding\"");
        return unsupported_volume(name_, fmt::format("has the encoding \"{}\"", encoding),
                                  "raw, gzip and text are read");
    }

    Result<void> read_raw(std::span<const std::byte> bytes, std::uint64_t frame,
                          std::uint64_t length) {
        const auto skip = parse_number<std::int64_t>(header_.get("byte skip")).value_or(0);
        // -1: the data are what the file ends with.
        const std::uint64_t all = frames_end(length);
        const std::uint64_t start =
            skip >= 0 ? static_cast<std::uint64_t>(skip)
                      : (bytes.size() >= all ? bytes.size() - all : bytes.size() + 1);
        if (skip < -1 || start > bytes.size() || bytes.size() - start < all)
            return cut_short(bytes.size() - std::min<std::uint64_t>(start, bytes.size()), all);
        const auto data = bytes.subspan(static_cast<std::size_t>(start + frame * length),
                                        static_cast<std::size_t>(length));
        stored_.numbers.assign(data.begin(), data.end());
        return to_machine();
    }

    /// Bytes of all frames; more than any file has where there are too many.
    std::uint64_t frames_end(std::uint64_t length) const {
        std::uint64_t all = 0;
        return __builtin_mul_overflow(length, axes_.frames, &all) ? ~std::uint64_t{0} : all;
    }

    std::unexpected<Diagnostics> cut_short(std::uint64_t there, std::uint64_t wanted) const {
        return corrupt_volume(
            name_, fmt::format("it has {} bytes of data and its header says {}", there, wanted));
    }

    Result<void> read_gzip(std::span<const std::byte> bytes, std::uint64_t frame,
                           std::uint64_t length) {
        const auto skip = parse_number<std::int64_t>(header_.get("byte skip")).value_or(0);
        if (skip < 0 || skip > static_cast<std::int64_t>(kMaxVolumeFileBytes))
            return corrupt_volume(name_, fmt::format("\"byte skip\" is {}", skip));
        auto data = inflate_part(bytes, static_cast<std::uint64_t>(skip) + frame * length, length);
        if (!data)
            return corrupt_volume(
                name_,
                fmt::format("its gzip data end before the {} bytes that its header says", length));
        stored_.numbers = std::move(*data);
        return to_machine();
    }

    Result<void> to_machine() {
        const std::string_view endian = header_.get("endian");
        const std::size_t each = element_bytes(stored_.type);
        if (each > 1 && endian != "little" && endian != "big")
            return corrupt_volume(name_, fmt::format("\"endian\" is \"{}\"", endian));
        if (endian == "big") swap_bytes(stored_.numbers, each);
        return {};
    }

    Result<void> read_text(std::span<const std::byte> bytes, std::uint64_t frame,
                           std::uint64_t length) {
        const std::uint64_t count = length / element_bytes(stored_.type);
        std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        // A number and a space.
        if (frames_end(count) > text.size() / 2 + 1)
            return cut_short(text.size(), frames_end(count));
        std::vector<double> numbers;
        constexpr std::string_view kBetween = " \t\r\n,";
        for (std::uint64_t i = 0; i < (frame + 1) * count; ++i) {
            text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
            const std::size_t end = std::min(text.find_first_of(kBetween), text.size());
            const auto number = parse_number<double>(trimmed(text.substr(0, end)));
            if (!number)
                return corrupt_volume(name_, fmt::format("number {} of {} is \"{}\"", i + 1,
                                                         frames_end(count), text.substr(0, end)));
            if (i >= frame * count) numbers.push_back(*number);
            text.remove_prefix(end);
        }
        for (const double number : numbers)
            append_number_as(stored_.type, number, stored_.numbers);
        return {};
    }

    const VolumeFile& file_;
    std::string name_;
    NrrdHeader header_;
    StoredVolume stored_;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::string> directions_;
    std::vector<std::string> kinds_;
    NrrdAxes axes_;
    std::size_t space_axes_ = 3;
    std::vector<std::byte> detached_;
};

std::string_view nrrd_type_name(ElementType type) {
    for (const NrrdType& known : nrrd_types())
        if (known.type == type) return known.names.front();
    return "float"; // there are no half floats
}

std::string vector_text(const std::array<double, 3>& v) {
    return fmt::format("({},{},{})", v[0], v[1], v[2]);
}

} // namespace

bool is_nrrd(std::span<const std::byte> file) {
    return std::string_view(reinterpret_cast<const char*>(file.data()), file.size())
        .starts_with(kNrrdSignature);
}

std::string nrrd_data_file(std::string_view header) {
    const NrrdHeader read = read_header(header);
    return std::string(read.get("data file"));
}

Result<StoredVolume> decode_nrrd(const VolumeFile& file) {
    return NrrdReader(file).read();
}

EncodedVolume encode_nrrd(const VolumeToWrite& volume) {
    const Extent extent = volume.texels.image.extent;
    const std::uint32_t channels = volume.texels.channels;
    const bool vectors = channels > 1;
    const auto steps = steps_of(volume.geometry);
    std::string header = fmt::format("NRRD0005\n# written by Tuff\ntype: {}\ndimension: {}\n",
                                     nrrd_type_name(volume.texels.type), vectors ? 4 : 3);
    header +=
        volume.geometry.anatomical ? "space: right-anterior-superior\n" : "space dimension: 3\n";
    header += fmt::format("sizes: {}{} {} {}\n", vectors ? fmt::format("{} ", channels) : "",
                          extent.width, extent.height, extent.depth);
    header += fmt::format("space directions: {}{} {} {}\n", vectors ? "none " : "",
                          vector_text(steps[0]), vector_text(steps[1]), vector_text(steps[2]));
    header += fmt::format("kinds: {}domain domain domain\n",
                          vectors ? fmt::format("{}-vector ", channels) : "");
    header += fmt::format("endian: little\nencoding: raw\nspace origin: {}\n{}:={}\n\n",
                          vector_text(volume.geometry.origin), kNrrdFormatKey, volume.format());
    const bool halves = volume.texels.type == ElementType::f16;
    const std::vector<std::byte>& texels = volume.texels.image.texels;
    const std::vector<std::byte> data = halves ? floats_of_halves(texels) : texels;
    const auto bytes = std::as_bytes(std::span(header));
    std::vector<std::byte> file(bytes.begin(), bytes.end());
    file.insert(file.end(), data.begin(), data.end());
    return file;
}

} // namespace tuff::codec
