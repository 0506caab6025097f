// The words of solver/poisson's status. C++: PoissonReport.
const uint kRunning = 0u;
const uint kConverged = 1u;
const uint kNotConverged = 2u;
const uint kStagnated = 3u;
const uint kIncompatible = 4u;
const uint kBadInput = 5u;

const int kStatus = 0;
const int kCycles = 1;
const int kRhsNorm = 2;
const int kFirstResidual = 3;
const int kLastResidual = 4;
const int kRhsMean = 5;
const int kNotFinite = 6;
const int kUnknownCells = 7;
const int kBestResidual = 8;
const int kStalled = 9;     // looks in a row without a better residual
const int kIncompatibleRhs = 10;
const int kShift = 11;      // what is taken off the right-hand side: its mean, or 0
const int kSingular = 12;   // nothing fixes the mean
const int kReference = 13;  // the norm that the tolerance is relative to
const int kSolutionSum = 14;
