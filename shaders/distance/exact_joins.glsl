#ifndef DISTANCE_EXACT_JOINS
#define DISTANCE_EXACT_JOINS
// Hulls that lie side by side become one. The kernel has hulls in words, one bit a corner, and says
// how to reach those of the own line: corners(word), set_corners(word, bits), point(place).

// The last corner in the words from `low` up to, but without, `end`; -1 where there is none.
int last_in(int low, int end) {
    int word = end - 1;
    uint bits = word >= low ? corners(word) : 0u;
    while (bits == 0u && word > low) {
        word -= 1;
        bits = corners(word);
    }
    return bits == 0u ? -1 : last_of(word, bits);
}
// The first one of them.
int first_in(int low, int end) {
    int word = low;
    uint bits = word < end ? corners(word) : 0u;
    while (bits == 0u && word < end - 1) {
        word += 1;
        bits = corners(word);
    }
    return bits == 0u ? -1 : first_of(word, bits);
}

// Takes corners off the end of the hull in words `low` up to that of `last` that are hidden from
// `target`, a corner behind them, and returns the last one that stays. Along a hull those that are
// hidden are all at its end, so a word whose first corner goes is gone whole: a join takes at
// most as many steps as there are words, and 32.
int retreat(int last, ivec2 target, int low) {
    bool whole = true;
    while (whole) {
        int word = last >> 5;
        int before = last_in(low, word);
        whole = before >= 0 &&
                is_hidden(point(before), point(first_of(word, corners(word))), target);
        if (whole) {
            set_corners(word, 0u);
            last = before;
        }
    }
    int word = last >> 5;
    uint bits = corners(word);
    ivec2 top = point(last);
    bool popping = true;
    while (popping && (bits & (bits - 1u)) != 0u) {
        uint rest = bits ^ (1u << findMSB(bits));
        ivec2 below = point(last_of(word, rest));
        popping = is_hidden(below, top, target);
        if (popping) {
            bits = rest;
            top = below;
        }
    }
    set_corners(word, bits);
    return top.x;
}

// The same at the beginning of the hull that ends before word `end`.
int advance(int first, ivec2 target, int end) {
    bool whole = true;
    while (whole) {
        int word = first >> 5;
        int after = first_in(word + 1, end);
        whole =
            after >= 0 && is_hidden(target, point(last_of(word, corners(word))), point(after));
        if (whole) {
            set_corners(word, 0u);
            first = after;
        }
    }
    int word = first >> 5;
    uint bits = corners(word);
    ivec2 top = point(first);
    bool popping = true;
    while (popping && (bits & (bits - 1u)) != 0u) {
        uint rest = bits & (bits - 1u);
        ivec2 behind = point(first_of(word, rest));
        popping = is_hidden(target, top, behind);
        if (popping) {
            bits = rest;
            top = behind;
        }
    }
    set_corners(word, bits);
    return top.x;
}

// Makes one hull of those in words low to middle and middle to end.
void join(int low, int middle, int end) {
    int left = last_in(low, middle);
    int right = first_in(middle, end);
    bool moves = left >= 0 && right >= 0;
    while (moves) {
        left = retreat(left, point(right), low);
        int head = advance(right, point(left), end);
        moves = head != right; // else `left` has been looked at from here
        right = head;
    }
}

#endif
