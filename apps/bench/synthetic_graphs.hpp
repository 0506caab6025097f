#pragma once

#include <tuff/graph.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Frame graphs made of numbers alone, the same in every run: what graph compilers are compared on.
namespace tuff::bench {

enum class Shape : std::uint8_t {
    chain, ///< each pass reads what the one before wrote; full-HD RGBA8
    dag,   ///< each reads the last result and up to two of the seven before it; mixed sizes
    wide,  ///< eight chains side by side (two in small graphs), then joined one by one
};
std::string_view name_of(Shape shape);

/// A graph before anything has been built. Every pass writes one image of its own, so passes and
/// images have the same indices. Whatever a pass reads comes before it.
struct Outline {
    struct Pass {
        std::string name;
        ImageDesc image; ///< what it writes
        bool raster = false;
        std::vector<std::uint32_t> reads;
    };
    std::vector<Pass> passes;
};
/// `passes` is at least 2 for `wide`, else at least 1.
Outline make_outline(Shape shape, std::uint32_t passes);

/// The graph: custom nodes without work that sample what they read and draw into, or store to, what
/// they write. The last pass is kept, which keeps all.
GraphDesc build(const Outline& outline);

} // namespace tuff::bench
