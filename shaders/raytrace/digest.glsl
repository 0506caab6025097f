// Two words that tell what a picture is made of. What is added has no order, so the sum is the same
// whichever invocation comes first.
#ifndef RAYTRACE_DIGEST
#define RAYTRACE_DIGEST

#include "hash.glsl"

buffer Digest { uint words[2]; } digest;

shared uint group_digest[2];

// Adds what the invocations of a group have found; all of them call it.
void add_to_digest(uvec2 own) {
    if (gl_LocalInvocationIndex == 0u) {
        group_digest[0] = 0u;
        group_digest[1] = 0u;
    }
    barrier();
    atomicAdd(group_digest[0], own.x);
    atomicAdd(group_digest[1], own.y);
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    atomicAdd(digest.words[0], group_digest[0]);
    atomicAdd(digest.words[1], group_digest[1]);
}

#endif
