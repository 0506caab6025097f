// What bodies/clock says of an execution. C++: `ClockWords` of passes/bodies/clock.hpp.
#ifndef BODIES_CLOCK
#define BODIES_CLOCK

struct ClockWords {
    uint steps;
    float owed;  // seconds from the state to the picture, at most 0
    float share; // how far the picture's time is from the state before the last step to that after it
    uint age;    // 0: nobody has been here
    uint lost;   // steps that there was no room for
};

#endif
