// How words are read and written that groups of one dispatch tell each other. 0: by
// read-modify-write operations, which suit every device; loads in their place may read one word
// twice and find two values (seen with lavapipe of Mesa 22.3). 1: by plain accesses to volatile
// memory, where groups go on by themselves. In C++: `specialize_accesses`.
layout(constant_id = 4) const uint plain_accesses = 0u;
