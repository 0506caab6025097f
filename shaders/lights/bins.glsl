// Slices of distance, which share the lights of a tile out: as thick as they are far away, or of
// orthographic cameras all alike. `terms`: where they begin, slices for each doubling or unit, how
// many there are, and 1 where they double.
#ifndef LIGHTS_BINS
#define LIGHTS_BINS

float bin_place(float away, vec4 terms) {
    float from_start = terms.w > 0.5 ? log2(max(away, terms.x) / terms.x) : away - terms.x;
    return clamp(from_start * terms.y, 0.0, terms.z - 1.0);
}

uint bin_of(float away, vec4 terms) {
    return uint(bin_place(away, terms));
}

#endif
