// Lengths of lists that are told apart: 0 to 255, and longer ones.
const uint kLengths = 257u;
