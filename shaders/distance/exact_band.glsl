#ifndef DISTANCE_EXACT_BAND
#define DISTANCE_EXACT_BAND
// The hull of a word's places. The kernel has height_in(at), start_of(word), where the heights of a
// word's places begin, and row_step(), from one to the next; has_near_sites(): products stay below
// 2^31; line_length(); and first_place(),
// the first of the places that the words count from.

// The places of a word that are below the lines between their neighbours, one to four places away:
// few others are left to take off one by one. `places`: of the line, from the word on.
uint convex_places(int start, int places) {
    const uint none = uint(kNoHeight);
    uint found = 0u;
    uint heights[kWordPlaces];
    [[unroll]] for (int i = 0; i < kWordPlaces; ++i)
        heights[i] = i < places ? uint(height_in(start + i * row_step())) : none;
    [[unroll]] for (int i = 0; i < kWordPlaces; ++i) {
        uint twice = 2u * heights[i];
        uint thrice = 3u * heights[i];
        bool below = heights[i] < none;
        if (i >= 1 && i + 1 < kWordPlaces)
            below = below && heights[i - 1] + heights[i + 1] + 2u > twice;
        if (i >= 2 && i + 2 < kWordPlaces)
            below = below && heights[i - 2] + heights[i + 2] + 8u > twice;
        if (i >= 1 && i + 2 < kWordPlaces)
            below = below && 2u * heights[i - 1] + heights[i + 2] + 6u > thrice;
        if (i >= 2 && i + 1 < kWordPlaces)
            below = below && heights[i - 2] + 2u * heights[i + 1] + 6u > thrice;
        if (i >= 4 && i + 4 < kWordPlaces)
            below = below && heights[i - 4] + heights[i + 4] + 32u > twice;
        found |= below ? 1u << i : 0u;
    }
    return found;
}

// A step adds a place or takes one off, so that neighbours that do one or the other keep together.
uint hull_of_word(int word) {
    int start = start_of(word);
    uint left = convex_places(start, line_length() - first_place() - word * kWordPlaces);
    uint bits = 0u;
    // Counted from the word's first place: lines through points stay what they are.
    ivec2 below = ivec2(0);
    ivec2 top = ivec2(0);
    int s = max(findLSB(left), 0);
    ivec2 added = ivec2(s, height_in(start + s * row_step()) + s * s);
    while (left != 0u) {
        uint rest = bits & ~(1u << top.x); // without the top
        bool hides = rest != 0u && (has_near_sites() ? is_hidden_near(below, top, added)
                                                     : is_hidden(below, top, added));
        if (hides) {
            bits = rest;
            top = below;
            s = findMSB(rest & ~(1u << top.x));
        } else {
            bits |= 1u << added.x;
            below = top;
            top = added;
            left &= left - 1u;
            s = findLSB(left);
        }
        s = max(s, 0);
        ivec2 read = ivec2(s, height_in(start + s * row_step()) + s * s);
        if (hides) below = read;
        else added = read;
    }
    return bits;
}

#endif
