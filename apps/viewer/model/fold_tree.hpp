#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Long lists of names such as "clone/smooth/row", folded by what stands before the slashes.
namespace tuff::viewer {

/// A line of a folded list: a group of items, or an item.
struct FoldRow {
    std::string path;        ///< "clone/smooth"; unique among groups
    std::string label;       ///< "smooth"; of groups with one group inside "smooth/row"
    std::uint32_t depth = 0; ///< 0: not inside any group
    bool group = false;
    std::vector<std::size_t> items; ///< of what was folded: those of the group, or the one
};

/// Items in groups, in the order in which the groups begin.
class FoldTree {
  public:
    /// `names` by item. Where a group would hold one item, the item stands for itself.
    explicit FoldTree(std::span<const std::string> names);

    /// The rows, of which those inside closed groups are left out. `open`: the paths of groups
    /// that are open.
    /// `weights`, by item: what weighs most comes first, within its group; none: the order of the
    /// names.
    std::vector<FoldRow> rows(const std::set<std::string, std::less<>>& open,
                              std::span<const double> weights = {}) const;
    /// All groups, those inside groups among them.
    std::vector<std::string> groups() const;

  private:
    struct Group {
        std::string path, label;
        std::vector<std::size_t> items; ///< all below it
        std::vector<std::size_t> parts; ///< in their order: group index * 2, or item index * 2 + 1
    };
    std::size_t find_or_add(std::size_t parent, std::string_view part);
    struct Wanted {
        const std::set<std::string, std::less<>>& open;
        std::span<const double> weights;
    };
    std::vector<std::size_t> sorted_parts(const Group& group,
                                          std::span<const double> weights) const;
    void add_rows(std::size_t group, std::uint32_t depth, const Wanted& wanted,
                  std::vector<FoldRow>& rows) const;

    std::vector<std::string> names_;
    std::vector<Group> groups_; ///< the first holds all
};

/// What a name is called inside a group of that path: "clone/row" inside "clone" is "row".
std::string_view name_inside(std::string_view name, std::string_view path);

/// A name of at most `most` characters, its middle left out: both ends say something. UTF-8 stays
/// whole.
std::string cut_in_the_middle(std::string_view name, std::size_t most);

} // namespace tuff::viewer
