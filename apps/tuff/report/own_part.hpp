#pragma once

#include "core/text_table.hpp"

#include <tuff/config.hpp>

#include <string>
#include <vector>

/// What is said of nodes that work on a rank's part of a field and know nothing of ranks.
namespace tuff::cli {

/// One note that names them, or none.
Diagnostics own_part_note(const std::vector<ConfiguredNode>& nodes);

/// They and what they read, as a section of what `explain` prints; empty if there are none.
std::string own_part_section(const std::vector<ConfiguredNode>& nodes, const TextStyle& style);

} // namespace tuff::cli
