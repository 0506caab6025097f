#pragma once

#include "tests/oracle/oracle.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tuff::oracle {

/// A piece of an image or buffer that every access and barrier covers entirely or not at all.
struct Part {
    std::uint32_t object = 0;
    Range range;                        ///< concrete
    std::vector<std::uint32_t> sharing; ///< parts of other objects on the same bytes
    std::vector<std::uint32_t> covered; ///< those of them that have no byte outside this part
};

/// One Vulkan image or buffer. A history has several, which its ages use in turn; transient
/// resources may have one in common.
struct Object {
    ResourceId resource; ///< the one, any age of the history, or the first to have it
    std::uint32_t first_part = 0;
    std::uint32_t part_count = 0;
};

/// All memory a plan touches, cut into parts.
class Parts {
  public:
    /// The ranges of the plan must lie within their resources.
    Parts(const Plan& plan, const Settings& settings);

    const std::vector<Part>& all() const { return parts_; }
    const std::vector<Object>& objects() const { return objects_; }
    /// The object that stands for `resource` in the given execution, the first being 0.
    std::uint32_t object_of(ResourceId resource, std::uint32_t execution) const;
    /// The parts of an object inside `range`.
    std::vector<std::uint32_t> inside(std::uint32_t object, const Range& range) const;
    std::vector<std::uint32_t> of(std::uint32_t object) const;
    /// "'tmp' mips 1..2 layers 0..1", the last of each excluded.
    std::string name(std::uint32_t part) const;
    /// Likewise, by the name of one of those that have the object in common.
    std::string name(std::uint32_t part, ResourceId resource) const;

  private:
    void cut(ResourceId resource, std::span<const Range> uses, std::uint32_t copies);
    void find_sharing(const Settings& settings);

    const Plan& plan_;
    std::vector<Part> parts_;
    std::vector<Object> objects_;
    std::vector<std::uint32_t> first_object_; ///< per resource; all ages of a history agree
};

/// Whether two concrete ranges of one resource meet, and whether one lies inside the other.
bool ranges_meet(const Range& a, const Range& b);
bool lies_inside(const Range& inner, const Range& outer);
Range all_of(const ResourceDesc& resource);

/// Whose image or buffer a transient resource is: `Allocation::object`, or itself.
ResourceId object_holder(const Plan& plan, ResourceId resource);

} // namespace tuff::oracle
