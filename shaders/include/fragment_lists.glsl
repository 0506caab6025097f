#ifndef FRAGMENT_LISTS
#define FRAGMENT_LISTS
// Fragments of the pixels of a rectangle. C++: `FragmentLists` of passes/geometry/fragment_lists.hpp.
//
// payload    words of a fragment (in linked lists a further one names the next)
// standard   rgba8 | depth, mode | triangle, samples: oit/fragment.glsl has the bits of colours
// hdr        rg16f | ba16f | depth, mode | triangle, samples
// compact    rgba8 | depth, samples, mode
// tight      depth16, rgb565 | next24, alpha6, mode
// triangle   triangle | bits of its depth
// face       bits of the distance from the eye | twice the medium, and 1 where the ray leaves it |
//            radiance that its surface reflects
//
// Linked lists: `heads` has the first fragment of each pixel. Arrays: where the fragments of each
// pixel begin, and after the last pixel where they end; a pixel whose fragments did not all find
// room among `capacity` counts as one without fragments, so that what is left is the same in every
// run.
const uint kStandard = 0u;
const uint kHdr = 1u;
const uint kCompact = 2u;
const uint kTight = 3u;
const uint kTriangle = 4u;
const uint kFace = 5u;

const uint kFaceWords = 3u;

const uint kLinked = 0u;
const uint kArrays = 1u;

// First and end of a pixel's fragments in arrays, from where they begin and those of the next do.
uvec2 whole_list(uint first, uint end, uint capacity) {
    return end <= capacity && first <= end ? uvec2(first, end) : uvec2(0u);
}

// Where a fragment goes in arrays: `left` of its pixel were not written before it, with itself.
uint place_of_fragment(uint first, uint left) {
    return first + left - 1u;
}

#endif
