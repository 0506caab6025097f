// The entropy-coded data before bytes of 255 are stuffed: words whose highest bit comes first.
#ifndef JPEG_STREAM
#define JPEG_STREAM

// How much there is. The first three are clipped to the room there is.
struct JpegExtent {
    uint bytes;
    uint words;
    uint tiles;  // of jpeg/encode_stuff
    uint needed; // bytes; 2^32 - 1: more than can be counted
};

const uint kTileWords = 512u;
#endif
