#version 460
// The codes of the blocks, one after the other. An invocation writes those of a block; the words at its
// ends belong to others, too.

layout(local_size_x = 64) in;

uniform Params {
    uint blocks;
    uint room; // words
} params;

buffer Stream { uint words[]; } stream;

#include "shape.glsl"
#include "codes.glsl"
#include "block_codes.glsl"
#include "bit_position.glsl"
#include "invocation.glsl"

// A pen of which the first and the last word are shared with others.
struct Pen {
    uint word;
    uint bits;
    uint filled; // bits of the word that come before
    bool shares; // the word
};

void write_word(Pen pen) {
    if (pen.word >= params.room) return;
    if (pen.shares) atomicOr(stream.words[pen.word], pen.bits);
    else stream.words[pen.word] = pen.bits;
}

// Writes the low `length` bits of `bits`, 1 to 31.
void put(inout Pen pen, uint bits, uint length) {
    uint room = 32u - pen.filled;
    if (length < room) {
        pen.bits |= bits << (room - length);
        pen.filled += length;
        return;
    }
    uint over = length - room;
    pen.bits |= bits >> over;
    write_word(pen);
    pen.word += 1u;
    pen.bits = over == 0u ? 0u : bits << (32u - over);
    pen.filled = over;
    pen.shares = false;
}

// The code of a symbol, then `size` bits that tell the value.
void put_value(inout Pen pen, uint code, int value, uint size) {
    put(pen, (code & 0xffffu) << size | amplitude(value, size), (code >> 16) + size);
}

// Whether the block is the last before a restart marker or the end.
bool ends_segment(uint block) {
    uint next = block + 1u;
    return next == params.blocks || (restart != 0u && next % (restart * kUnitBlocks) == 0u);
}

void main() {
    uint block = invocation_index();
    if (block >= params.blocks) return;
    uint position = bit_position(block);
    Pen pen = Pen(position / 32u, 0u, position % 32u, true);

    int difference = first_difference(block);
    uint size_of_first = category(difference);
    put_value(pen, codes.words[dc_table(is_chroma(block)) + size_of_first], difference, size_of_first);
    uint table = ac_table(is_chroma(block));
    uvec2 left = masks.words[block];
    uint before = 0u;
    while ((left.x | left.y) != 0u) {
        uint number = take_next(left);
        uint zeros = number - before - 1u;
        for (; zeros >= 16u; zeros -= 16u) put_value(pen, codes.words[table + kSixteenZeros], 0, 0u);
        int value = coefficient(block, number);
        uint size = category(value);
        put_value(pen, codes.words[table + (zeros << 4 | size)], value, size);
        before = number;
    }
    if (before != 63u) put_value(pen, codes.words[table + kEndOfBlock], 0, 0u);
    if (ends_segment(block) && pen.filled % 8u != 0u) {
        uint rest = 8u - pen.filled % 8u;
        put(pen, (1u << rest) - 1u, rest);
    }
    pen.shares = true;
    if (pen.filled != 0u) write_word(pen);
}
