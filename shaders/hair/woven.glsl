// Arrays whose strands are woven, 32 at a time: lanes that have a strand each read words that lie side
// by side. C++: `woven_count` of passes/hair/hair.hpp.
#ifndef HAIR_WOVEN
#define HAIR_WOVEN

uint woven(uint strand, uint vertex, uint vertices) {
    return ((strand / 32u) * vertices + vertex) * 32u + strand % 32u;
}

#endif
