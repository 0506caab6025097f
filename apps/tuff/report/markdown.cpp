#include "apps/tuff/report/markdown.hpp"

#include <fmt/format.h>

namespace tuff::cli {

std::string markdown_cell(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '|') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

std::string markdown_head(std::string_view title, std::string_view command) {
    return fmt::format("<!-- Written by `{}`. Do not edit: a test compares. -->\n\n# {}\n\n",
                       command, title);
}

} // namespace tuff::cli
