#pragma once

#include "passes/fluid/advect.hpp"

namespace tuff::passes {

/// Puts the parts of a flow together. See `describe`.
struct FluidGather {
    static constexpr std::string_view kName = "fluid/gather";

    FluidField field;
    FluidDye dye;
    FluidField whole_field;
    FluidDye whole_dye;

    static void describe(PassInfo<FluidGather>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
