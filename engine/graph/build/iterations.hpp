#pragma once

#include <cstddef>
#include <string_view>

namespace tuff {

/// Whether a name or scope, "relax[0]/blur", is of the first iteration of all loops around it: what
/// is wrong with the body is told there and not again.
inline bool is_first_iteration(std::string_view scope) {
    for (std::size_t at = scope.find('['); at != std::string_view::npos;
         at = scope.find('[', at + 1))
        if (!scope.substr(at).starts_with("[0]")) return false;
    return true;
}

} // namespace tuff
