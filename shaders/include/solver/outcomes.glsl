// What a solve has come to. C++: PoissonStatus.
const uint kRunning = 0u;
const uint kConverged = 1u;
const uint kNotConverged = 2u;
const uint kStagnated = 3u;
const uint kIncompatible = 4u;
const uint kBadInput = 5u;
