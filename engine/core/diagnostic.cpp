#include <tuff/diagnostic.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace tuff {
namespace {

constexpr std::size_t kTabWidth = 4;
constexpr std::size_t kMaxShownColumns = 140;
constexpr std::size_t kContextColumns = 40; ///< kept before the marked part of a clipped line

/// One code point as a terminal shows it.
struct Cell {
    std::string text;
    std::size_t columns = 1;
};

/// Bytes of the UTF-8 sequence at the start of `text`, or 0 where it is malformed.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    return length;
}

std::uint32_t code_point(std::string_view sequence) {
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) return first;
    std::uint32_t value = first & (0x7Fu >> sequence.size());
    for (char c : sequence.substr(1))
        value = (value << 6) | (static_cast<unsigned char>(c) & 0x3Fu);
    return value;
}

/// Terminal columns of a code point: the blocks that Unicode's East Asian Width calls wide take
/// two, combining marks none.
std::size_t columns_of(std::uint32_t c) {
    if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || c == 0xFE0F) return 0;
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                      (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                      (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                      (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
}

/// Tabs become spaces; control characters and malformed bytes become U+FFFD, so that a hostile file
/// cannot drive the terminal.
std::vector<Cell> cells_of(std::string_view line) {
    std::vector<Cell> cells;
    while (!line.empty()) {
        const std::size_t length = sequence_length(line);
        const std::string_view sequence = line.substr(0, std::max<std::size_t>(length, 1));
        line.remove_prefix(sequence.size());
        const std::uint32_t c = length == 0 ? 0 : code_point(sequence);
        if (c == '\t')
            cells.push_back({std::string(kTabWidth, ' '), kTabWidth});
        else if (c < 0x20 || (c >= 0x7F && c < 0xA0))
            cells.push_back({"\xEF\xBF\xBD", 1});
        else
            cells.push_back({std::string(sequence), columns_of(c)});
    }
    return cells;
}

struct Palette {
    std::string_view severity, bold, frame, reset;
};

Palette palette_of(Severity severity, bool colour) {
    if (!colour) return {};
    constexpr std::string_view kFrame = "\x1b[1;34m";
    switch (severity) {
    case Severity::error: return {"\x1b[1;31m", "\x1b[1m", kFrame, "\x1b[0m"};
    case Severity::warning: return {"\x1b[1;33m", "\x1b[1m", kFrame, "\x1b[0m"};
    case Severity::note: break;
    }
    return {"\x1b[1;36m", "\x1b[1m", kFrame, "\x1b[0m"};
}

std::string_view word_of(Severity severity) {
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: break;
    }
    return "note";
}

/// The line and, below it, the underline. Lines too long for a screen are cut around the mark.
void append_excerpt(std::string& out, const SourcePlace& place, std::size_t gutter,
                    const Palette& p) {
    const std::vector<Cell> cells = cells_of(place.line_text);
    const std::size_t begin = std::min<std::size_t>(
        static_cast<std::size_t>(std::max(place.column, 1)) - 1, cells.size());
    const std::size_t end =
        std::max(begin + 1, begin + static_cast<std::size_t>(std::max(place.length, 1)));

    std::size_t first = 0;
    std::size_t shown = 0;
    if (cells.size() > kMaxShownColumns && begin > kContextColumns) first = begin - kContextColumns;

    std::string line = first > 0 ? "..." : "";
    std::string marks(line.size(), ' ');
    std::size_t i = first;
    for (; i < cells.size() && shown < kMaxShownColumns; ++i) {
        line += cells[i].text;
        marks.append(cells[i].columns, i >= begin && i < end ? '^' : ' ');
        shown += cells[i].columns;
    }
    if (i < cells.size()) line += "...";
    // Something missing is marked just past the end of its line.
    if (begin >= cells.size()) marks += '^';
    marks.erase(marks.find_last_not_of(' ') + 1);

    fmt::format_to(std::back_inserter(out), "{3:>{0}} {1}|{2}\n", gutter, p.frame, p.reset, "");
    fmt::format_to(std::back_inserter(out), "{1}{3:>{0}} |{2} {4}\n", gutter, p.frame, p.reset,
                   place.line, line);
    fmt::format_to(std::back_inserter(out), "{3:>{0}} {1}|{2} {4}{5}{2}\n", gutter, p.frame,
                   p.reset, "", p.severity, marks);
}

/// Text of a message or hint with its further lines indented below the first.
std::string indented(std::string_view text, std::size_t indent) {
    std::string result;
    for (char c : text) {
        result += c;
        if (c == '\n') result.append(indent, ' ');
    }
    return result;
}

/// Optimal string alignment distance (Damerau-Levenshtein without editing a transposed pair again),
/// ignoring case; gives up with `limit + 1` once every continuation exceeds `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        if (*std::ranges::min_element(row) > limit) return limit + 1;
        before.swap(above);
        above.swap(row);
    }
    return above[b.size()];
}

} // namespace

