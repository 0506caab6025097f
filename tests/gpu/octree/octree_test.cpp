#include "tests/gpu/octree/octree_test.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace tuff::testing_gpu {

std::string OctreeTest::difference(const HostNodes& got, const HostNodes& expected, int tolerance) {
    for (const auto& [key, node] : expected) {
        const auto own = got.find(key);
        if (own == got.end()) return fmt::format("node {:o} is missing", key);
        const bool alike = own->second.has_children == node.has_children &&
                           own->second.was_hit == node.was_hit &&
                           own->second.value >> 24 == node.value >> 24;
        bool near = true;
        for (int i = 0; i < 24; i += 8)
            near = near && std::abs(int(own->second.value >> i & 0xff) -
                                    int(node.value >> i & 0xff)) <= tolerance;
        if (!alike || !near)
            return fmt::format("node {:o}: children {}, hit {}, value {:08x}; expected {}, {}, "
                               "{:08x}",
                               key, own->second.has_children, own->second.was_hit,
                               own->second.value, node.has_children, node.was_hit, node.value);
    }
    for (const auto& [key, node] : got)
        if (!expected.contains(key)) return fmt::format("node {:o} is too many", key);
    return {};
}

} // namespace tuff::testing_gpu
