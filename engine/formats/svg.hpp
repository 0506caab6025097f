#pragma once

#include <cstddef>

/// Between the engine and the file that has librsvg: plain C, so that neither needs the other.
extern "C" {

/// What an SVG file is drawn into.
struct TuffSvgTarget {
    unsigned width;  ///< texels; 0: as the file says, which is put here
    unsigned height; ///< texels
    void* owner;
    /// Room for width x height texels of four bytes; null where that is too large.
    unsigned char* (*take)(void* owner, unsigned width, unsigned height);
    char message[512]; ///< what is wrong, where something is
};

enum TuffSvgEnd { tuff_svg_drawn, tuff_svg_corrupt, tuff_svg_no_size, tuff_svg_too_large };

/// Draws red, green, blue and alpha, not multiplied, row by row from the top.
using TuffDrawSvg = TuffSvgEnd (*)(const char* file, std::size_t bytes, TuffSvgTarget* target);

} // extern "C"
