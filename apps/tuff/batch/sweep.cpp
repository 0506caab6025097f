#include "apps/tuff/batch/sweep.hpp"

#include "apps/tuff/batch/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>

namespace tuff::cli {
namespace {

Diagnostic bad_sweep(std::string_view place, std::string message, std::string hint) {
    return {.code = "cli/bad-sweep",
            .message = std::move(message),
            .where = {.file = fmt::format("--sweep {}", place), .line_text = {}},
            .hint = std::move(hint)};
}

Diagnostic too_many(std::string_view place, std::string_view runs) {
    return {.code = "cli/too-many-runs",
            .message = fmt::format("{} runs are more than {}", runs, kMaxRuns),
            .where = {.file = fmt::format("--sweep {}", place), .line_text = {}},
            .hint = "sweep in several commands"};
}

/// At commas outside of brackets and quotes.
std::vector<std::string> items_of(std::string_view list) {
    std::vector<std::string> items(1);
    int depth = 0;
    bool quoted = false;
    for (const char c : list) {
        if (c == '"') quoted = !quoted;
        if (!quoted && c == '[') ++depth;
        if (!quoted && c == ']') --depth;
        if (c == ',' && depth == 0 && !quoted)
            items.emplace_back();
        else
            items.back() += c;
    }
    return items;
}

struct ValueRange {
    double first = 0.0;
    double last = 0.0;
    std::int64_t count = 0;
};

/// Nothing where `item` is a single value.
std::optional<ValueRange> range_of(std::string_view item) {
    const std::size_t one = item.find(':');
    const std::size_t two = one == std::string_view::npos ? one : item.find(':', one + 1);
    if (two == std::string_view::npos) return std::nullopt;
    const auto first = finite_number(item.substr(0, one));
    const auto last = finite_number(item.substr(one + 1, two - one - 1));
    const auto count = finite_number(item.substr(two + 1));
    if (!first || !last || !count) return std::nullopt; // a text with colons
    const bool whole = *count == std::floor(*count) && std::abs(*count) < 1e9;
    return ValueRange{*first, *last, whole ? static_cast<std::int64_t>(*count) : -1};
}

/// Adds the values of one item of the list; the diagnostic says what is wrong with it.
std::optional<Diagnostic> add_values(std::string_view item, std::string_view place,
                                     std::vector<std::string>& values) {
    if (item.empty())
        return bad_sweep(place, "a value is missing", "write for instance --sweep sigma=1,2,4");
    const auto range = range_of(item);
    if (!range) {
        values.emplace_back(item);
        return std::nullopt;
    }
    const auto [first, last, count] = *range;
    if (count < 1)
        return bad_sweep(place, fmt::format("'{}' has no whole number of values", item),
                         "write FIRST:LAST:COUNT, for instance 0:1:5");
    if (first > last)
        return bad_sweep(place, fmt::format("'{}' runs backwards", item),
                         fmt::format("write {}:{}:{}", last, first, count));
    if ((first == last) != (count == 1))
        return bad_sweep(place,
                         fmt::format("'{}' is {} from {} to {}", item,
                                     count == 1 ? "one value" : fmt::format("{} values", count),
                                     first, last),
                         "a range has two values or more, which differ");
    if (static_cast<std::uint64_t>(count) > kMaxRuns)
        return too_many(place, fmt::format("{}", count));
    for (std::int64_t i = 0; i < count; ++i) {
        const double part =
            count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
        // Twelve digits leave out what rounding adds: 0.3, and not 0.30000000000000004.
        values.push_back(fmt::format("{:.12g}", first + part * (last - first)));
    }
    return std::nullopt;
}

/// What `text` may be a part of in a file's name.
std::string file_name_part(std::string_view text) {
    std::string part;
    for (const char c : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                           std::string_view("._+-,= ").contains(c) ||
                           static_cast<unsigned char>(c) >= 0x80;
        if (c != '"') part += plain ? c : '-';
    }
    return part;
}

} // namespace

Outcome<std::vector<SweepAxis>> parse_sweeps(const std::vector<std::string>& texts) {
    std::vector<SweepAxis> axes;
    Diagnostics problems;
    std::uint64_t runs = 1;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            problems.push_back(bad_sweep(text, "--sweep takes NAME=VALUES",
                                         "write for instance --sweep sigma=1,2,4"));
            continue;
        }
        SweepAxis axis{.parameter = text.substr(0, equals), .values = {}};
        for (const std::string& item : items_of(std::string_view(text).substr(equals + 1)))
            if (auto problem = add_values(item, text, axis.values))
                problems.push_back(std::move(*problem));
        for (auto value = axis.values.begin(); value != axis.values.end(); ++value)
            if (std::find(axis.values.begin(), value, *value) != value)
                problems.push_back(bad_sweep(text, fmt::format("'{}' is there twice", *value),
                                             "each value makes one run"));
        if (std::ranges::find(axes, axis.parameter, &SweepAxis::parameter) != axes.end())
            problems.push_back(bad_sweep(text, fmt::format("\"{}\" is swept twice", axis.parameter),
                                         "give all its values in one --sweep"));
        runs *= std::max<std::uint64_t>(axis.values.size(), 1);
        axes.push_back(std::move(axis));
        if (runs > kMaxRuns && problems.empty())
            problems.push_back(too_many(text, fmt::format("{}", runs)));
        if (!problems.empty()) runs = 1; // the product has been told, or means nothing
    }
    if (!problems.empty()) return usage_failure(std::move(problems));
    return axes;
}

