// The values of channels between their keys: glTF 2.0 specification, appendix C.

readonly buffer Channels { MotionChannel elements[]; } channels;
readonly buffer Keys { float values[]; } keys; // times and values

const uint kStep = 0;
const uint kLinear = 1;
const uint kCubic = 2;

// Where a time lies among the keys of a channel.
struct KeyPlace {
    uint key;    // the last one at this time or before; the first where there is none
    float share; // of the way to the next one, in [0, 1]
    float span;  // seconds from this key to the next; 0: there is none to go to
};

KeyPlace key_place(MotionChannel channel, float time) {
    uint first = 0u;
    uint end = channel.key_count;
    while (end - first > 1u) {
        uint middle = first + (end - first) / 2u;
        if (keys.values[channel.first_time + middle] <= time)
            first = middle;
        else
            end = middle;
    }
    KeyPlace place = KeyPlace(first, 0.0, 0.0);
    float start = keys.values[channel.first_time + first];
    if (first + 1u >= channel.key_count || time <= start) return place;
    place.span = keys.values[channel.first_time + first + 1u] - start;
    place.share = (time - start) / place.span;
    return place;
}

// Between two values with their tangents by Hermite's basis.
vec4 hermite(vec4 start, vec4 leaving, vec4 end, vec4 arriving, float share, float span) {
    float u = share;
    float u2 = u * u;
    float u3 = u2 * u;
    return (2.0 * u3 - 3.0 * u2 + 1.0) * start + span * (u3 - 2.0 * u2 + u) * leaving +
           (3.0 * u2 - 2.0 * u3) * end + span * (u3 - u2) * arriving;
}

vec4 read_value(uint first, uint components) {
    vec4 value = vec4(0.0);
    for (uint c = 0u; c < components; ++c)
        value[c] = keys.values[first + c];
    return value;
}

vec4 unit_quaternion(vec4 q) {
    float size = length(q);
    return size > 0.0 ? q / size : vec4(0.0, 0.0, 0.0, 1.0);
}

// sin(t angle) / sin(angle) as a series in cos(angle) - 1: Eberly, "A Fast and Accurate Algorithm
// for Computing SLERP", 2011. Sines may be off by 2^-11. Up to an eighth of a turn eight terms
// leave less than a float's rounding.
float arc_share(float t, float cosine_less_1) {
    float sum = t;
    float term = t;
    for (float i = 1.0; i <= 8.0; i += 1.0) {
        term *= (t * t - i * i) / (i * (2.0 * i + 1.0)) * cosine_less_1;
        sum += term;
    }
    return sum;
}

// Along the shortest arc from one unit quaternion to another.
vec4 slerp(vec4 a, vec4 b, float share) {
    if (dot(a, b) < 0.0) b = -b;
    // Of the arc, at most a quarter of a turn, the half in which the result lies.
    vec4 middle = unit_quaternion(a + b);
    bool late = share >= 0.5;
    share = 2.0 * share - (late ? 1.0 : 0.0);
    if (late)
        a = middle;
    else
        b = middle;
    float cosine_less_1 = -0.5 * dot(a - b, a - b);
    return unit_quaternion(arc_share(1.0 - share, cosine_less_1) * a +
                           arc_share(share, cosine_less_1) * b);
}

// What a channel says at a time: `components` floats, from float `offset` of the `stride` of a key.
vec4 channel_value(uint index, float time, uint stride, uint offset, uint components,
                   bool rotation) {
    MotionChannel channel = channels.elements[index];
    KeyPlace place = key_place(channel, time);
    bool cubic = channel.interpolation == kCubic;
    uint key_floats = stride * (cubic ? 3u : 1u);
    uint here = channel.first_value + place.key * key_floats + offset;
    vec4 start = read_value(here + (cubic ? stride : 0u), components);
    if (place.span > 0.0 && channel.interpolation != kStep) {
        uint next = here + key_floats;
        if (cubic)
            start = hermite(start, read_value(here + 2u * stride, components),
                            read_value(next + stride, components), read_value(next, components),
                            place.share, place.span);
        else if (rotation)
            start = slerp(start, read_value(next, components), place.share);
        else
            start = mix(start, read_value(next, components), place.share);
    }
    return rotation ? unit_quaternion(start) : start;
}
