#ifndef SPARSE_BRICKS
#define SPARSE_BRICKS
// How a domain of cells is divided into bricks. A brick is known by its number, x fastest, and where
// it is active its cells are in a slot: cell i of the brick is element slot * kBrickCells + i of a
// field. A slot word is kNoBrick, kLaterBrick, kPendingBrick or a slot, with kFreshBrick set where the
// brick had none in the execution before. Of two claims the one with the lower word counts.

// Vectors of these are made of numbers, one by one: tools that fold arithmetic on constant vectors
// make modules that are not valid.
layout(constant_id = 101) const int kBrickX = 8;
layout(constant_id = 102) const int kBrickY = 8;
layout(constant_id = 103) const int kBrickZ = 8;
layout(constant_id = 104) const int kDomainX = 8; // cells
layout(constant_id = 105) const int kDomainY = 8;
layout(constant_id = 106) const int kDomainZ = 8;
layout(constant_id = 107) const uint kTableBits = 0u; // the map has 2^n entries; 0: a word a brick

const ivec3 kBrick = ivec3(kBrickX, kBrickY, kBrickZ);
const ivec3 kDomain = ivec3(kDomainX, kDomainY, kDomainZ);
const ivec3 kBrickGrid =
    ivec3((kDomainX + kBrickX - 1) / kBrickX, (kDomainY + kBrickY - 1) / kBrickY,
          (kDomainZ + kBrickZ - 1) / kBrickZ);
const ivec3 kLastCell = ivec3(kDomainX - 1, kDomainY - 1, kDomainZ - 1);
const uint kBrickCells = uint(kBrickX * kBrickY * kBrickZ);

const uint kNoBrick = 0xffffffffu;
const uint kLaterBrick = 0xfffffffeu;   // claimed, and gets a slot if pending bricks leave one
const uint kPendingBrick = 0xfffffffdu; // claimed, and without a slot
const uint kFreshBrick = 0x80000000u;

bool is_active(uint word) {
    return word < kPendingBrick;
}
uint slot_of(uint word) {
    return word & ~kFreshBrick;
}
// Whether fields hold what the brick had before this execution.
bool is_kept(uint word) {
    return word < kFreshBrick;
}

bool is_in_domain(ivec3 cell) {
    return all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, kDomain));
}
bool is_in_grid(ivec3 brick) {
    return all(greaterThanEqual(brick, ivec3(0))) && all(lessThan(brick, kBrickGrid));
}
uint brick_number(ivec3 brick) {
    return (uint(brick.z) * uint(kBrickGrid.y) + uint(brick.y)) * uint(kBrickGrid.x) +
           uint(brick.x);
}
ivec3 brick_at(uint number) {
    uint row = number / uint(kBrickGrid.x);
    return ivec3(number % uint(kBrickGrid.x), row % uint(kBrickGrid.y), row / uint(kBrickGrid.y));
}
// `cell`: counted from the first of the brick.
uint cell_in_brick(ivec3 cell) {
    return uint((cell.z * kBrickY + cell.y) * kBrickX + cell.x);
}
ivec3 cell_of_brick(uint index) {
    uint row = index / uint(kBrickX);
    return ivec3(index % uint(kBrickX), row % uint(kBrickY), row / uint(kBrickY));
}

// The first entry of a hash table that is looked at for a brick.
uint table_start(uint number) {
    return number * 2654435761u >> (32u - kTableBits);
}
uint table_next(uint entry) {
    return (entry + 1u) & ((1u << kTableBits) - 1u);
}

// Whether a claim is at or above the cut between those that get a slot and the others: the heavier
// one is, and of two that weigh the same that of the lower number. `cut`: weight and number.
bool is_chosen(uint number, uint weight, uvec2 cut) {
    return weight != cut.x ? weight > cut.x : number <= cut.y;
}

#endif
