#pragma once

#include "passes/distance/signed.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// Signed distances to the contour of an antialiased picture. See `describe`.
struct AntialiasedDistance {
    static constexpr std::string_view kName = "distance/antialiased";

    Image source;
    bool invert = false;
    SignedStorage storage = SignedStorage::r32_sfloat;
    Image field;
    Buffer status;

    static void describe(PassInfo<AntialiasedDistance>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
