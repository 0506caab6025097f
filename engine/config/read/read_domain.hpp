#pragma once

#include "config/read/config_file.hpp"

namespace tuff {

/// The section "domain". Reports what is wrong with it.
ConfigDomain read_domain(const SourceFile& source, const Json::Value& json, Problems& problems);

class ObjectReader;

/// The member "part" of a history or an output, where it has one.
std::optional<PartDecl> read_part(const SourceFile& source, ObjectReader& entry,
                                  const std::string& what, Problems& problems);

} // namespace tuff
