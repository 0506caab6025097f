#include "apps/shared/graph_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>
#include <tuple>

namespace tuff::cli {
namespace {

constexpr std::string_view kHeader =
    "graph,device,driver,date,width,height,gpu_milliseconds_per_frame,frames";
constexpr std::size_t kColumns = 8;

/// Cells of a line; quotes hold commas together, and two of them within quotes are one (RFC 4180).
std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            if (quoted && i + 1 < line.size() && line[i + 1] == '"')
                cells.back() += line[i++];
            else
                quoted = !quoted;
        } else if (line[i] == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += line[i];
        }
    }
    return cells;
}

std::string cell(std::string_view text) {
    if (text.find_first_of(",\"") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += c;
        quoted += c;
    }
    return quoted + '"';
}

template <typename Number>
bool read_number(const std::string& text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

std::optional<GraphTime> row_of(std::string_view line) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != kColumns) return std::nullopt;
    GraphTime time{.graph = cells[0], .device = cells[1], .driver = cells[2], .date = cells[3]};
    if (!read_number(cells[4], time.width) || !read_number(cells[5], time.height) ||
        !read_number(cells[6], time.gpu_milliseconds) || !read_number(cells[7], time.frames))
        return std::nullopt;
    return time;
}

} // namespace

Outcome<std::vector<GraphTime>> read_graph_times(const std::filesystem::path& file) {
    std::vector<GraphTime> times;
    std::ifstream stream(file);
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (number == 1 && line == kHeader) continue;
        auto time = number > 1 ? row_of(line) : std::nullopt;
        if (!time)
            return usage_failure(
                fail("cli/bad-times",
                     fmt::format("line {} of '{}' is not one of 'tuff bench graphs --csv'", number,
                                 file.string()),
                     "give another file, or remove this one")
                    .error());
        times.push_back(std::move(*time));
    }
    return times;
}

std::string graph_times_text(std::vector<GraphTime> times) {
    std::ranges::sort(times, {}, [](const GraphTime& t) { return std::tie(t.graph, t.device); });
    std::string text = fmt::format("{}\n", kHeader);
    for (const GraphTime& t : times)
        text +=
            fmt::format("{},{},{},{},{},{},{:.4g},{}\n", cell(t.graph), cell(t.device),
                        cell(t.driver), t.date, t.width, t.height, t.gpu_milliseconds, t.frames);
    return text;
}

void put_graph_time(std::vector<GraphTime>& known, GraphTime fresh) {
    const auto same =
        std::ranges::find_if(known, [&](const GraphTime& one) { return one.same_row(fresh); });
    if (same == known.end())
        known.push_back(std::move(fresh));
    else
        *same = std::move(fresh);
}

} // namespace tuff::cli
