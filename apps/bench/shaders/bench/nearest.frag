#version 460
// The number of the nearest triangle: what is compared with geometry/compute_raster.

layout(location = 0) flat in uint triangle;
layout(location = 0) out uint result;

void main() {
    result = triangle;
}
