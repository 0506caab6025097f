#ifndef DISTANCE_DONE
#define DISTANCE_DONE
// Where the word of a pass is that says whether it found nothing to do: as in
// passes/distance/pass_loop.hpp.

uint done_word(uint pass) {
    return pass * 64u;
}

#endif
