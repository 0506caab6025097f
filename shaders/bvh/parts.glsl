// Of the hierarchies that are joined, three quads each: low corner and root; high corner and first
// leaf; number of leaves and three unused words.
const uint kPartQuads = 3u;
