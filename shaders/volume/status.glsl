// What a picture of media says of itself: `VolumeStatus` of passes/volume/media.hpp, member by member.
buffer Status {
    uint dropped_spheres;
    uint list_overflows;
    uint fragments_needed;
    uint pixels_without_room;
    uint odd_pixels;
    uint tile_entries_needed;
    uint tiles_without_room;
    uint longest_list;
    uint most_inside;
    uint fewest_inside;
} status;
