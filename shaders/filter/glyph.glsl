// A glyph: an ellipse or ellipsoid about a place of the array. Both kernels of the module's glyphs
// have this layout.
#ifndef FILTER_GLYPH
#define FILTER_GLYPH

struct Glyph {
    vec4 rows[3]; // to the frame in which it is the unit circle or sphere: (axis / half length, 0)
    vec4 center;  // places from the array's corner; w is 1 where the glyph is shown, else 0
    vec4 color;   // linear
};

#endif
