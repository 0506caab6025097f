#version 460
// What a store's executions were like so far: moves the numbers of those before one place to the left,
// adds those of this one, and brings the totals up to date.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint kept; // executions
    float growth;
} params;

readonly buffer Status { // SparseStatus in passes/sparse/store.hpp
    uint active_bricks;
    uint fresh;
    uint wanted;
    uint refused;
    uint evicted;
    uint capacity;
} status;
readonly buffer Counts { // AuditCounts in passes/sparse/audit.cpp
    uint broken;
    uint active_places;
    uint used_places;
} counts;

struct Totals { // SparseTotals in passes/sparse/audit.hpp
    uint executions;
    uint broken;
    uint fresh;
    uint given_back;
    uint refused;
    uint evicted;
    uint most;
    uint window_most;
    uint early_most;
    uint last_most;
    uint grown;
    uint active_bricks;
};
readonly buffer Before { Totals totals; } before;
writeonly buffer TotalsNow { Totals now; } totals;
readonly buffer SeriesBefore { float values[]; } series_before; // an array a number, oldest first
writeonly buffer Series { float values[]; } series;

// This execution's.
uint number_of(uint which) {
    if (which == 0u) return status.active_bricks;
    if (which == 1u) return status.fresh;
    return which == 2u ? status.refused : status.evicted;
}

Totals brought_up() {
    Totals t = before.totals;
    uint broken = counts.broken;
    // Active bricks that are not listed, and what the table holds of bricks that nobody claimed.
    if (counts.active_places != status.active_bricks) ++broken;
    if (counts.used_places > status.wanted) ++broken;
    if (t.active_bricks + status.fresh < status.active_bricks) ++broken; // from nowhere
    t.given_back += t.active_bricks + status.fresh - status.active_bricks;
    t.executions += 1u;
    t.broken += broken;
    t.fresh += status.fresh;
    t.refused += status.refused;
    t.evicted += status.evicted;
    t.active_bricks = status.active_bricks;
    t.most = max(t.most, status.active_bricks);
    t.window_most = max(t.window_most, status.active_bricks);
    if (t.executions % params.kept == 0u) {
        t.last_most = t.window_most;
        if (t.executions == 2u * params.kept) t.early_most = t.window_most;
        t.window_most = 0u;
    }
    bool settled = params.growth > 0.0 && t.executions > 2u * params.kept;
    t.grown = uint(settled && float(t.last_most) > params.growth * float(t.early_most));
    return t;
}

void main() {
    uint i = invocation_index();
    if (i == 0u) totals.now = brought_up();
    if (i >= series.values.length()) return;
    bool last = i % params.kept == params.kept - 1u;
    series.values[i] = last ? float(number_of(i / params.kept)) : series_before.values[i + 1u];
}
