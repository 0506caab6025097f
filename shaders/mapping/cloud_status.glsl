// What a map of points reports: `CloudStatus` of passes/mapping/clouds.hpp, member by member.
#ifndef MAPPING_CLOUD_STATUS
#define MAPPING_CLOUD_STATUS

struct CloudStatus {
    uint points;
    uint room;
    uint outside;
};

#endif
