#include "config/read/read_series.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

struct NumberPlace {
    std::size_t begin = 0;
    std::size_t end = 0;
    int digits = 0; ///< at least so many, with zeros before
};

/// The place of "%d" or "%04d" from `from` on; nothing where there is none.
std::optional<NumberPlace> find_place(std::string_view name, std::size_t from) {
    for (std::size_t at = name.find('%', from); at != name.npos; at = name.find('%', at)) {
        std::size_t end = at + 1;
        if (end < name.size() && name[end] == '%') {
            at += 2;
            continue;
        }
        int digits = 0;
        if (end + 1 < name.size() && name[end] == '0' && name[end + 1] >= '1' &&
            name[end + 1] <= '9') {
            digits = name[end + 1] - '0';
            end += 2;
        }
        if (end < name.size() && name[end] == 'd') return NumberPlace{at, end + 1, digits};
        at = end;
    }
    return std::nullopt;
}

std::string without_doubled(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        result += text[i];
        if (text.substr(i, 2) == "%%") ++i;
    }
    return result;
}

} // namespace

bool is_numbered(std::string_view name) {
    return find_place(name, 0).has_value();
}

std::optional<std::string> numbered_name(std::string_view name, std::int64_t number) {
    const auto place = find_place(name, 0);
    if (!place || find_place(name, place->end)) return std::nullopt;
    return fmt::format("{}{:0{}}{}", without_doubled(name.substr(0, place->begin)), number,
                       place->digits, without_doubled(name.substr(place->end)));
}

void read_series(const SourceFile& source, ObjectReader& entry, AssetDecl& decl,
                 Problems& problems) {
    SeriesSpec& series = decl.spec.series.emplace();
    constexpr double kMax = 9007199254740991.0;
    if (const Json::Value* files =
            decl.spec.kind == AssetKind::image ? entry.find("frames") : nullptr) {
        if (!numbered_name(decl.spec.file, 0))
            problems.error("config/bad-file", entry.span(entry.json()["image"]),
                           fmt::format("\"{}\" must have one place for a number", decl.spec.file),
                           "write %d, or %04d for numbers of four digits");
        NumberRule rule{.what = fmt::format("\"frames\" of {}", entry.what()),
                        .count = 2,
                        .low = 0,
                        .high = kMax,
                        .whole = true};
        if (auto expr = read_value(source, *files, problems))
            decl.numbers.push_back(
                {std::move(*expr), std::move(rule), [](AssetSpec& s, std::span<const double> n) {
                     s.series->files = {static_cast<std::int64_t>(n[0]),
                                        static_cast<std::int64_t>(n[1])};
                 }});
    }
    // The picture of the frame's number, unless something else is said.
    const Json::Value frame("$frame");
    const Json::Value* at = entry.find("at");
    if (auto expr = read_value(source, at ? *at : frame, problems))
        decl.numbers.push_back(
            {std::move(*expr),
             {.what = fmt::format("\"at\" of {}", entry.what()), .low = -kMax, .high = kMax},
             [](AssetSpec& s, std::span<const double> n) { s.series->at = n[0]; }});
    if (const auto end = entry.text("end")) {
        const auto found = std::ranges::find(kSeriesEndNames, end->text);
        if (found == kSeriesEndNames.end())
            problems.error("config/unknown-end", end->span,
                           fmt::format("a series of pictures has no end \"{}\"", end->text),
                           suggest(end->text, {kSeriesEndNames.begin(), kSeriesEndNames.end()}));
        else
            series.end = static_cast<SeriesEnd>(found - kSeriesEndNames.begin());
    }
}

} // namespace tuff
