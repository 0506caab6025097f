#include "passes/bvh/sah_tree.hpp"

#include "passes/bvh/bvh.hpp"

#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace tuff::passes {
namespace {

struct SahBox {
    glm::dvec3 low{std::numeric_limits<double>::infinity()};
    glm::dvec3 high{-std::numeric_limits<double>::infinity()};

    void grow(const SahItem& item) {
        low = glm::min(low, item.low);
        high = glm::max(high, item.high);
    }
    /// Half of the surface.
    double area() const {
        const glm::dvec3 size = high - low;
        return size.x * size.y + size.y * size.z + size.z * size.x;
    }
};

/// Where a node parts: its first `left` items along `axis` are the left child's.
struct SahSplit {
    std::size_t axis = 0;
    std::uint32_t left = 0;
    double cost = std::numeric_limits<double>::infinity();
};

/// Levels that n leaves need at least.
std::uint32_t levels_of(std::uint32_t leaves) {
    return static_cast<std::uint32_t>(std::bit_width(leaves - 1u)) + 1;
}

/// Items are sorted along each axis once; a split keeps the order of both sides along all three.
class SahSweep {
  public:
    explicit SahSweep(std::span<const SahItem> items)
        : items_(items), areas_(items.size()), is_left_(items.size()), moved_(items.size()) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::vector<std::uint32_t>& along = along_[axis];
            along.resize(items.size());
            std::iota(along.begin(), along.end(), 0u);
            const auto middle = [&](std::uint32_t i) {
                const auto component = static_cast<glm::length_t>(axis);
                return items[i].low[component] + items[i].high[component];
            };
            std::ranges::stable_sort(along, std::less<>(), middle);
        }
        tree_.nodes.resize(items.empty() ? 0 : items.size() - 1);
        tree_.order.resize(items.size());
        tree_.leaf_parents.resize(items.size());
    }

    SahTree run() && {
        const auto count = static_cast<std::uint32_t>(items_.size());
        tree_.root =
            count == 0 ? BvhStatus::kNoNode : make(0, count, BvhStatus::kNoNode, kMaxBinaryLevels);
        return std::move(tree_);
    }

  private:
    /// Makes the subtree of the items [first, end), of at most `levels`; returns its reference.
    std::uint32_t make(std::uint32_t first, std::uint32_t end, std::uint32_t parent,
                       std::uint32_t levels) {
        const std::uint32_t count = end - first;
        if (count == 1) {
            tree_.order[first] = items_[along_[0][first]].triangle;
            tree_.leaf_parents[first] = parent;
            return first | BvhStatus::kLeafBit;
        }
        SahSplit split = best(first, end);
        if (levels_of(std::max(split.left, count - split.left)) > levels - 1)
            split.left = count / 2;
        part(first, end, split);
        const std::uint32_t middle = first + split.left;
        const std::uint32_t node = middle - 1;
        const std::uint32_t left = make(first, middle, node, levels - 1);
        const std::uint32_t right = make(middle, end, node, levels - 1);
        tree_.nodes[node] = {.left = left, .right = right, .parent = parent, .leaves = count};
        return node;
    }

    /// Of splits that cost the same, the one next to the middle.
    SahSplit best(std::uint32_t first, std::uint32_t end) {
        const std::uint32_t count = end - first;
        const auto off_middle = [count](std::uint32_t left) {
            return std::abs(std::int64_t{2} * left - std::int64_t{count});
        };
        SahSplit chosen{.left = count / 2};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::vector<std::uint32_t>& along = along_[axis];
            SahBox right;
            for (std::uint32_t left = count; left-- > 1;) {
                right.grow(items_[along[first + left]]);
                areas_[left] = right.area();
            }
            SahBox box;
            for (std::uint32_t left = 1; left < count; ++left) {
                box.grow(items_[along[first + left - 1]]);
                const double cost = box.area() * left + areas_[left] * (count - left);
                if (cost < chosen.cost ||
                    (cost == chosen.cost && off_middle(left) < off_middle(chosen.left)))
                    chosen = {.axis = axis, .left = left, .cost = cost};
            }
        }
        return chosen;
    }

    void part(std::uint32_t first, std::uint32_t end, const SahSplit& split) {
        for (std::uint32_t i = first; i < end; ++i)
            is_left_[along_[split.axis][i]] = i < first + split.left;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (axis == split.axis) continue;
            std::vector<std::uint32_t>& along = along_[axis];
            std::uint32_t to = first;
            std::uint32_t right = 0;
            for (std::uint32_t i = first; i < end; ++i)
                if (is_left_[along[i]])
                    along[to++] = along[i];
                else
                    moved_[right++] = along[i];
            std::copy_n(moved_.begin(), right, along.begin() + to);
        }
    }

    std::span<const SahItem> items_;
    std::array<std::vector<std::uint32_t>, 3> along_;
    std::vector<double> areas_; ///< of what is right of each split of a node
    std::vector<char> is_left_;
    std::vector<std::uint32_t> moved_;
    SahTree tree_;
};

} // namespace

SahTree sah_tree(std::span<const SahItem> items) {
    return SahSweep(items).run();
}

} // namespace tuff::passes
