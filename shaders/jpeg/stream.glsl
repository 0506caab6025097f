// The entropy-coded data before bytes of 255 are stuffed: words whose highest bit comes first.

// How much there is, clipped to the room there is.
struct JpegExtent {
    uint bytes;
    uint words;
    uint tiles; // of jpeg/encode_stuff
};

const uint kTileWords = 512u;
