// What lies beyond an array: which place of an axis is read in its stead. The numbers are those of
// FilterBorder.
#ifndef FILTER_BORDER
#define FILTER_BORDER

const uint kBorderClamp = 1u;
const uint kBorderMirror = 2u;
const uint kBorderWrap = 3u;
const uint kNowhere = 0xffffffffu; // zeros lie there

// The remainder of a negative number is undefined in GLSL, so both sides are counted from the border.
uint place_read(uint border, int place, uint size) {
    if (uint(place) < size) return uint(place);
    uint beyond = place < 0 ? uint(-1 - place) : uint(place);
    if (border == kBorderClamp) return place < 0 ? 0u : size - 1u;
    if (border == kBorderWrap) {
        uint within = beyond % size;
        return place < 0 ? size - 1u - within : within;
    }
    if (border == kBorderMirror) {
        uint within = beyond % (2u * size);
        return within < size ? within : 2u * size - 1u - within;
    }
    return kNowhere;
}

#endif
