// What kernels print by debugPrintfEXT.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPrinting = R"json({"tuff": 1, "nodes": {"k": {"glsl": [
    "#extension GL_EXT_debug_printf : enable",
    "layout(local_size_x = 4) in;",
    "writeonly buffer List { uint list[]; } numbers;",
    "uniform Params { uint frame; } params;",
    "void main() {",
    "    uint i = gl_GlobalInvocationID.x;",
    "    if (i >= numbers.list.length()) return;",
    "    numbers.list[i] = i;",
    "    if (i % 3u == 2u) debugPrintfEXT(\"frame %u: %u, %v2f\", params.frame, i, vec2(i, 0.5));",
    "}"], "out": {"numbers": {"length": 9}}, "params": {"frame": "=$frame"}}},
    "outputs": {"o": {"from": "k.numbers", "file": "o.csv"}}})json";

class Prints : public testing::Test {
  protected:
    Prints() { folder.write("print.json", kPrinting); }
    WorkFolder folder;
};

TEST_F(Prints, AreLinesOfStandardError) {
    const CommandResult result =
        run_tuff({"run", "print.json", "--printf", "--frames", "2"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    for (const char* line : {"frame 0: 2, 2.0", "frame 0: 5, 5.0", "frame 0: 8, 8.0",
                             "frame 1: 2, 2.0", "frame 1: 8, 8.0"})
        EXPECT_THAT(result.errors, HasSubstr(line));
    EXPECT_THAT(result.errors, AllOf(Not(HasSubstr("frame 0: 3")), Not(HasSubstr("MessageID"))));
    EXPECT_THAT(result.output, AllOf(HasSubstr("wrote o.csv"), Not(HasSubstr("frame 0"))));
    EXPECT_EQ(folder.read("o.csv").find("8") != std::string::npos, true);
}

TEST_F(Prints, AreNoMessagesOfValidation) {
    const CommandResult result =
        run_tuff({"run", "print.json", "--printf", "--validation"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("frame 0: 5"));
}

TEST_F(Prints, AreSilentUnlessAskedFor) {
    const CommandResult result = run_tuff({"run", "print.json"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors + result.output, Not(HasSubstr("frame 0")));
}

} // namespace
} // namespace tuff::test
