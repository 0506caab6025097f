#pragma once

#include "passes/bodies/step.hpp"

namespace tuff::passes {

/// How many constraints each body has, and which.
struct SplitMasses {
    Buffer shares;     ///< u32 a body: constraints
    Buffer offsets;    ///< two u32 a body: where its incidences begin and end
    Buffer incidences; ///< u32: twice a place, plus 1 where the body is the second
};

SplitMasses split_masses(Graph& graph, const BodyBatches& batches, const BodyPairs& pairs,
                         std::uint32_t bodies);

} // namespace tuff::passes
