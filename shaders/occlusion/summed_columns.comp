#version 460
// Sums of a volume of sums along y or z: an invocation goes along a column.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint kAxis = 1u; // 1: along y, 2: along z

const int kAtOnce = 8; // read before they are used

uniform Params {
    ivec3 dims; // of rows with what they are padded by
} params;

readonly buffer Source { uint values[]; } source;
writeonly buffer Result { uint values[]; } result;

void main() {
    int x = int(gl_GlobalInvocationID.x);
    int across = int(gl_GlobalInvocationID.y);
    int length = kAxis == 1u ? params.dims.y : params.dims.z;
    if (x >= params.dims.x || across >= (kAxis == 1u ? params.dims.z : params.dims.y)) return;
    int first = x + params.dims.x * across * (kAxis == 1u ? params.dims.y : 1);
    int stride = params.dims.x * (kAxis == 1u ? 1 : params.dims.y);
    uint sum = 0u;
    for (int begin = 0; begin < length; begin += kAtOnce) {
        uint some[kAtOnce];
        for (int i = 0; i < kAtOnce; ++i)
            some[i] = source.values[first + stride * min(begin + i, length - 1)];
        for (int i = 0; i < kAtOnce && begin + i < length; ++i) {
            sum += some[i];
            result.values[first + stride * (begin + i)] = sum;
        }
    }
}
