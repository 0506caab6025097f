#include "apps/tuff/report/golden.hpp"
#include "core/xml_text.hpp"

#include <fmt/format.h>
#include <tuff_cli_files.hpp>

namespace tuff::cli {
namespace {

std::string beside(const std::filesystem::path& picture) {
    return xml_text(picture.filename().string());
}

std::string figure(std::string_view caption, const std::filesystem::path& picture) {
    if (picture.empty()) return {};
    return fmt::format("<figure><figcaption>{}</figcaption><img src=\"{}\" alt=\"{}\"></figure>\n",
                       caption, beside(picture), caption);
}

/// The result over the stored picture, cut off where the slider is.
std::string swipe(const GoldenCase& one) {
    if (one.shown_golden.empty() || one.shown_got.empty()) return {};
    return fmt::format(
        "<div class=\"swipe\"><img src=\"{}\" alt=\"stored\">"
        "<img class=\"over\" src=\"{}\" alt=\"result\">"
        "<input type=\"range\" value=\"50\" aria-label=\"result or stored\"></div>\n",
        beside(one.shown_golden), beside(one.shown_got));
}

void replace(std::string& text, std::string_view mark, const std::string& with) {
    if (const std::size_t at = text.find(mark); at != std::string::npos)
        text.replace(at, mark.size(), with);
}

} // namespace

std::string golden_page(std::span<const GoldenCase> cases) {
    std::string rows;
    std::string shown;
    for (const GoldenCase& one : cases) {
        rows += fmt::format("<tr><td>{}</td><td class=\"{}\">{}</td><td>{}</td></tr>\n",
                            xml_text(one.name), name_of(one.verdict), name_of(one.verdict),
                            xml_text(one.finding));
        if (one.shown_got.empty()) continue;
        shown += fmt::format("<h2>{}</h2>\n<p>{}</p>\n<div class=\"pictures\">\n{}{}{}</div>\n{}",
                             xml_text(one.name), xml_text(one.finding),
                             figure("stored", one.shown_golden), figure("result", one.shown_got),
                             figure("difference, eight times", one.shown_difference), swipe(one));
    }
    std::string page(files::golden_page_html());
    replace(page, "@ROWS@", rows);
    replace(page, "@CASES@", shown);
    return page;
}

} // namespace tuff::cli
