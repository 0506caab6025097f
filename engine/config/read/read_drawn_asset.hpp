#pragma once

#include "config/read/object_reader.hpp"

namespace tuff {

/// Reads what an asset says of a text: its letters stand in the spec's `file`, and are moved.
void read_text_asset(const SourceFile& source, ObjectReader& entry, AssetDecl& decl,
                     Problems& problems);

/// Reads what an asset says of a picture that may be one of shapes.
void read_drawing(const SourceFile& source, ObjectReader& entry, AssetDecl& decl,
                  Problems& problems);

} // namespace tuff
