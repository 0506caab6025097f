#pragma once

#include "config/read/object_reader.hpp"

namespace tuff {

/// The type of numbers that a config names. Reports config/bad-format.
std::optional<ElementType> read_element_type(const Placed& name, Problems& problems);

/// Reads an asset with numbers: "array" is a file or the numbers themselves, "type" and "shape" say
/// what they are.
void read_array_asset(const SourceFile& source, const Json::Value& array, ObjectReader& entry,
                      AssetDecl& decl, Problems& problems);

} // namespace tuff
