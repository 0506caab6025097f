#pragma once

#include <tuff/diagnostic.hpp>

#include <json/value.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace tuff::gltf {

/// JSON text with the name of its file, to give diagnostics their place.
struct JsonSource {
    std::string file;
    std::string_view text;
    bool binary = false; ///< the text lies inside a .glb, where line numbers help nobody

    /// Place of `value`, which was parsed from `text`.
    SourcePlace place_of(const Json::Value& value) const;
    SourcePlace place_at(std::size_t offset) const;
};

/// Everything that is wrong with the members the loader reads: wrong types, missing members,
/// indices beyond the array they point into, buffer views beyond their buffer. Codes: gltf/schema.
Diagnostics check_schema(const Json::Value& root, const JsonSource& source);

} // namespace tuff::gltf
