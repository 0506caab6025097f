// Words of the status: `VolumeStatus` of passes/volume/media.hpp.
const uint kDroppedSpheres = 0u;
const uint kListOverflows = 1u;
const uint kFragmentsNeeded = 2u;
const uint kPixelsWithoutRoom = 3u;
const uint kOddPixels = 4u;
const uint kTileEntriesNeeded = 5u;
const uint kTilesWithoutRoom = 6u;
const uint kLongestList = 7u;
const uint kMostInside = 8u;
