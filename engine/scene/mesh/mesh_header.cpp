#include "scene/mesh/mesh_header.hpp"

#include "core/parse_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tuff {
namespace {

constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 16;

std::unexpected<Diagnostics> corrupt(std::string message) {
    return fail("mesh/corrupt", std::move(message), "the file is damaged; export it again");
}

/// Takes the first word off a line.
std::string_view next_word(std::string_view& line) {
    const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!line.empty() && is_space(line.front()))
        line.remove_prefix(1);
    const auto end = std::find_if(line.begin(), line.end(), is_space);
    const std::string_view word(line.begin(), end);
    line.remove_prefix(word.size());
    return word;
}

std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::optional<std::uint64_t> scalar_bytes(std::string_view type) {
    static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 16> kTypes = {
        {{"char", 1},
         {"uchar", 1},
         {"int8", 1},
         {"uint8", 1},
         {"short", 2},
         {"ushort", 2},
         {"int16", 2},
         {"uint16", 2},
         {"int", 4},
         {"uint", 4},
         {"int32", 4},
         {"uint32", 4},
         {"float", 4},
         {"float32", 4},
         {"double", 8},
         {"float64", 8}}};
    const auto found =
        std::ranges::find(kTypes, type, &std::pair<std::string_view, std::uint64_t>::first);
    return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

struct PlyElement {
    std::string_view name;
    std::uint64_t count = 0;
    std::uint64_t least_bytes = 0; ///< of an entry
};

/// Adds a property to the element it belongs to; false where its type is unknown.
bool add_property(PlyElement& element, std::string_view line, bool binary) {
    std::string_view type = next_word(line);
    if (type == "list") type = next_word(line); // a list may be empty: its count alone is there
    const std::optional<std::uint64_t> bytes = scalar_bytes(type);
    if (bytes) element.least_bytes += binary ? *bytes : 2; // a digit and a space
    return bytes.has_value();
}

/// The lines of a text that are neither empty nor comments.
class ContentLines {
  public:
    explicit ContentLines(std::string_view text) : rest_(text) {}

    bool at_end() {
        while (line_.empty() && !rest_.empty()) {
            line_ = next_line(rest_);
            line_ = line_.substr(0, line_.find('#'));
            if (line_.find_first_not_of(" \t\v\f") == std::string_view::npos) line_ = {};
        }
        return line_.empty();
    }
    std::string_view next() { return at_end() ? std::string_view() : std::exchange(line_, {}); }
    std::size_t bytes_left() const { return rest_.size(); }

  private:
    std::string_view rest_;
    std::string_view line_;
};

/// Checks the faces of an OFF file: a line each, the number of corners and their indices.
Result<void> check_off_faces(ContentLines& lines, std::uint64_t faces, std::uint64_t vertices) {
    for (std::uint64_t f = 0; f < faces; ++f) {
        std::string_view line = lines.next();
        const std::optional<std::uint64_t> corners = parse_number<std::uint64_t>(next_word(line));
        if (!corners)
            return corrupt(fmt::format("face {} does not say how many corners it has", f));
        for (std::uint64_t c = 0; c < *corners; ++c) {
            const std::string_view word = next_word(line);
            const std::optional<std::uint64_t> index = parse_number<std::uint64_t>(word);
            if (!index)
                return corrupt(fmt::format("face {} has fewer than {} corners", f, *corners));
            if (*index >= vertices)
                return fail(
                    "mesh/index-out-of-range",
                    fmt::format("index {} of face {} is out of range, there are {} vertices", word,
                                f, vertices),
                    "the file is damaged; export it again");
        }
    }
    return {};
}

} // namespace

Result<void> check_ply_header(std::span<const std::byte> file) {
    std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    std::string_view rest = text.substr(0, kMaxHeaderBytes);
    std::string_view first = next_line(rest);
    if (next_word(first) != "ply") return corrupt("the file does not begin with \"ply\"");
    std::vector<PlyElement> elements;
    bool binary = false;
    for (;;) {
        if (rest.empty()) return corrupt("the header of the PLY file has no end");
        std::string_view line = next_line(rest);
        const std::string_view word = next_word(line);
        if (word == "end_header") break;
        if (word == "format") binary = next_word(line).starts_with("binary");
        if (word == "element") {
            const std::string_view name = next_word(line);
            const std::optional<std::uint64_t> count = parse_number<std::uint64_t>(next_word(line));
            if (!count) return corrupt(fmt::format("element \"{}\" has no count", name));
            if (std::ranges::find(elements, name, &PlyElement::name) != elements.end())
                return corrupt(fmt::format("there are two elements \"{}\"", name));
            elements.push_back({.name = name, .count = *count});
        }
        if (word == "property" &&
            (elements.empty() || !add_property(elements.back(), line, binary)))
            return corrupt("a property of the PLY file has no element or an unknown type");
    }
    const auto header = static_cast<std::size_t>(rest.data() - text.data());
    std::uint64_t left = text.size() - header + 1; // a last line needs no end
    for (const PlyElement& element : elements) {
        if (element.count > 0 && element.least_bytes == 0)
            return corrupt(fmt::format("element \"{}\" has no properties", element.name));
        if (element.count > 0 && element.count > left / element.least_bytes)
            return corrupt(fmt::format("the file ends before its {} entries of \"{}\"",
                                       element.count, element.name));
        left -= element.count * element.least_bytes;
    }
    return {};
}

Result<void> check_off(std::span<const std::byte> file) {
    ContentLines lines({reinterpret_cast<const char*>(file.data()), file.size()});
    std::array<std::uint64_t, 3> counts{}; // vertices, faces, edges
    std::size_t found = 0;
    bool first = true;
    while (found < counts.size()) {
        if (lines.at_end()) return corrupt("the OFF file does not say how many vertices it has");
        std::string_view line = lines.next();
        for (std::string_view word = next_word(line); !word.empty() && found < counts.size();
             word = next_word(line)) {
            if (std::exchange(first, false) && word.ends_with("OFF")) continue;
            const std::optional<std::uint64_t> count = parse_number<std::uint64_t>(word);
            if (!count)
                return corrupt(fmt::format("\"{}\" is not a count of vertices or faces", word));
            counts[found++] = *count;
        }
    }
    constexpr std::uint64_t kVertexBytes = 6; // "0 0 0\n"
    constexpr std::uint64_t kFaceBytes = 2;   // "0\n"
    const std::uint64_t left = lines.bytes_left() + 1;
    if (counts[0] > left / kVertexBytes ||
        counts[1] > (left - counts[0] * kVertexBytes) / kFaceBytes)
        return corrupt(
            fmt::format("the file ends before its {} vertices and {} faces", counts[0], counts[1]));
    for (std::uint64_t i = 0; i < counts[0]; ++i)
        if (lines.next().empty())
            return corrupt(fmt::format("the file ends before its {} vertices", counts[0]));
    return check_off_faces(lines, counts[1], counts[0]);
}

} // namespace tuff
