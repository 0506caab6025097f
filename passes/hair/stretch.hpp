#pragma once

#include "passes/hair/hair.hpp"

#include <string>
#include <vector>

namespace tuff::passes {

/// Measures how far edges are from their rest length. See `describe`.
struct HairStretch {
    static constexpr std::string_view kName = "hair/stretch";

    std::vector<HairGroom> grooms;
    std::vector<HairState> states;
    std::uint32_t rows = 1;
    std::vector<std::string> names;
    Buffer table;

    static void describe(PassInfo<HairStretch>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
