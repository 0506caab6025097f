#pragma once

#include <tuff/pass.hpp>

#include <json/value.h>

#include <span>

namespace tuff::schema {

/// A node: a pass, another config or a kernel of its own. Chooses by pass name, so that an editor
/// completes and checks the ports and parameters of that pass alone.
Json::Value any_node_schema(const PassRegistry& registry,
                            std::span<const PassDescriptor* const> kernels);

} // namespace tuff::schema
