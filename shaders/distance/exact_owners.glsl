#ifndef DISTANCE_EXACT_OWNERS
#define DISTANCE_EXACT_OWNERS
// Which place of a line of up to 1,024 is nearest to each of its texels: its owner.
//
// Owners come in the order of the texels. So a texel between two whose owners are known need only
// look at the places between these owners. Every 256th texel looks at all places; then, four times,
// the three texels that divide what lies between two known ones look at the places there. A round
// looks at each place about three times, wherever the owners are.
//
// The kernel has kLines, kBands, line() and band(), where the invocation has 16 places, and
// height_at(place), at most 1023^2, or 1449^2, which is more than 2 * 1023^2, where there is no site.

const int kPlaces = kWordPlaces * kBands;
const int kFirstSpacing = 256;
// Squares of distances, shifted, with the place below them: the least one is the nearest place, the
// first of several.
const int kPlaceBits = 10;
const uint kNoOwner = 1u << (21 + kPlaceBits); // from here on there is none

// Intervals of as few places, or fewer, are for one invocation. Others have the ends of a band, so
// that a band meets two at most.
const int kNarrow = kWordPlaces - 2;

const int kLinePitch = kPlaces + 32 / kLines; // other banks for the lines of a texel
shared uint best[kLines * kLinePitch];        // of those that the texel has looked at

// Texels 4, 16 or 64 apart are in other banks.
int place_of_best(int line, int texel) {
    return line * kLinePitch + (texel ^ (texel >> 5 & 31));
}
int owner_of(int texel) {
    return int(best[place_of_best(line(), texel)]) & (kPlaces - 1);
}
// Before a barrier and find_owners().
void clear_owners() {
    for (int i = int(gl_LocalInvocationIndex); i < kLines * kLinePitch; i += kLines * kBands)
        best[i] = 0xffffffffu;
}

// The places of an invocation's band as their squares grow along a line: texel y, which is `away`
// from the band's first place, is height + (i - away)^2 from place i, and this less away^2 is linear
// in `away`. kBias keeps it positive, kNowhereNear is above all.
struct Band {
    uint squares[kWordPlaces];
};
const uint kBias = 1u << 25; // above 2 * 15 * 1023 * 2^10
const uint kNowhereNear = 0xfd000000u;

Band read_band() {
    Band own;
    [[unroll]] for (int i = 0; i < kWordPlaces; ++i)
        own.squares[i] =
            (uint(height_at(band() * kWordPlaces + i) + i * i) << kPlaceBits) + uint(i) + kBias;
    return own;
}
// What place i has for the texel.
uint square_of(Band own, int i, int away) {
    return own.squares[i] + uint(-(2 << kPlaceBits) * away * i);
}
uint whole_square(uint least, int away, int begin) {
    return least + (uint(away * away) << kPlaceBits) + uint(begin) - kBias;
}

// Not only where it is less than what is there, and not one of a subgroup for all: both took longer.
void offer(int texel, uint square) {
    atomicMin(best[place_of_best(line(), texel)], square);
}

void find_first_owners(Band own) {
    [[unroll]] for (int texel = 0; texel < kPlaces; texel += kFirstSpacing) {
        int away = texel - band() * kWordPlaces;
        uint least = kNowhereNear;
        [[unroll]] for (int i = 0; i < kWordPlaces; ++i)
            least = min(least, square_of(own, i, away));
        offer(texel, whole_square(least, away, band() * kWordPlaces));
    }
}

// Between two texels that have their owners: these.
struct Interval {
    int number;
    int first;
    int last;
};

// The last of the parts of an interval that begin at `place` or before it; the first part where
// none does.
Interval part_at(Interval whole, int place, int spacing, int parts) {
    Interval part = Interval(whole.number * parts, whole.first, whole.last);
    [[unroll]] for (int i = 1; i < parts; ++i) {
        int owner = owner_of((whole.number * parts + i) * spacing);
        if (owner <= place) {
            part.first = owner;
            part.number = whole.number * parts + i;
        } else {
            part.last = min(part.last, owner);
        }
    }
    return part;
}

// Where many places are between, bands that have some of them look at all of theirs for the three
// texels: places that are not between are not the nearest ones. look_at_few() has the last place.
void look_at_band(Band own, Interval between, int spacing) {
    if (between.last - between.first <= kNarrow) return;
    int begin = band() * kWordPlaces;
    if (begin + kWordPlaces <= between.first || begin >= between.last) return;
    int texel = between.number * spacing;
    ivec3 away = texel + spacing / 4 * ivec3(1, 2, 3) - begin;
    uvec3 least = uvec3(kNowhereNear);
    [[unroll]] for (int i = 0; i < kWordPlaces; ++i)
        least = min(least, own.squares[i] + uvec3(-(2 << kPlaceBits) * i * away));
    [[unroll]] for (int i = 0; i < 3; ++i)
        offer(texel + spacing / 4 * (i + 1), whole_square(least[i], away[i], begin));
}

// Where few are, an invocation looks at all of them.
void look_at_few(int spacing) {
    for (int texel = band() * spacing; texel < kPlaces; texel += kBands * spacing) {
        int place = owner_of(texel);
        int last = texel + spacing < kPlaces ? owner_of(texel + spacing) : kPlaces - 1;
        if (last - place > kNarrow) place = last;
        ivec3 texels = texel + spacing / 4 * ivec3(1, 2, 3);
        ivec3 away = texels - place;
        uvec3 least = uvec3(kNowhereNear);
        for (int i = 0; i <= last - place; ++i) { // as of a band that begins here
            uint square = (uint(height_at(place + i) + i * i) << kPlaceBits) + uint(i) + kBias;
            least = min(least, square + uvec3(-(2 << kPlaceBits) * i * away));
        }
        [[unroll]] for (int i = 0; i < 3; ++i)
            offer(texels[i], whole_square(least[i], away[i], place));
    }
}

void find_owners() {
    Band own = read_band();
    find_first_owners(own);
    barrier();
    int begin = band() * kWordPlaces;
    int end = begin + kWordPlaces - 1;
    Interval all = Interval(0, owner_of(0), kPlaces - 1);
    Interval left = part_at(all, begin, kFirstSpacing, kPlaces / kFirstSpacing);
    Interval right = part_at(all, end, kFirstSpacing, kPlaces / kFirstSpacing);
    for (int spacing = kFirstSpacing;;) {
        look_at_band(own, left, spacing);
        if (right.number != left.number) look_at_band(own, right, spacing);
        look_at_few(spacing);
        barrier();
        spacing /= 4;
        if (spacing == 1) break;
        left = part_at(left, begin, spacing, 4);
        right = part_at(right, end, spacing, 4);
    }
}

#endif
