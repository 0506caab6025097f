#include "page_blocks.hpp"

#include "tests/common/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace tuff::test {
namespace fs = std::filesystem;

namespace {

/// The text that another page keeps under a name; empty where it does not.
std::string file_in(const std::string& page, const std::string& name) {
    std::ifstream file(kRoot / page);
    for (const PageBlock& block : blocks_of({std::istreambuf_iterator<char>(file), {}}))
        if (block.how == "file" && block.argument == name) return block.text;
    return {};
}

} // namespace

std::vector<PageBlock> blocks_of(const std::string& page) {
    const std::regex mark("<!-- ([a-z ]+)(: (.*))? -->");
    const std::regex takes("<!-- takes: (\\S+) (\\S+) -->");
    const std::regex fence("( *)(```+)([a-z]*)");
    std::vector<PageBlock> blocks;
    std::istringstream lines(page);
    std::string before;
    int number = 0;
    for (std::string line; std::getline(lines, line); before = line) {
        ++number;
        if (std::smatch taken; std::regex_match(line, taken, takes))
            blocks.push_back({.line = number,
                              .how = "file",
                              .argument = taken[2],
                              .text = file_in(taken[1], taken[2])});
        std::smatch opened;
        if (!std::regex_match(line, opened, fence)) continue;
        PageBlock block{.line = number + 1, .language = opened[3]};
        const std::string indent = opened[1];
        const std::string end = indent + std::string(opened[2]);
        if (std::smatch marked; std::regex_match(before, marked, mark)) {
            block.how = marked[1];
            block.argument = marked[3];
        }
        while (std::getline(lines, line) && line != end) {
            ++number;
            block.text += (line.starts_with(indent) ? line.substr(indent.size()) : line) + '\n';
        }
        ++number;
        blocks.push_back(std::move(block));
    }
    return blocks;
}

std::vector<std::string> all_pages() {
    std::vector<std::string> pages = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"};
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
        if (entry.path().extension() == ".md")
            pages.push_back(fs::relative(entry.path(), kRoot).generic_string());
    std::ranges::sort(pages);
    return pages;
}

std::vector<std::string> pages_by_hand() {
    std::vector<std::string> pages = all_pages();
    std::erase_if(pages, [](const std::string& page) {
        std::ifstream file(kRoot / page);
        std::string first;
        std::getline(file, first);
        return first.starts_with("<!-- Written by ");
    });
    return pages;
}

} // namespace tuff::test
