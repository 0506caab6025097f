#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace tuff::test {

/// Whether the same run of CTest tests `device`, and this process tests another one.
inline bool leaves_to(std::string_view device) {
    const auto variable = [](const char* name) {
        const char* text = std::getenv(name);
        return std::string_view(text ? text : "");
    };
    return variable("TUFF_TEST_DEVICES").contains(device) && variable("TUFF_DEVICE") != device;
}

} // namespace tuff::test

/// At the head of a test whose subject is our algorithm, not what a device makes of it: of the
/// software devices only `device`, on which it is cheaper, runs it. tests/README.md.
#define TUFF_ONLY_ON(device)                                                                       \
    if (tuff::test::leaves_to(#device)) GTEST_SKIP() << "tested on " #device " alone"
