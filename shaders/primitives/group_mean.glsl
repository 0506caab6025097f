// The mean over a group of 256.

struct WeightedMean {
    vec4 value;
    vec4 weight; // the first component: how many texels
};

const int kBlock = 64; // texels a side; as in passes/primitives/image_mean.cpp

shared vec4 group_values[256];
shared float group_weights[256];

// All invocations of the group must call it; the first one gets the mean.
WeightedMean mean_of_group(vec4 value, float weight) {
    uint thread = gl_LocalInvocationIndex;
    group_values[thread] = value;
    group_weights[thread] = weight;
    barrier();
    for (uint half_count = 128u; half_count > 0u; half_count /= 2u) {
        if (thread < half_count) {
            float own = group_weights[thread];
            float other = group_weights[thread + half_count];
            if (other > 0.0) {
                float share = other / (own + other);
                group_values[thread] +=
                    (group_values[thread + half_count] - group_values[thread]) * share;
                group_weights[thread] = own + other;
            }
        }
        barrier();
    }
    return WeightedMean(group_values[0], vec4(group_weights[0], 0.0, 0.0, 0.0));
}
