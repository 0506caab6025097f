// What a trajectory reports: `TrajectoryStatus` of passes/mapping/trajectory.hpp, member by member.
#ifndef MAPPING_TRAJECTORY_STATUS
#define MAPPING_TRAJECTORY_STATUS

struct TrajectoryStatus {
    uint frames;
    uint lost;
    float rms_distance;
    float most_distance;
    float rms_angle;
    float most_angle;
    float distance;
    float angle;
};

#endif