Outcome<void> check_values(const Config& config, const std::vector<SweepAxis>& axes) {
    Diagnostics problems;
    for (const SweepAxis& axis : axes)
        for (const std::string& value : axis.values) {
            Config tried = config;
            auto set = tried.set(axis.parameter, value);
            if (set) continue;
            const bool unknown = set.error().front().code == "config/unknown-parameter";
            for (Diagnostic& problem : set.error()) {
                problem.where = {.file = fmt::format("--sweep {}={}", axis.parameter, value),
                                 .line_text = {}};
                problems.push_back(std::move(problem));
            }
            if (unknown) break; // it is so with each value
        }
    if (!problems.empty()) return usage_failure(std::move(problems));
    return {};
}

std::vector<Settings> grid_of(const std::vector<SweepAxis>& axes) {
    std::vector<Settings> runs(1);
    for (const SweepAxis& axis : axes) {
        std::vector<Settings> longer;
        for (const Settings& run : runs)
            for (const std::string& value : axis.values) {
                longer.push_back(run);
                longer.back().push_back({axis.parameter, value});
            }
        runs = std::move(longer);
    }
    return runs;
}

std::string run_name(const Settings& settings, std::uint64_t number) {
    constexpr std::size_t kMaxBytes = 200; // file systems take 255
    std::string name;
    for (const auto& [parameter, value] : settings)
        name += fmt::format("{}{}={}", name.empty() ? "" : ",", file_name_part(parameter),
                            file_name_part(value));
    return name.size() > kMaxBytes ? fmt::format("run-{:04}", number) : name;
}

Outcome<std::string> file_of_run(const std::string& file, const Settings& settings,
                                 const std::string& run, RunFolder folder) {
    if (settings.empty()) return file;
    std::string name;
    std::size_t at = 0;
    for (std::size_t open = file.find('{'); open != std::string::npos; open = file.find('{', at)) {
        const std::size_t close = file.find('}', open);
        const std::string wanted = file.substr(
            open + 1, close == std::string::npos ? std::string::npos : close - open - 1);
        const auto setting = std::ranges::find(settings, wanted, &Setting::parameter);
        if (close == std::string::npos || setting == settings.end()) {
            std::vector<std::string> known;
            for (const Setting& one : settings)
                known.push_back(one.parameter);
            return usage_failure(
                {{.code = "cli/bad-sweep",
                  .message = fmt::format("'{}' names \"{}\", which is not swept", file, wanted),
                  .hint = fmt::format("swept: {}", fmt::join(known, ", "))}});
        }
        name += file.substr(at, open - at) + file_name_part(setting->value);
        at = close + 1;
    }
    if (at > 0) return name + file.substr(at);
    const std::filesystem::path path(file);
    if (folder == RunFolder::first && path.is_relative()) return std::filesystem::path(run) / path;
    return path.parent_path() / run / path.filename();
}

} // namespace tuff::cli