bool has_errors(const Diagnostics& diagnostics) {
    return std::ranges::any_of(diagnostics,
                               [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::string to_string(const Diagnostic& d, bool colour) {
    const Palette p = palette_of(d.severity, colour);
    std::string out = fmt::format("{}{}[{}]{}{}: {}{}\n", p.severity, word_of(d.severity), d.code,
                                  p.reset, p.bold, d.message, p.reset);
    const std::size_t gutter =
        d.where.line > 0 ? std::max<std::size_t>(fmt::formatted_size("{}", d.where.line), 2) : 2;
    if (d.where.known()) {
        std::string place = d.where.file;
        if (d.where.line > 0) place += fmt::format(":{}", d.where.line);
        if (d.where.line > 0 && d.where.column > 0) place += fmt::format(":{}", d.where.column);
        fmt::format_to(std::back_inserter(out), "{3:>{0}}{1}-->{2} {4}\n", gutter, p.frame, p.reset,
                       "", place);
        if (d.where.line > 0 && !d.where.line_text.empty()) append_excerpt(out, d.where, gutter, p);
    }
    if (!d.hint.empty())
        fmt::format_to(std::back_inserter(out), "{3:>{0}} {1}={2} hint: {4}\n", gutter, p.frame,
                       p.reset, "", indented(d.hint, gutter + 9));
    return out;
}

std::string to_string(const Diagnostics& diagnostics, bool colour) {
    std::string out;
    for (const Diagnostic& d : diagnostics) {
        if (!out.empty()) out += '\n';
        out += to_string(d, colour);
    }
    return out;
}

namespace {

/// The name whose part, as `part_of` gives it, is nearest.
std::string_view nearest_by(std::string_view wanted, const std::vector<std::string>& known,
                            std::string_view (*part_of)(std::string_view)) {
    std::string_view best;
    std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
    for (const std::string& name : known) {
        const std::string_view part = part_of(name);
        const std::size_t difference =
            part.size() > wanted.size() ? part.size() - wanted.size() : wanted.size() - part.size();
        if (difference > limit) continue;
        const std::size_t distance = edit_distance(wanted, part, limit);
        if (distance > limit || distance >= std::max(part.size(), wanted.size())) continue;
        best = name;
        if (distance == 0) break;
        limit = distance - 1; // the first of several equally near names wins
    }
    return best;
}

} // namespace

std::string_view nearest_name(std::string_view wanted, const std::vector<std::string>& known) {
    constexpr std::size_t kLongestName = 128; // nobody mistypes more; bounds the work
    if (wanted.empty() || wanted.size() > kLongestName) return {};
    const std::string_view near =
        nearest_by(wanted, known, [](std::string_view name) { return name; });
    if (!near.empty() || wanted.contains('/')) return near;
    return nearest_by(wanted, known, [](std::string_view name) {
        const std::size_t slash = name.rfind('/');
        return slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
    });
}

} // namespace tuff
