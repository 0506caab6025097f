// Order among what an invocation writes and reads, where others of the group may be elsewhere: in
// loops that end at different times. C++: `specialize_memory_order`.
//
// A memory barrier makes nobody wait. llvmpipe (Mesa 22.3), however, waits at one for the whole group,
// and loses invocations where not all come by; but it orders all memory by its atomic operations,
// which stand beside every call of these. See DeviceCaps::barriers_in_branches.
layout(constant_id = 33) const uint kBarriersInBranches = 1u;

void order_buffers() {
    if (kBarriersInBranches != 0u) memoryBarrierBuffer();
}
void order_shared() {
    if (kBarriersInBranches != 0u) memoryBarrierShared();
}
