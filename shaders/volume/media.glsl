// Media of meshes. Kernels are told of at most 16: `extinction` (fourth: reflectance), `emission`
// and `scatter` (fourth: kind).
// Words of a fragment: bits of the distance; number of the medium, and in the lowest bit whether
// the ray leaves it; reflected radiance.
const uint kFragmentWords = 3u;

const uint kMostMedia = 16u;
const int kMedium = 0; // a kind: else a shadow of light number kind - 1

int kind_of(vec4 scatter) {
    return int(scatter.w);
}
