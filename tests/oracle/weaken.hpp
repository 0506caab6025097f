#pragma once

#include <tuff/plan.hpp>

#include <string>
#include <vector>

/// Plans with one thing taken away, to see whether the oracle notices.
namespace tuff::oracle {

enum class Weakening : std::uint8_t {
    no_image_barrier,
    no_memory_barrier,
    source_stage, ///< one stage fewer, and so on
    source_memory,
    destination_stage,
    destination_memory,
    wrong_layout, ///< a barrier leads to another layout
    moved_memory, ///< an allocation moves onto one that is alive at the same time
    no_wait,      ///< a submission does not wait for another
    no_release,
    no_acquisition,
    no_host_barrier, ///< between the device and the host
};

struct WeakPlan {
    Weakening kind;
    std::string text; ///< what was taken away, and why it was there
    std::string sort; ///< the same without names, so that it can be counted
    Plan plan;
};

/// Every way of making `plan` weaker. Changes that Vulkan defines to mean the same, such as a stage
/// less where a later one implies it, are left out.
std::vector<WeakPlan> weaken(const Plan& plan);

} // namespace tuff::oracle
