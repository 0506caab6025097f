#include "config/read/source_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

namespace tuff {
namespace {

/// Longer lines (minified or binary files) are not repeated in diagnostics.
constexpr std::size_t kLongestQuotedLine = 4096;

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

int count_characters(std::string_view text) {
    return static_cast<int>(std::ranges::count_if(text, starts_character));
}

} // namespace

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n') line_starts_.push_back(i + 1);
}

SourcePlace SourceFile::place(std::size_t begin, std::size_t end) const {
    begin = std::min(begin, text_.size());
    end = std::clamp(end, begin, text_.size());
    const auto next = std::ranges::upper_bound(line_starts_, begin);
    const std::size_t start = *(next - 1);
    std::size_t stop = next == line_starts_.end() ? text_.size() : *next - 1;
    if (stop > start && text_[stop - 1] == '\r') --stop;
    const std::string_view line = std::string_view(text_).substr(start, stop - start);
    const std::string_view marked =
        std::string_view(text_).substr(begin, std::min(end, std::max(stop, begin)) - begin);

    SourcePlace place;
    place.file = name_;
    place.line = static_cast<int>(next - line_starts_.begin());
    place.column = count_characters(std::string_view(text_).substr(start, begin - start)) + 1;
    place.length = std::max(1, count_characters(marked));
    if (line.size() <= kLongestQuotedLine) place.line_text = line;
    return place;
}

std::size_t SourceFile::offset_of(std::size_t line, std::size_t column) const {
    if (line == 0 || line > line_starts_.size()) return text_.size();
    return std::min(line_starts_[line - 1] + std::max<std::size_t>(column, 1) - 1, text_.size());
}

void Problems::error(std::string_view code, Span where, std::string message, std::string hint) {
    add({std::string(code), Severity::error, std::move(message), where.place(), std::move(hint)});
}

void Problems::warning(std::string_view code, Span where, std::string message, std::string hint) {
    add({std::string(code), Severity::warning, std::move(message), where.place(), std::move(hint)});
}

void Problems::take(Diagnostics diagnostics, Span where) {
    for (Diagnostic& d : diagnostics) {
        if (!d.where.known()) d.where = where.place();
        add(std::move(d));
    }
}

void Problems::add(Diagnostic diagnostic) {
    // Two ways may lead to one mistake: a wire is looked at from both of its ends.
    const bool known = std::ranges::any_of(all_, [&](const Diagnostic& d) {
        return d.code == diagnostic.code && d.message == diagnostic.message &&
               d.where.file == diagnostic.where.file && d.where.line == diagnostic.where.line &&
               d.where.column == diagnostic.where.column;
    });
    if (known) return;
    if (diagnostic.severity == Severity::error) ++errors_;
    if (all_.size() < kMax)
        all_.push_back(std::move(diagnostic));
    else
        ++dropped_;
}

Diagnostics Problems::finish() && {
    std::ranges::stable_sort(all_, {}, [](const Diagnostic& d) {
        return std::tie(d.where.file, d.where.line, d.where.column);
    });
    if (dropped_ > 0)
        all_.push_back({.code = "config/more-problems",
                        .severity = any_error() ? Severity::error : Severity::warning,
                        .message = fmt::format("{} more problems are not shown", dropped_)});
    return std::move(all_);
}

std::string suggest(std::string_view wanted, const std::vector<std::string>& known) {
    constexpr std::size_t kMaxListed = 12;
    if (known.empty()) return {};
    const std::string_view nearest = nearest_name(wanted, known);
    if (!nearest.empty()) return fmt::format("did you mean \"{}\"?", nearest);
    if (known.size() > kMaxListed) return {};
    return fmt::format("known: {}", fmt::join(known, ", "));
}

} // namespace tuff
