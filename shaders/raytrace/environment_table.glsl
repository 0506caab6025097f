// Choosing directions by how bright the surroundings are there: cells of the panorama, equal steps
// of longitude and latitude, with the sums of their weights up to and with each. Include
// environment.glsl before. Directions are those of the map, see `environment_direction`.
readonly buffer EnvironmentSums { float values[]; } environment_sums;

const uint kTableWidth = 256u; // as in passes/raytrace/environment_table.cpp
const uint kTableHeight = 128u;
const uint kTableCells = kTableWidth * kTableHeight;

float table_total() {
    return environment_sums.values[kTableCells - 1u];
}

// Density by solid angle of what `table_direction` gives. It need not be where a table that is all
// black has no total.
float table_density(vec3 direction) {
    vec2 uv = panorama_uv(direction);
    uvec2 cell = min(uvec2(uv * vec2(kTableWidth, kTableHeight)),
                     uvec2(kTableWidth - 1u, kTableHeight - 1u));
    uint i = cell.y * kTableWidth + cell.x;
    float below = i > 0u ? environment_sums.values[i - 1u] : 0.0;
    float share = (environment_sums.values[i] - below) / table_total();
    float across = max(sin(uv.y * kEnvironmentPi), 1e-6);
    return share * float(kTableCells) / (2.0 * kEnvironmentPi * kEnvironmentPi * across);
}

vec3 table_direction(vec3 u) {
    float wanted = u.x * table_total();
    uint first = 0u;
    uint end = kTableCells - 1u;
    while (first < end) { // the first cell whose sum is more
        uint middle = (first + end) / 2u;
        if (environment_sums.values[middle] > wanted)
            end = middle;
        else
            first = middle + 1u;
    }
    vec2 cell = vec2(first % kTableWidth, first / kTableWidth);
    return panorama_direction((cell + u.yz) / vec2(kTableWidth, kTableHeight));
}
