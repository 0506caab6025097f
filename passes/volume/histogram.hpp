#pragma once

#include "passes/volume/sampled_volume.hpp"

namespace tuff::passes {

/// How the numbers of a volume are spread.
struct NumberHistogram {
    Buffer range;  ///< two floats: the least and the greatest number
    Buffer counts; ///< 256 words: texels in each part of the range
};

/// Of the texels as they are, without filters that apply while looking. What is not finite is not
/// counted. `ranges`: of the volume's bricks.
NumberHistogram count_numbers(Graph& graph, const SampledVolume& volume, Buffer ranges);

} // namespace tuff::passes
