// What a localisation reports: `TrackingStatus` of passes/mapping/tracking.hpp, member by member.
#ifndef MAPPING_TRACKING_STATUS
#define MAPPING_TRACKING_STATUS

struct TrackingStatus {
    uint frames;
    uint lost;
    uint lost_frames;
    uint iterations;
    uint unconstrained;
    uint pairs;
    uint looks;
    float rms_distance;
    float rms_brightness;
    float moved;
    float turned;
    uint failure;
};

// Bits of `failure`.
const uint kTooFewPairs = 1u;
const uint kTooFarOff = 2u;
const uint kTooFast = 4u;
const uint kNotFinite = 8u;
const uint kTooUnlike = 16u;

#endif
