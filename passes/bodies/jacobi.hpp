#pragma once

#include "passes/bodies/step.hpp"

namespace tuff::passes {

/// The constraints of each body.
struct SplitMasses {
    Buffer shares;     ///< u32 a body: number of constraints
    Buffer offsets;    ///< two u32 a body: begin and end of its incidences
    Buffer incidences; ///< u32: twice a position, plus 1 if the body is the second
};

SplitMasses split_masses(Graph& graph, const BodyBatches& batches, const BodyPairs& pairs,
                         std::uint32_t bodies);

} // namespace tuff::passes
