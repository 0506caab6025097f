// Words of a fragment: bits of the distance; number of the medium, and in the lowest bit whether
// the ray leaves it; reflected radiance.
const uint kFragmentWords = 3u;
