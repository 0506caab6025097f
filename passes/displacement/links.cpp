#include "passes/displacement/links.hpp"

#include <array>

namespace tuff::passes {

std::vector<std::uint32_t> quad_tree_links(std::uint32_t finest) {
    std::vector<std::uint32_t> links(quad_tree_nodes(finest), kNoLink << 16 | kNoLink);
    for (std::uint32_t level = 0; level < finest; ++level) {
        const std::uint32_t first = level == 0 ? 0 : quad_tree_nodes(level - 1);
        const std::uint32_t below = quad_tree_nodes(level);
        const std::uint32_t side = 1u << level;
        for (std::uint32_t k = 0; k < side * side; ++k) {
            const std::uint32_t node = first + k;
            const std::uint32_t corner = below + 2 * (k / side) * 2 * side + 2 * (k % side);
            const std::array children{corner, corner + 1, corner + 2 * side, corner + 2 * side + 1};
            links[node] = (links[node] & 0xffff0000u) | children[0];
            for (std::size_t i = 0; i < 4; ++i) {
                // After the last child comes what comes after this node.
                const std::uint32_t next = i < 3 ? children[i + 1] : links[node] >> 16;
                links[children[i]] = next << 16 | kNoLink;
            }
        }
    }
    return links;
}

} // namespace tuff::passes
