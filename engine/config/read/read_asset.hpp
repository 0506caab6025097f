#pragma once

#include "config/read/object_reader.hpp"

namespace tuff {

/// Reads an asset of a config; the caller finishes `entry`.
AssetDecl read_asset(const SourceFile& source, ObjectReader& entry, Placed name,
                     Problems& problems);

} // namespace tuff
