#version 460
// A square plate with slits, between two contacts that are held at 1 and -1 volt.
layout(local_size_x = 8, local_size_y = 8) in;

layout(r32f) writeonly uniform image2D source; //! doc currents that flow in, of the rank's part with a halo of one texel
layout(r32f) writeonly uniform image2D guess;  //! doc the voltages of contacts
layout(r32ui) writeonly uniform uimage2D kinds; //! doc 0 metal, 1 a slit, 2 a contact

uniform Params {
    ivec2 first;  //! doc first cell of the part
    ivec2 cells;  //! doc size of the whole field
    int slits;    //! range 0..100, default 5, doc how many there are, in turn from below and from above
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(source)))) return;
    vec2 at = (vec2(params.first + texel - 1) + 0.5) / vec2(params.cells);
    uint kind = 0u;
    float voltage = 0.0;
    if (distance(at, vec2(0.5 / float(params.slits + 1), 0.5)) < 0.04) {
        kind = 2u;
        voltage = 1.0;
    }
    if (distance(at, vec2(1.0 - 0.5 / float(params.slits + 1), 0.5)) < 0.04) {
        kind = 2u;
        voltage = -1.0;
    }
    float number = round(at.x * float(params.slits + 1));
    bool of_slit = number >= 1.0 && number <= float(params.slits) &&
                   abs(at.x - number / float(params.slits + 1)) < 0.008;
    float along = mod(number, 2.0) == 0.0 ? at.y : 1.0 - at.y;
    if (of_slit && along < 0.75) kind = 1u;
    imageStore(source, texel, vec4(0.0));
    imageStore(guess, texel, vec4(voltage));
    imageStore(kinds, texel, uvec4(kind));
}
