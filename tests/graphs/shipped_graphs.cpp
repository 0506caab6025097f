#include "shipped_graphs.hpp"

#include <algorithm>

namespace tuff::testing_gpu {

const std::vector<Shipped>& shipped_graphs() {
    static const std::vector<Shipped> kAll = {
        Shipped{"demo", {{"width", "320"}, {"height", "180"}}},
        Shipped{"filters", {{"width", "160"}, {"height", "90"}}},
        Shipped{"mandelbrot", {{"width", "320"}, {"height", "180"}}},
        Shipped{"vector-shapes", {{"width", "252"}, {"height", "63"}}},
        Shipped{"voronoi", {{"width", "320"}, {"height", "180"}, {"sites", "60"}}},
        Shipped{"depth_of_field", {{"width", "320"}, {"height", "180"}}},
        Shipped{.name = "translucency",
                .settings = {{"width", "320"},
                             {"height", "180"},
                             {"radius", "4"},
                             {"bumps", "6"},
                             {"cell", "12"}},
                .false_report = "plastic/summed_area_table/image_mean/means"},
        Shipped{"dynamic",
                {{"width", "128"}, {"height", "72"}, {"seconds", "0.6"}, {"bounces", "2"}}},
        Shipped{"raytrace",
                {{"width", "128"}, {"height", "72"}, {"samples", "4"}, {"bounces", "3"}}},
        Shipped{"oit", {{"width", "320"}, {"height", "180"}}},
        Shipped{"tonemap_hdr", {{"cell", "200"}}},
        Shipped{"smoke", {{"width", "192"}, {"height", "108"}, {"balls", "400"}}},
        Shipped{.name = "jet",
                .settings = {{"width", "128"},
                             {"height", "64"},
                             {"dims", "[64, 32, 1]"},
                             {"steps", "10"},
                             {"gain", "3"},
                             {"first", "[7, 4, 0]"},
                             {"second", "[7, 8, 0]"},
                             {"third", "[7, 12, 0]"},
                             {"fourth", "[7, 16, 0]"},
                             {"fifth", "[7, 20, 0]"},
                             {"sixth", "[7, 24, 0]"},
                             {"seventh", "[7, 28, 0]"},
                             {"radius", "1.6"},
                             {"wind", "[0.45, 0, 0]"}},
                .executions = 16},
        Shipped{.name = "smoke3d",
                .settings = {{"width", "128"},
                             {"height", "72"},
                             {"dims", "[40, 20, 20]"},
                             {"first", "[2, 3, 10]"},
                             {"second", "[2, 5, 10]"},
                             {"third", "[2, 7, 10]"},
                             {"fourth", "[2, 9, 10]"},
                             {"fifth", "[2, 12, 10]"},
                             {"sixth", "[2, 14, 10]"},
                             {"seventh", "[2, 16, 10]"},
                             {"radius", "1.3"},
                             {"wind", "[4, 0, 0]"},
                             {"extinction", "2"},
                             {"cycles", "3"}},
                .executions = 4},
        // The pictures are the same, but the validation layer of 1.3.239 reports a transition into
        // memory where, three tenants earlier, an image just like it was written: it wants that
        // write named though barriers since have made it available.
        Shipped{"voxels",
                {{"width", "120"}, {"height", "90"}, {"dims", "[40, 40, 40]"}},
                "order=declared"},
        // Its nodes are those of "voxels", which is tried in all modes. Devices draw other voxels
        // of twigs: they are smaller than texels.
        Shipped{.name = "voxel_tree",
                .settings = {{"width", "160"}, {"height", "96"}, {"dims", "[400, 200, 200]"}},
                .in_all_modes = false},
        Shipped{"particles",
                {{"width", "320"},
                 {"height", "180"},
                 {"count", "700"},
                 {"steps", "30"},
                 {"step", "0.012"}}},
        // Some have died by then, and few have met, which would carry devices apart. Its steps are
        // many: the particles' own tests try all modes on fewer.
        Shipped{.name = "fountain",
                .settings = {{"width", "320"},
                             {"height", "180"},
                             {"radius", "0.016"},
                             {"rate", "350"},
                             {"life", "0.85"},
                             {"brightest", "1"},
                             {"steps", "110"},
                             {"step", "0.0078125"}},
                .in_all_modes = false},
        // Its hierarchies take software devices too long to be built in every mode.
        Shipped{.name = "heat_maps",
                .settings = {{"width", "128"}, {"height", "96"}},
                .in_all_modes = false},
        Shipped{.name = "arcade",
                .settings = {{"width", "96"}, {"height", "54"}},
                .in_all_modes = false},
        // Thirty times all glass.
        Shipped{.name = "transparency",
                .settings = {{"width", "80"}, {"height", "55"}, {"samples", "4"}},
                .in_all_modes = false},
        // It begins with eight million texels twice.
        Shipped{.name = "poisson-clone",
                .settings = {{"width", "204"}, {"part", "61"}, {"offset", "[119, 0]"}},
                .in_all_modes = false,
                .needs = "backgrounds/free_by_Peter_Nerlich.jpg"},
        Shipped{.name = "poisson-plot",
                .settings = {{"width", "160"},
                             {"height", "100"},
                             {"cells", "6400"},
                             {"size_of", "[80, 80, 1]"},
                             {"looks", "6"}},
                .in_all_modes = false},
        Shipped{.name = "poisson-errors",
                .settings = {{"side", "32"},
                             {"cells", "1024"},
                             {"size_of", "[32, 32, 1]"},
                             {"spacing", "[0.03125, 0.03125, 1]"},
                             {"late", "8"},
                             {"cell", "48"},
                             {"chart_width", "240"},
                             {"chart_height", "160"}},
                .in_all_modes = false},
        // Paper is no picture to the test of all modes.
        Shipped{.name = "taylor-green",
                .settings = {{"width", "160"},
                             {"height", "100"},
                             {"side", "32"},
                             {"numbers", "4096"},
                             {"kept", "12"}},
                .executions = 12,
                .in_all_modes = false}};
    return kAll;
}

const Shipped& shipped_graph(std::string_view name) {
    return *std::ranges::find(shipped_graphs(), name, &Shipped::name);
}

} // namespace tuff::testing_gpu
