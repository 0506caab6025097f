// A code block below the line `<!-- quote: FILE -->` is that file, word for word, and links between
// pages lead somewhere.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = TUFF_TEST_SOURCE_DIR;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

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

std::vector<Quote> quotes() {
    constexpr std::string_view kMark = "\n<!-- quote: ";
    std::vector<Quote> found;
    for (const fs::path& page : pages()) {
        const std::string text = read_file(page);
        for (std::size_t at = 0; (at = text.find(kMark, at)) != std::string::npos; ++at) {
            const std::size_t name = at + kMark.size();
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
    const std::vector<Quote> all = quotes();
    EXPECT_GE(all.size(), 3u) << "the pages were not found";
    for (const Quote& quote : all)
        EXPECT_EQ(quote.text, read_file(kRoot / quote.file))
            << quote.page << " quotes " << quote.file;
}

TEST(Pages, link_to_files_that_exist) {
    const std::regex link(R"re(\]\(([^)#:]+)(#[^)]*)?\))re");
    for (const fs::path& page : pages()) {
        const std::string text = read_file(page);
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
    EXPECT_LT(lines("vignette.hpp") + lines("shaders/example/vignette.comp"), 60);
}

} // namespace
