// What holds of every pass that comes with Tuff, whatever it does.

#include "passes/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace tuff {
namespace {

namespace fs = std::filesystem;

/// The names that headers below passes/ give their structs.
std::set<std::string> declared_names() {
    std::set<std::string> names;
    const std::regex declaration(R"re(kName\s*=\s*"([^"]+)")re");
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(TUFF_TEST_SOURCE_DIR) / "passes")) {
        if (entry.path().extension() != ".hpp") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        for (std::sregex_iterator i(text.begin(), text.end(), declaration), end; i != end; ++i)
            names.insert((*i)[1]);
    }
    return names;
}

TEST(RegisteredPasses, AreAllThatTheHeadersDeclare) {
    EXPECT_THAT(passes::make_registry().names(),
                testing::UnorderedElementsAreArray(declared_names()))
        << "add the pass to passes/registry.cpp";
}

TEST(RegisteredPasses, DescribeThemselvesAndEverythingTheyTakeAndGive) {
    const PassRegistry registry = passes::make_registry();
    for (const PassDescriptor& pass : registry.all()) {
        SCOPED_TRACE(pass.name);
        EXPECT_FALSE(pass.summary.empty());
        EXPECT_FALSE(pass.summary.ends_with('.')) << "pages add the full stop";
        EXPECT_FALSE(pass.complexity.empty());
        EXPECT_FALSE(pass.outputs.empty());
        for (const PortInfo& port : pass.inputs)
            EXPECT_FALSE(port.doc.empty()) << "input " << port.name;
        for (const PortInfo& port : pass.outputs)
            EXPECT_FALSE(port.doc.empty()) << "output " << port.name;
        for (const ParameterInfo& parameter : pass.parameters)
            EXPECT_FALSE(parameter.doc.empty()) << "parameter " << parameter.name;
    }
}

} // namespace
} // namespace tuff
