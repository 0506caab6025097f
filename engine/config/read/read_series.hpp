#pragma once

#include "config/read/object_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tuff {

/// Whether a file's name has a place for a number, as "frame_%04d.png" has.
bool is_numbered(std::string_view name);
/// The name with the number in it, and "%" for "%%". Nothing where it has not one place for one.
std::optional<std::string> numbered_name(std::string_view name, std::int64_t number);

/// Reads what an asset says of pictures that follow one another.
void read_series(const SourceFile& source, ObjectReader& entry, AssetDecl& decl,
                 Problems& problems);

} // namespace tuff
