#ifndef DISTANCE_EXACT_JOINS
#define DISTANCE_EXACT_JOINS
// Hulls that lie side by side become one. The kernel has hulls in words, one bit a corner, and says
// how to reach those of the own line: corners(word), set_corners(word, bits), filled_words(block),
// which of 32 words have corners, and point(place).

// The last corner in the words from `low` up to, but without, `end`; -1 where there is none.
int last_in(int low, int end) {
    if (end <= low) return -1;
    int block = (end - 1) >> 5;
    uint words = filled_words(block) & (0xffffffffu >> (31 - ((end - 1) & 31)));
    while (words == 0u && block > low >> 5) {
        block -= 1;
        words = filled_words(block);
    }
    int word = words == 0u ? -1 : block * 32 + findMSB(words);
    return word < low ? -1 : last_of(word, corners(word));
}
// The first one of them.
int first_in(int low, int end) {
    if (end <= low) return -1;
    int block = low >> 5;
    uint words = filled_words(block) & (0xffffffffu << (low & 31));
    while (words == 0u && block < (end - 1) >> 5) {
        block += 1;
        words = filled_words(block);
    }
    int word = words == 0u ? end : block * 32 + findLSB(words);
    return word >= end ? -1 : first_of(word, corners(word));
}
// The corner before s in the words from `low` on, and the one behind it before `end`.
int corner_before(int s, int low) {
    uint bits = corners(word_of(s)) & bits_below(s);
    return bits != 0u ? last_of(word_of(s), bits) : last_in(low, word_of(s));
}
int corner_behind(int s, int end) {
    uint bits = corners(word_of(s)) & bits_above(s);
    return bits != 0u ? first_of(word_of(s), bits) : first_in(word_of(s) + 1, end);
}

// Where a word's first corner is hidden by the words before it, so are all of its others: the last
// corner that remains after words have gone whole.
int without_last_words(int last, ivec2 seen, int low) {
    bool whole = true;
    while (whole) {
        int word = word_of(last);
        int before = last_in(low, word);
        whole = before >= 0 && is_hidden(point(before), point(first_of(word, corners(word))), seen);
        if (whole) {
            set_corners(word, 0u);
            last = before;
        }
    }
    return last;
}
// The same at the beginning.
int without_first_words(int first, ivec2 seen, int end) {
    bool whole = true;
    while (whole) {
        int word = word_of(first);
        int behind = first_in(word + 1, end);
        whole =
            behind >= 0 && is_hidden(seen, point(last_of(word, corners(word))), point(behind));
        if (whole) {
            set_corners(word, 0u);
            first = behind;
        }
    }
    return first;
}

// Makes one hull of those in words low to middle and middle to end: takes corners off on either side
// that are hidden by their neighbours. Mostly few are; of many, whole words go. Both sides share
// their steps, since neighbours in a subgroup take corners off on either.
void join(int low, int middle, int end) {
    int left = last_in(low, middle);
    int right = first_in(middle, end);
    if (left < 0 || right < 0) return;
    int before = corner_before(left, low);
    int behind = corner_behind(right, end);
    ivec2 l = point(left);
    ivec2 r = point(right);
    ivec2 l_before = point(max(before, 0));
    ivec2 r_behind = point(max(behind, 0));
    for (int taken = 1;; ++taken) {
        bool from_left = before >= 0 && is_hidden(l_before, l, r);
        if (!from_left && (behind < 0 || !is_hidden(l, r, r_behind))) break;
        int gone = from_left ? l.x : r.x;
        set_corners(word_of(gone), corners(word_of(gone)) & ~(1u << bit_of(gone)));
        int last = from_left ? before : behind;
        if ((taken & 7) == 0)
            last = from_left ? without_last_words(last, r, low)
                             : without_first_words(last, l, end);
        // The corner on its other side.
        uint bits = corners(word_of(last));
        bits = from_left ? bits & bits_below(last) : bitfieldReverse(bits & bits_above(last));
        int bit = findMSB(bits);
        int next = last - bit_of(last) + (from_left ? bit : 31 - bit);
        if (bits == 0u)
            next = from_left ? last_in(low, word_of(last)) : first_in(word_of(last) + 1, end);
        ivec2 top = from_left ? l_before : r_behind;
        if (top.x != last) top = point(last);
        ivec2 read = point(max(next, 0));
        if (from_left) {
            l = top;
            before = next;
            l_before = read;
        } else {
            r = top;
            behind = next;
            r_behind = read;
        }
    }
}

#endif
