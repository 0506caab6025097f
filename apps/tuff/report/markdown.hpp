#pragma once

#include <string>
#include <string_view>

/// Pieces of the reference pages that Tuff writes about itself.
namespace tuff::cli {

/// A text as a cell of a table, where bars and line ends would break it.
std::string markdown_cell(std::string_view text);

/// The head of a page: its title, and the command that writes it.
std::string markdown_head(std::string_view title, std::string_view command);

} // namespace tuff::cli
