#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Code blocks of the pages, and how each is tested: by a line above it that only tests read.
///
///     <!-- quote: FILE -->, <!-- part of: FILE -->   it is in that file (tests/unit/docs)
///     <!-- file: NAME -->                            it is kept as NAME in the page's folder
///     <!-- takes: PAGE NAME -->                      likewise, as another page has it; stands
///     alone
///     <!-- run -->, <!-- run: exit 2 -->             it is run there, line by line
///     <!-- prints -->                                the last run printed these lines
///     <!-- not run: REASON -->
///
/// Without such a line commands must be commands of tuff, spelled as the command line wants them,
/// and whole configs must be sound.
namespace tuff::test {

struct PageBlock {
    int line = 0;         ///< of its first line in the page, from 1
    std::string language; ///< "sh", "json"; may be empty
    std::string how;      ///< "quote", "file", "run", "prints", "not run"; empty: no such line
    std::string argument; ///< what stands behind the colon
    std::string text;
};

std::vector<PageBlock> blocks_of(const std::string& page);

/// A page's path in the tree: "README.md", "docs/configs.md".
std::vector<std::string> all_pages();
/// Those that Tuff does not write itself.
std::vector<std::string> pages_by_hand();

} // namespace tuff::test
