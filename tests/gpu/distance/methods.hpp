#pragma once

#include "tests/gpu/distance/distance_test.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tuff::testing_distance {

/// What every pass that makes a field gives.
struct FieldOutputs {
    Image field;
    Buffer status;
};

/// A pass with some choice of its parameters.
struct FieldMethod {
    std::string name;
    reference::DistanceMetric metric = reference::DistanceMetric::squared_euclid;
    std::function<FieldOutputs(Graph&, Image seed)> add;
};

/// Parameters that several passes have.
struct FieldOptions {
    passes::FieldChannels channels = passes::FieldChannels::one;
    passes::FieldBorder border = passes::FieldBorder::background;
    std::uint32_t clamp = 0;
    bool queries = false; ///< with loops that occlusion queries end, which take long
};

/// All that measure exactly, in all their ways: erosion, Saito and Toriwaki, particles, grassfires.
/// Those that lack an option are left out where it is asked for.
std::vector<FieldMethod> exact_methods(const FieldOptions& options = {});

} // namespace tuff::testing_distance
