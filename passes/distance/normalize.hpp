#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What a texel of a normalised field is.
enum class NormalizedStorage : std::uint8_t { r16_sfloat, r8_unorm };

/// A field of distances as numbers around 0.5. See `describe`.
struct NormalizeDistance {
    static constexpr std::string_view kName = "distance/normalize";

    Image field;
    Image inside; ///< optional
    float scale = 1.0f / 32.0f;
    bool half_pixel = true;
    bool squared = true;
    NormalizedStorage storage = NormalizedStorage::r16_sfloat;
    Image result;

    static void describe(PassInfo<NormalizeDistance>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::NormalizedStorage> {
    static constexpr std::array<std::string_view, 2> names{"r16_sfloat", "r8_unorm"};
};
