// Kernels that are made for an expression have it in place of this file: passes/primitives/expression.hpp.
