// The rays of a cell: a run of links in the order of cells' numbers. And its triangles.
readonly buffer RunFirsts { uint values[]; } run_firsts;
readonly buffer RunCount { uint word; } run_count;
readonly buffer LinkCount { uint word; } link_count;
readonly buffer LinkKeys { uint values[]; } link_keys;
readonly buffer Starts { uint values[]; } starts; // of the lists of triangles, one more than cells

struct Run {
    uint first_link;
    uint rays;
    uint first_entry;
    uint triangles;
    uint key;
};

uint clamped_runs(uint most) {
    return min(run_count.word, most);
}

// `room`: for links; `entries`: that lists have room for.
Run run_at(uint i, uint room, uint entries) {
    Run run;
    run.first_link = run_firsts.values[i];
    uint end = i + 1u < run_count.word ? run_firsts.values[i + 1u] : min(link_count.word, room);
    run.rays = end - run.first_link;
    run.key = link_keys.values[run.first_link];
    run.first_entry = min(starts.values[run.key], entries);
    run.triangles = min(starts.values[run.key + 1u], entries) - run.first_entry;
    return run;
}

// The triangles that an invocation takes, as a power of two: at least `bits`, and as many as keep
// the number of invocations below 2^28 or so.
uint triangle_bits_for(uint bits, uint low, uint high) {
    const uint kMaxBits = 28u;
    int top = high != 0u ? 32 + findMSB(high) : findMSB(low);
    return max(bits, uint(max(top + 1 - int(kMaxBits), 0)));
}

uint parts_of(uint count, uint bits) {
    return (count >> bits) + uint((count & (1u << bits) - 1u) != 0u);
}
