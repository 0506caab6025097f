// Division by numbers that the host knows: `Divisor` in passes/mpi/divisor.hpp.
#ifndef DIVIDE
#define DIVIDE

// number / divisor, number being less than 2^31.
uint divided_by(uvec2 divisor, uint number) {
    uint high, low;
    umulExtended(2u * number, divisor.x, high, low);
    return high >> divisor.y;
}

#endif
