// Media of meshes. Kernels are told of at most 256: `extinction` (fourth: reflectance), `emission`
// and `scatter` (fourth: kind).
// Words of a fragment: bits of the distance; number of the medium, and in the lowest bit whether
// the ray leaves it; reflected radiance.
const uint kFragmentWords = 3u;

const uint kMaxMedia = 256u;
const int kMedium = 0; // a kind: else a shadow of light number kind - 1

int kind_of(vec4 scatter) {
    return int(scatter.w);
}

// Two counts share a number of 24 bits: sums of these are exact.
const float kSecondCount = 4096.0;
