#include "core/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tuff {

std::string TextStyle::wrap(std::string_view code, std::string_view text) const {
    if (!on_ || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::size_t text_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') {
            i = std::min(text.find('m', i), text.size());
            continue;
        }
        const bool continuation = (static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u;
        if (!continuation) ++width;
    }
    return width;
}

std::string TextTable::text(std::string_view indent) const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c)
            widths[c] = std::max(widths[c], text_width(row[c]));
    }
    std::string result;
    for (const auto& row : rows_) {
        std::string line(indent);
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string padding(widths[c] - text_width(row[c]), ' ');
            const bool right = c < alignment_.size() && alignment_[c] == Align::right;
            if (c > 0) line += "  ";
            line += right ? padding + row[c] : row[c] + padding;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + '\n';
    }
    return result;
}

std::string human_bytes(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    static constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024.0;
    std::size_t unit = 0;
    // 1023.5 would print as "1024": carry on to the next unit instead.
    while (value >= 1023.5 && unit + 1 < kUnits.size()) {
        value /= 1024.0;
        ++unit;
    }
    const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, digits, kUnits[unit]);
}

std::string counted(std::uint64_t count, std::string_view singular) {
    if (count == 1) return fmt::format("1 {}", singular);
    if (singular.ends_with("ch")) return fmt::format("{} {}es", count, singular);
    return fmt::format("{} {}s", count, singular);
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
    std::string result;
    std::size_t column = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view word = text.substr(0, end);
        const std::size_t length = text_width(word);
        if (column > 0 && column + 1 + length > width) {
            result += fmt::format("\n{}", indent);
            column = 0;
        } else if (column > 0 && length > 0) {
            result += ' ';
            ++column;
        }
        result += word;
        column += length;
        if (end < text.size() && text[end] == '\n') {
            result += fmt::format("\n{}", indent);
            column = 0;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string time_text(double milliseconds) {
    const auto digits = [](double value) {
        const int decimals = value < 10.0 ? 2 : value < 100.0 ? 1 : 0;
        return fmt::format("{:.{}f}", value, decimals);
    };
    if (milliseconds < 0.9995) return digits(milliseconds * 1e3) + " us";
    if (milliseconds < 999.5) return digits(milliseconds) + " ms";
    return digits(milliseconds * 1e-3) + " s";
}

} // namespace tuff
