#pragma once

#include "model/fold_tree.hpp"
#include "panels/state.hpp"

#include <string>
#include <string_view>

namespace tuff::viewer {

/// Draws the header of a group with its arrow, and opens or closes it where it is clicked. `list`
/// names the list for scripts: "fold times soft". True: it was clicked.
bool fold_header(InterfaceState& state, OpenGroups& open, const FoldRow& row, std::string_view list,
                 const std::string& label);

/// A row of an item of the list, as deep as it lies. True: it was clicked.
bool fold_leaf(const FoldRow& row, bool chosen, const std::string& label);

/// As much of a name as `width` pixels hold, its middle left out.
std::string fitted_name(std::string_view name, float width);

} // namespace tuff::viewer
