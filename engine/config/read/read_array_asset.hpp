#pragma once

#include "config/read/object_reader.hpp"

namespace tuff {

/// Reads an asset with numbers: "array" is a file or the numbers themselves, "type" and "shape" say
/// what they are.
void read_array_asset(const SourceFile& source, const Json::Value& array, ObjectReader& entry,
                      AssetDecl& decl, Problems& problems);

} // namespace tuff
