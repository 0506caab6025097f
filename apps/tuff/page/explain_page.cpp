#include "apps/tuff/page/explain_page.hpp"

#include "apps/tuff/page/plan_json.hpp"
#include "core/xml_text.hpp"

#include <tuff/explain.hpp>

#include <explain_page_files.hpp>

#include <array>
#include <string_view>

namespace tuff::cli {
namespace {

struct Part {
    std::string_view mark;
    std::string text;
};

/// JSON that no name can break out of a script element with: "<" stands only in strings.
std::string script_json(std::string_view json) {
    std::string result;
    for (const char c : json) {
        if (c == '<')
            result += "\\u003c";
        else
            result += c;
    }
    return result;
}

/// Puts the parts at their marks in one go, so that marks within parts stay as they are.
template <std::size_t Count>
std::string filled(std::string_view page, const std::array<Part, Count>& parts) {
    std::string result;
    while (!page.empty()) {
        const Part* next = nullptr;
        std::size_t at = std::string_view::npos;
        for (const Part& part : parts)
            if (const std::size_t found = page.find(part.mark); found < at) {
                at = found;
                next = &part;
            }
        result += page.substr(0, at);
        if (!next) break;
        result += next->text;
        page.remove_prefix(at + next->mark.size());
    }
    return result;
}

/// The scripts, in the order in which each finds what it uses.
std::string script() {
    std::string result;
    for (const std::string_view part :
         {page_files::explain_page_plan_js(), page_files::explain_page_time_js(),
          page_files::explain_page_lists_js(), page_files::explain_page_lighting_js(),
          page_files::explain_page_controls_js()})
        result += part;
    return result;
}

} // namespace

std::string explain_page(const Plan& plan, const ExplainPageOptions& options) {
    const std::array parts = {
        Part{"{{title}}", xml_text(options.title)},
        Part{"{{style}}", std::string(page_files::explain_page_css())},
        Part{"{{graph}}", explain_svg(plan, {.title = options.title, .svg = SvgPlace::page})},
        Part{"{{plan}}",
             script_json(plan_json(
                 plan, {.title = options.title, .device = options.device, .indentation = ""}))},
        Part{"{{script}}", script()},
    };
    return filled(page_files::explain_page_html(), parts);
}

} // namespace tuff::cli
