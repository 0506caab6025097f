// Prints tests/gpu/octree/octomap_numbers.inc: the same frames by OctoMap (Debian's liboctomap-dev).
// No part of the build:
//
//   g++ -O2 octomap_numbers.cc -loctomap -loctomath -o numbers && ./numbers > octomap_numbers.inc

#include "octomap_frames.hpp"

#include <octomap/OcTree.h>

#include <cmath>
#include <cstdio>

int main() {
    using namespace tuff::testing_gpu;
    octomap::OcTree tree(0.125);
    const double step = std::log(0.55 / 0.45); // of the log-odds, for a hit and for a miss
    tree.setProbHit(0.55);
    tree.setProbMiss(0.45);
    const auto probability = [](double odds) { return 1.0 - 1.0 / (1.0 + std::exp(odds)); };
    tree.setClampingThresMax(probability(64.0 * step));
    tree.setClampingThresMin(probability(-63.5 * step));
    const auto at = [](const FramePoint& p) { return octomap::point3d(p[0], p[1], p[2]); };
    for (unsigned frame = 0; frame < kOctomapFrames; ++frame)
        for (const FramePoint& point : octomap_frame(frame)) {
            if (tree.search(at(point)) == nullptr) tree.updateNode(at(point), true);
        }
    for (unsigned frame = 0; frame < kOctomapFrames; ++frame) {
        octomap::Pointcloud cloud;
        for (const FramePoint& point : octomap_frame(frame))
            cloud.push_back(at(point));
        tree.insertPointCloud(cloud, at(kOctomapEye));
    }
    std::printf("// By octomap_numbers.cc: cells x | y << 4 | z << 8, and hits less misses, plus 128, above bit 16.\n");
    int printed = 0;
    for (unsigned z = 0; z < 16; ++z)
        for (unsigned y = 0; y < 16; ++y)
            for (unsigned x = 0; x < 16; ++x) {
                const octomap::OcTreeNode* node = tree.search(
                    (x - 7.5) * 0.125, (y - 7.5) * 0.125, (z - 7.5) * 0.125);
                if (node == nullptr) continue;
                const int count = int(std::lround(2.0 * double(node->getLogOdds()) / step));
                std::printf("0x%x,%s", x | y << 4 | z << 8 | unsigned(count + 128) << 16,
                            ++printed % 8 == 0 ? "\n" : " ");
            }
    std::printf("\n");
}
