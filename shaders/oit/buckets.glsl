// Buckets of tiles by the length of their longest list: none, up to 4, 8, 16, 32, and longer.
const uint kBuckets = 6u;
const uint kLongestBucket = 32u;

uint bucket_of(uint longest) {
    if (longest == 0u) return 0u;
    if (longest <= 4u) return 1u;
    if (longest <= 8u) return 2u;
    if (longest <= 16u) return 3u;
    return longest <= kLongestBucket ? 4u : 5u;
}
