#pragma once

#include "passes/primitives/method.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// Filters pairs of oriented boxes. See `describe`.
struct BoxPairs {
    static constexpr std::string_view kName = "collision/box_pairs";

    Buffer a;
    Buffer b;
    Buffer pairs; ///< optional
    float slack = 0.0f;
    ScanMethod method = ScanMethod::automatic;

    Buffer meet;
    Buffer kept;
    Buffer count;

    static void describe(PassInfo<BoxPairs>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
