#pragma once

#include "passes/common/picture.hpp"
#include "passes/primitives/summed_area_table.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// The mean over a box of any size, by a summed-area table. See `describe`.
struct BoxFilter {
    static constexpr std::string_view kName = "image/box_filter";

    Image source;
    SummedArea table; ///< of `source`; made where it is not connected
    glm::ivec3 radius{1, 1, 0};
    SumPrecision precision = SumPrecision::offset;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<BoxFilter>& info);
    void build(Graph& graph);
};

/// `table`, or where it is not connected a new one of `source`. Reports image/size-mismatch, and
/// returns an empty one, where `table` is of another size.
[[nodiscard]] SummedArea table_for(Graph& graph, const SummedArea& table, Image source,
                                   SumPrecision precision);

} // namespace tuff::passes
