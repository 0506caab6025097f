#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What a texel of a field of signed distances is.
enum class SignedStorage : std::uint8_t { r32_sfloat, r16_sfloat };
Format signed_format(SignedStorage storage);

/// Distances to the contour of the objects, negative within them. See `describe`.
struct SignedDistance {
    static constexpr std::string_view kName = "distance/signed";

    Image seed;
    bool half_pixel = true;
    SignedStorage storage = SignedStorage::r32_sfloat;
    Image field;
    Image gradient;
    Buffer status;

    static void describe(PassInfo<SignedDistance>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SignedStorage> {
    static constexpr std::array<std::string_view, 2> names{"r32_sfloat", "r16_sfloat"};
};
