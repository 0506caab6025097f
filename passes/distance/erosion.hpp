#pragma once

#include "passes/distance/field.hpp"
#include "passes/distance/pass_loop.hpp"

#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Squared Euclidean distances by passes along the rows, then along the columns. See `describe`.
struct ErosionDistance {
    static constexpr std::string_view kName = "distance/erosion";

    Image seed;
    std::uint32_t clamp = 0;
    FieldStorage storage = FieldStorage::u32;
    FieldBorder border = FieldBorder::background;
    FieldChannels channels = FieldChannels::one;
    PassBackEnd back_end = PassBackEnd::compute;
    std::uint32_t max_passes = 0;
    Image field;
    Buffer status;

    static void describe(PassInfo<ErosionDistance>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
