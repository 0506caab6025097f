#version 460
// A row of the tables of occlusion-sweep: the error and the rank correlation of each method.
layout(local_size_x = 1) in;

readonly buffer Mips { uint words[]; } mips;          //! doc sums of occlusion-sweep_sums.comp
readonly buffer NBuffer { uint words[]; } n_buffer;   //! doc the same
readonly buffer SummedCubes { uint words[]; } summed; //! doc the same
readonly buffer Cones6 { uint words[]; } cones_6;     //! doc the same
readonly buffer Cones14 { uint words[]; } cones_14;   //! doc the same
readonly buffer Cones26 { uint words[]; } cones_26;   //! doc the same
readonly buffer Rays { uint words[]; } rays;          //! doc the same

struct Row {
    float shells;
    float rays;
    float voxels;
    float mip_error;
    float n_buffer_error;
    float summed_error;
    float cone_6_error;
    float cone_14_error;
    float cone_26_error;
    float ray_error;
    float mip_rank;
    float n_buffer_rank;
    float summed_rank;
    float cone_6_rank;
    float cone_14_rank;
    float cone_26_rank;
    float ray_rank;
    float mip_ms; // not measured here: of tuff run --timings on a GPU
    float n_buffer_ms;
    float summed_ms;
    float cone_6_ms;
    float cone_14_ms;
    float cone_26_ms;
    float ray_ms;
};
writeonly buffer Table { Row rows[]; } table; //! doc one row

uniform Params {
    float shells;
    float ray_count;
} params;

// Two words, the lower one first.
#define SUM(of, number) (float(of.words[2 * number]) + 4294967296.0 * float(of.words[2 * number + 1]))
#define ERROR_OF(of) sqrt(SUM(of, 1) / (16.0 * SUM(of, 0)))
#define RANK_OF(of) ((SUM(of, 4) - SUM(of, 0)) / sqrt(SUM(of, 2) * SUM(of, 3)))

float none() { return uintBitsToFloat(0x7fc00000u); }

void main() {
    table.rows[0] = Row(params.shells, params.ray_count, SUM(mips, 0) / 65535.0,
                        ERROR_OF(mips), ERROR_OF(n_buffer), ERROR_OF(summed), ERROR_OF(cones_6),
                        ERROR_OF(cones_14), ERROR_OF(cones_26), ERROR_OF(rays),
                        RANK_OF(mips), RANK_OF(n_buffer), RANK_OF(summed), RANK_OF(cones_6),
                        RANK_OF(cones_14), RANK_OF(cones_26), RANK_OF(rays),
                        none(), none(), none(), none(), none(), none(), none());
}
