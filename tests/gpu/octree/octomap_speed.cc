// How long OctoMap (Debian's liboctomap-dev) takes for the frames of the case "frame and carving" of octree/fuse: a
// frame of the same points, into leaves of 2 cm, again and again. No part of the build:
//
//   g++ -O2 -std=c++20 -I../../.. octomap_speed.cc -loctomap -loctomath -o speed && ./speed 262144
//
// Prints milliseconds a frame: the first, which makes the nodes, and the median of those after it, as `tuff bench`
// measures; of the process's processor time, which other programs do not count in, and on the clock.

#include "passes/octree/bench_room.hpp"

#include <octomap/OcTree.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

int main(int count, char** arguments) {
    using namespace tuff::bench;
    const glm::uvec2 size = frame_size(count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 262144);
    octomap::Pointcloud cloud;
    for (std::uint64_t i = 0; i < std::uint64_t{size.x} * size.y; ++i) {
        const glm::vec3 way = direction_of(size, i, 1.1f);
        const glm::vec3 point = kDepthCamera + distance_along(way) * way;
        cloud.push_back(point.x, point.y, point.z);
    }
    octomap::OcTree tree(0.02);
    std::vector<double> processor;
    std::vector<double> clock;
    for (int frame = 0; frame < 12; ++frame) {
        const std::clock_t began = std::clock();
        const auto begin = std::chrono::steady_clock::now();
        tree.insertPointCloud(cloud, {kDepthCamera.x, kDepthCamera.y, kDepthCamera.z});
        processor.push_back(1e3 * double(std::clock() - began) / CLOCKS_PER_SEC);
        clock.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::printf("%zu points, %zu nodes; first frame %.1f ms (clock %.1f)", cloud.size(), tree.size(), processor[0],
                clock[0]);
    std::sort(processor.begin() + 1, processor.end());
    std::sort(clock.begin() + 1, clock.end());
    std::printf(", later ones %.1f ms (clock: median %.1f, least %.1f)\n", processor[6], clock[6], clock[1]);
}
