#pragma once

#include "passes/primitives/elements.hpp"

#include <glm/vec4.hpp>

#include <string>

namespace tuff::passes {

/// An expression of every element. See `describe`.
struct Map {
    static constexpr std::string_view kName = "primitives/map";

    Buffer source;
    Buffer other; ///< optional
    Buffer count; ///< optional
    std::string expression = "x";
    glm::vec4 p{};
    std::int64_t length = kAllElements;
    Element type = Element::u32;
    Element other_type = Element::u32;
    Element result_type = Element::u32;
    Buffer result;

    static void describe(PassInfo<Map>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
