// Compactions in order: the last tile knows how many elements are kept and rejected in all.
#include "compact_write.glsl"

writeonly buffer Kept { uint number; } kept_count;
#if KEEPS_REJECTED
writeonly buffer Others { uint number; } rejected_count;
#endif

void write_counts(uint end, TileCount kept, uint prefix) {
    kept_count.number = prefix + kept.total;
#if KEEPS_REJECTED
    if (keeps_rejected != 0u) rejected_count.number = end - (prefix + kept.total);
#endif
}
