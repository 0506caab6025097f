#version 460
// The cells that two solvers step, as numbers to print.
layout(local_size_x = 1) in;

readonly buffer Bricks { uint words[]; } bricks; //! doc status of the sparse smoke's bricks: begins with how many are active
writeonly buffer Counts { uint words[4]; } counts; // dense cells, sparse cells, the share in percent, bricks

uniform Params {
    uvec3 dims;  //! doc cells of the domain
    uvec3 brick; //! doc cells of a brick
} params;

void main() {
    uint dense = params.dims.x * params.dims.y * params.dims.z;
    uint sparse = bricks.words[0] * params.brick.x * params.brick.y * params.brick.z;
    counts.words[0] = dense;
    counts.words[1] = sparse;
    counts.words[2] = floatBitsToUint(100.0 * float(sparse) / float(dense));
    counts.words[3] = bricks.words[0];
}
