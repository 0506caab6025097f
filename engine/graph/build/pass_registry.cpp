#include <tuff/pass.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tuff {
namespace {

template <typename Entry>
std::optional<std::size_t> find_by_name(const std::vector<Entry>& entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    if (found == entries.end()) return std::nullopt;
    return static_cast<std::size_t>(found - entries.begin());
}

} // namespace

std::optional<std::size_t> PassDescriptor::find_input(std::string_view port) const {
    return find_by_name(inputs, port);
}
std::optional<std::size_t> PassDescriptor::find_output(std::string_view port) const {
    return find_by_name(outputs, port);
}
std::optional<std::size_t> PassDescriptor::find_parameter(std::string_view parameter) const {
    return find_by_name(parameters, parameter);
}

void PassRegistry::add(PassDescriptor descriptor) {
    const auto position =
        std::ranges::lower_bound(passes_, descriptor.name, {}, &PassDescriptor::name);
    const bool taken = position != passes_.end() && position->name == descriptor.name;
    assert(!taken && "two passes share a name");
    if (taken)
        *position = std::move(descriptor);
    else
        passes_.insert(position, std::move(descriptor));
}

const PassDescriptor* PassRegistry::find(std::string_view name) const {
    const auto position = std::ranges::lower_bound(passes_, name, {}, &PassDescriptor::name);
    return position != passes_.end() && position->name == name ? &*position : nullptr;
}

std::vector<std::string> PassRegistry::names() const {
    std::vector<std::string> result;
    for (const PassDescriptor& pass : passes_)
        result.push_back(pass.name);
    return result;
}

} // namespace tuff
