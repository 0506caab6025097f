#pragma once

#include <tuff/pass.hpp>

#include <string>
#include <vector>

namespace tuff::cli {

struct ReferencePage {
    std::string file; ///< "image.md"
    std::string text;
};

/// The reference of all passes in Markdown: README.md, which lists them, and a page for each
/// domain (the part of the name before the slash).
std::vector<ReferencePage> pass_reference(const PassRegistry& registry);

} // namespace tuff::cli
