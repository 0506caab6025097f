#pragma once

#include <tuff/array.hpp>

#include <string_view>

namespace tuff {

/// Numbers in lines of text, as `load_array` describes them: a shape of [lines], or of
/// [lines, columns] where there are several in a line. `name` stands for the file in messages.
/// Errors: array/not-a-number, array/wrong-type, array/wrong-shape.
Result<HostArray> parse_numbers(std::string_view text, ElementType type, std::string_view name);

} // namespace tuff
