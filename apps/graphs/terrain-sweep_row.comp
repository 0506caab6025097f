#version 460
// A row of the tables of terrain-sweep: how many leaves and triangles two trees have, and how far their
// triangles are from the heights.
layout(local_size_x = 1) in;

readonly buffer Leaves { uint words[]; } leaves; //! doc status of the quadtree
readonly buffer Seen { uint words[]; } seen; //! doc of its visible leaves
readonly buffer Sums { uint words[]; } sums; //! doc of terrain-sweep_error.comp, of these
readonly buffer BisectionLeaves { uint words[]; } bisection_leaves; //! doc status of the bisection
readonly buffer BisectionSums { uint words[]; } bisection_sums; //! doc of its visible triangles

struct Row {
    float edge;
    float levels;
    float leaves;
    float seen;
    float triangles;
    float rms_error;
    float max_error;
    float bisection_leaves;
    float bisection_triangles;
    float bisection_rms_error;
    float bisection_max_error;
    float build_ms; // not measured here: of tuff run --timings on a GPU
    float bisection_ms;
};
writeonly buffer Table { Row rows[]; } table; //! doc one row

uniform Params {
    float edge; //! unit pixels
    float levels;
} params;

// Two words, the lower one first.
#define LONG(words, i) (float(words[i]) + 4294967296.0 * float(words[i + 1]))
#define RMS(words) sqrt(LONG(words, 4) / 256.0 / max(LONG(words, 2), 1.0))

void main() {
    table.rows[0] = Row(params.edge, params.levels, float(leaves.words[0]), float(seen.words[0]),
                        float(sums.words[0]), RMS(sums.words), uintBitsToFloat(sums.words[1]),
                        float(bisection_leaves.words[1]), float(bisection_sums.words[0]),
                        RMS(bisection_sums.words), uintBitsToFloat(bisection_sums.words[1]),
                        uintBitsToFloat(0x7fc00000u), uintBitsToFloat(0x7fc00000u));
}
