#pragma once

#include "passes/image/placement.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// Lays part of one picture onto another. See `describe`.
struct Paste {
    static constexpr std::string_view kName = "image/paste";

    Image target;
    Image source;
    Image mask; ///< optional: none, all of the source
    MaskChannel channel = MaskChannel::red;
    glm::ivec2 offset{0};
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Paste>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
