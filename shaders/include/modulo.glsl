#ifndef MODULO
#define MODULO
// `n` modulo `size`, from 0 to size - 1. Of negative numbers Vulkan leaves % undefined, and a quotient
// of floats may lie just below the whole number that it stands for (both seen on an NVIDIA H200).
int modulo(int n, int size) {
    return n >= 0 ? n % size : size - 1 - (-1 - n) % size;
}
#endif
