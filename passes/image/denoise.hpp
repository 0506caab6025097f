#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// Takes the noise out of path-traced pictures. See `describe`.
struct Denoise {
    static constexpr std::string_view kName = "image/denoise";
    static constexpr int kMaxRounds = 8;

    Image source;
    Image albedo; ///< optional
    Image normal; ///< optional
    int rounds = 5;
    float color = 4.0f;
    float surface = 0.1f;
    float direction = 0.3f;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Denoise>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
