#ifndef HEAT_COLOR
#define HEAT_COLOR
// Shares from 0 to 1 as linear colours: from black by blue, green and yellow to white.

const vec3 kHeatRamp[6] = vec3[6](vec3(0.0), vec3(0.05, 0.08, 0.45), vec3(0.02, 0.45, 0.4),
                                  vec3(0.35, 0.7, 0.1), vec3(1.0, 0.55, 0.05), vec3(1.0));

vec3 heat_color(float share) {
    float place = clamp(share, 0.0, 1.0) * 5.0;
    uint stop = min(uint(place), 4u);
    return mix(kHeatRamp[stop], kHeatRamp[stop + 1u], place - float(stop));
}

#endif
