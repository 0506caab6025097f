#include "apps/tuff/report/gallery_page.hpp"

#include "apps/tuff/report/markdown.hpp"
#include "core/text_table.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string_view>

namespace tuff::cli {
namespace {

constexpr std::string_view kGalleryCommand =
    "./tuff manual --gallery docs/measurements.csv > docs/gallery.md";

constexpr std::string_view kIntroduction =
    R"(Every picture is what a shipped graph renders; the first command below it makes it again, and
`./tuff view NAME` shows it in a window. Graphs whose models or photographs are not installed say so.

)";

constexpr std::string_view kTimes =
    R"(## How the times were taken

Each time is a median over the given number of frames, after a warm-up. The device's timestamps
around all its work time a frame, without the CPU's work and without reading pictures back. Sizes
are those of the configs. `./tuff bench graphs --csv FILE` measures them on another device.

)";

/// The comment that a config begins with, and what follows.
struct ConfigText {
    std::string prose;
    std::string commands;
    std::string config;
};

/// In the comment commands are indented by three.
ConfigText split(const std::string& text) {
    constexpr std::string_view kIndent = "//   ";
    ConfigText result;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line) && line.starts_with("//")) {
        if (line.starts_with(kIndent))
            result.commands += "./" + line.substr(kIndent.size()) + '\n';
        else
            result.prose += (line.size() > 3 ? line.substr(3) : "") + '\n';
    }
    for (; lines; std::getline(lines, line))
        result.config += line + '\n';
    const std::size_t last = result.prose.find_last_not_of('\n');
    result.prose.resize(last == std::string::npos ? 0 : last + 1);
    return result;
}

std::string devices_table(const std::vector<GraphTime>& times) {
    struct Seen {
        std::string driver;
        std::string first;
        std::string last;
    };
    std::map<std::string, Seen> devices;
    for (const GraphTime& time : times) {
        auto [seen, fresh] = devices.try_emplace(time.device, time.driver, time.date, time.date);
        if (fresh) continue;
        seen->second.first = std::min(seen->second.first, time.date);
        seen->second.last = std::max(seen->second.last, time.date);
    }
    if (devices.empty()) return {};
    std::string text = "| device | driver | measured |\n|---|---|---|\n";
    for (const auto& [name, seen] : devices)
        text += fmt::format("| {} | {} | {} |\n", markdown_cell(name), markdown_cell(seen.driver),
                            seen.first == seen.last ? seen.first : seen.first + " to " + seen.last);
    return text + '\n';
}

std::string times_table(const std::string& graph, const std::vector<GraphTime>& times) {
    std::string rows;
    for (const GraphTime& time : times)
        if (time.graph == graph)
            rows +=
                fmt::format("| {} | {}x{} | {} | {} |\n", markdown_cell(time.device), time.width,
                            time.height, time_text(time.gpu_milliseconds), time.frames);
    if (rows.empty()) return {};
    return "| device | size | a frame | frames |\n|---|---|---|---|\n" + rows + '\n';
}

std::string section(const GalleryEntry& entry, const std::vector<GraphTime>& times) {
    const ConfigText parts = split(entry.text);
    std::string text =
        fmt::format("## {0}\n\n![{1}](images/{0}.png)\n\n", entry.name, entry.description);
    if (!parts.prose.empty()) text += parts.prose + "\n\n";
    if (!parts.commands.empty()) text += fmt::format("```sh\n{}```\n\n", parts.commands);
    text += times_table(entry.name, times);
    if (!entry.credits.empty()) text += entry.credits + "\n\n";
    return text +
           fmt::format("[apps/graphs/{0}.json](../apps/graphs/{0}.json):\n\n"
                       "<details markdown=\"1\"><summary>the config</summary>\n\n"
                       "<!-- part of: apps/graphs/{0}.json -->\n```json\n{1}```\n\n</details>\n\n",
                       entry.name, parts.config);
}

} // namespace

std::string gallery_page(const std::vector<GalleryEntry>& entries,
                         const std::vector<GraphTime>& times) {
    std::string text = markdown_head("Gallery", kGalleryCommand);
    text += kIntroduction;
    for (const GalleryEntry& entry : entries)
        text += section(entry, times);
    text += kTimes;
    text += devices_table(times);
    text.pop_back();
    return text;
}

} // namespace tuff::cli
