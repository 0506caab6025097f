#pragma once

#include "config/read/config_file.hpp"

namespace tuff {

/// The section "domain". Reports what is wrong with it.
ConfigDomain read_domain(const SourceFile& source, const Json::Value& json, Problems& problems);

} // namespace tuff
