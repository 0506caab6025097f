// A code block below the line `<!-- quote: FILE -->` is that file, word for word; below the line
// `<!-- part of: FILE -->` it is some of its lines, which may be indented there. Links between
// pages lead somewhere.

#include "tests/common/source_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

using tuff::test::kRoot;
using tuff::test::read_file;

std::vector<fs::path> pages() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(kRoot))
        if (entry.path().extension() == ".md") found.push_back(entry.path());
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
        if (entry.path().extension() == ".md") found.push_back(entry.path());
    return found;
}

struct Quote {
    fs::path page;
    std::string file;
    std::string text;
};

std::vector<Quote> quotes(std::string_view kind) {
    const std::string mark = "\n<!-- " + std::string(kind) + ": ";
    std::vector<Quote> found;
    for (const fs::path& page : pages()) {
        const std::string text = read_file(page);
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; ++at) {
            const std::size_t name = at + mark.size();
            const std::size_t open = text.find("\n```", name);
            const std::size_t first = text.find('\n', open + 1) + 1;
            const std::size_t last = text.find("\n```", first) + 1;
            found.push_back({page, text.substr(name, text.find(" -->", name) - name),
                             text.substr(first, last - first)});
        }
    }
    return found;
}

TEST(Pages, quote_files_word_for_word) {
    const std::vector<Quote> all = quotes("quote");
    EXPECT_GE(all.size(), 3u) << "the pages were not found";
    for (const Quote& quote : all)
        EXPECT_EQ(quote.text, read_file(kRoot / quote.file))
            << quote.page << " quotes " << quote.file;
}

/// The text without the blanks that all of its lines begin with.
std::string without_indent(const std::string& text) {
    std::size_t indent = std::string::npos;
    std::istringstream measured(text);
    for (std::string line; std::getline(measured, line);)
        if (!line.empty()) indent = std::min(indent, line.find_first_not_of(' '));
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        result += (line.empty() ? line : line.substr(indent)) + '\n';
    return result;
}

/// Whether consecutive lines of `file` are `part`, whatever both are indented by.
bool holds_lines(const std::string& file, const std::string& part) {
    const std::string wanted = without_indent(part);
    const auto count = static_cast<std::size_t>(std::ranges::count(part, '\n'));
    std::vector<std::string> lines;
    std::istringstream stream(file);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line + '\n');
    for (std::size_t first = 0; first + count <= lines.size(); ++first) {
        std::string found;
        for (std::size_t i = first; i < first + count; ++i)
            found += lines[i];
        if (without_indent(found) == wanted) return true;
    }
    return false;
}

TEST(Pages, quote_parts_of_files_line_by_line) {
    const std::vector<Quote> all = quotes("part of");
    EXPECT_GE(all.size(), 3u) << "the pages were not found";
    for (const Quote& quote : all)
        EXPECT_TRUE(holds_lines(read_file(kRoot / quote.file), quote.text))
            << quote.page << " has lines that are not in " << quote.file << ":\n"
            << quote.text;
}

TEST(Pages, a_part_with_one_other_letter_is_found_out) {
    EXPECT_TRUE(holds_lines("a\n  if (b) {\n    c();\n\n  }\n", "if (b) {\n  c();\n\n}\n"));
    EXPECT_FALSE(holds_lines("a\n  if (b) {\n    c();\n\n  }\n", "if (b) {\n  d();\n\n}\n"));
}

/// A page without its code blocks, where brackets are no links.
std::string prose_of(const fs::path& page) {
    std::string prose;
    std::istringstream lines(read_file(page));
    bool in_code = false;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t mark = line.find("```");
        if (mark != std::string::npos && line.find_first_not_of(' ') == mark)
            in_code = !in_code;
        else if (!in_code)
            prose += line + '\n';
    }
    return prose;
}

TEST(Pages, link_to_files_that_exist) {
    const std::regex link(R"re(\]\(([^)#:]+)(#[^)]*)?\))re");
    for (const fs::path& page : pages()) {
        const std::string text = prose_of(page);
        for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i)
            EXPECT_TRUE(fs::exists(page.parent_path() / std::string((*i)[1])))
                << page << " links to " << (*i)[1];
    }
}

TEST(FirstPass, takes_fewer_than_sixty_lines_with_its_shader) {
    const auto lines = [](const char* file) {
        const std::string text = read_file(kRoot / "examples/first_pass" / file);
        EXPECT_FALSE(text.empty()) << file;
        return std::ranges::count(text, '\n');
    };
    EXPECT_LT(lines("vignette.cpp") + lines("shaders/example/vignette.comp"), 60);
}

} // namespace
