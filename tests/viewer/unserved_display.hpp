#pragma once

#include <string>

namespace tuff::test {

/// The name of an X display that no server answers for, as in DISPLAY: ":500".
std::string unserved_display();

} // namespace tuff::test
