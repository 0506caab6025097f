#include "config_toys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tuff {
namespace {

struct ErrorCase {
    std::string_view name;
    std::string_view text;
    std::string_view code;
    int line;
    int column;
    std::string_view word; ///< of the message or the hint
};

void PrintTo(const ErrorCase& c, std::ostream* out) {
    *out << c.name;
}

class ConfigError : public testing::TestWithParam<ErrorCase> {};

TEST_P(ConfigError, IsReportedAtItsPlace) {
    const ErrorCase& c = GetParam();
    const PassRegistry registry = toys::make_registry();
    const Result<Config> config = Config::parse(c.text, "test.json", registry);
    ASSERT_FALSE(config.has_value());
    const auto found =
        std::ranges::find_if(config.error(), [&](const Diagnostic& d) { return d.code == c.code; });
    ASSERT_NE(found, config.error().end()) << to_string(config.error());
    EXPECT_EQ(found->severity, Severity::error);
    EXPECT_EQ(found->where.file, "test.json");
    EXPECT_EQ(found->where.line, c.line) << to_string(*found);
    EXPECT_EQ(found->where.column, c.column) << to_string(*found);
    EXPECT_TRUE((found->message + found->hint).contains(c.word)) << to_string(*found);
    EXPECT_FALSE(found->message.ends_with('.'));
    EXPECT_EQ(config.error().size(), 1u) << to_string(config.error());
}

constexpr ErrorCase kErrors[] = {
    {"Empty", "", "config/syntax", 1, 1, "empty"},
    {"BlankOnly", " \n\t ", "config/syntax", 1, 1, "empty"},
    {"Truncated", "{\"tuff\": 1,\n \"nodes\": {", "config/syntax", 2, 12, "too early"},
    {"NotJson", "{\"tuff\" 1}", "config/syntax", 1, 9, "':'"},
    {"TrailingText", "{\"tuff\": 1, \"outputs\": {}} x", "config/syntax", 1, 28, "Extra"},
    {"TwoCommas", "{\"tuff\": 1,, \"outputs\": {}}", "config/syntax", 1, 12, "member name"},
    {"DuplicateKey", "{\"tuff\": 1,\n \"tuff\": 1}", "config/duplicate-key", 2, 2, "twice"},
    {"NotUtf8", "{\"tuff\": 1,\n \"description\": \"\xff\"}", "config/not-utf8", 2, 18, "UTF-8"},
    {"OverlongUtf8", "\"\xc0\xaf\"", "config/not-utf8", 1, 2, "UTF-8"},
    {"RootIsAList", "[1]", "config/wrong-type", 1, 1, "object"},
    {"MissingVersion", R"({"outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/missing-version", 1, 1, "\"tuff\": 1"},
    {"UnsupportedVersion", R"({"tuff": 2, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/unsupported-version", 1, 10, "1"},
    {"NoOutputs", R"({"tuff": 1, "nodes": {"s": {"pass": "toy/source"}}})", "config/no-outputs", 1,
     1, "outputs"},
    {"EmptyOutputs", R"({"tuff": 1, "outputs": {}})", "config/no-outputs", 1, 24, "empty"},
    {"UnknownKey", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "node": {},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/unknown-key", 2, 2, "\"nodes\""},
    {"UnknownKeyInNode", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source", "parms": {}}}})",
     "config/unknown-key", 2, 40, "\"params\""},
    {"SectionOfWrongType", R"({"tuff": 1, "outputs": {"o": "s.result"}, "params": [],
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/wrong-type", 1, 53, "object"},
    {"BadName", R"({"tuff": 1, "outputs": {"o": "s.result"}, "params": {},
 "nodes": {"s": {"pass": "toy/source"}, "a.b": {"pass": "toy/source"}}})",
     "config/bad-name", 2, 41, "letters"},
    {"BuiltInName", R"({"tuff": 1, "outputs": {"o": "s.result"}, "params": {"time": 1},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/bad-name", 1, 54, "built-in"},
    {"SizeZero", R"({"tuff": 1, "size": [0, 10], "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/bad-size", 1, 22, "16384"},
    {"SizeTooLarge", R"({"tuff": 1, "size": [10, 16385], "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/bad-size", 1, 26, "16384"},
    {"SizeOfThree", R"({"tuff": 1, "size": [1, 2, 3], "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/wrong-type", 1, 21, "2 numbers"},
    {"NodeWithoutPass", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source"}, "t": {}}})",
     "config/bad-node", 2, 41, "use"},
    {"UnknownPass", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/sorce"}}})",
     "config/unknown-pass", 2, 26, "toy/source"},
    {"UnknownOutputPort", R"({"tuff": 1, "outputs": {"o": "s.resutl"},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/unknown-port", 1, 30, "\"result\""},
    {"WireWithoutPort", R"({"tuff": 1, "outputs": {"o": "s"},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/unknown-port", 1, 30, "which output"},
    {"UnknownInputPort", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": "s.result", "sorce": "s.result"}}}})",
     "config/unknown-port", 3, 58, "\"source\""},
    {"MissingInput", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"b": {"pass": "toy/blur"}}})",
     "config/missing-input", 2, 12, "source"},
    {"UnknownWire", R"({"tuff": 1, "outputs": {"o": "sauce.result"},
 "nodes": {"source": {"pass": "toy/source"}}})",
     "config/unknown-wire", 1, 30, "source"},
    {"WireIsANumber", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"b": {"pass": "toy/blur", "in": {"source": 3}}}})",
     "config/wrong-type", 2, 55, "node.port"},
    {"ListForOneWire", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": ["s.result"]}}}})",
     "config/not-a-list", 3, 36, "one wire"},
    {"WrongPortType", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"g": {"pass": "toy/grid"},
  "b": {"pass": "toy/blur", "in": {"source": "g.grid"}}}})",
     "config/wrong-port-type", 3, 46, "Grid"},
    {"OutputIsABundle", R"({"tuff": 1, "outputs": {"o": "g.grid"},
 "nodes": {"g": {"pass": "toy/grid"}}})",
     "config/wrong-port-type", 1, 30, "member"},
    {"UnknownParameter", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {"sigmo": 1}}}})",
     "config/unknown-parameter", 3, 70, "\"sigma\""},
    {"UnknownNestedParameter", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": "s.result"},
   "params": {"camera": {"positoin": [1, 2, 3]}}}}})",
     "config/unknown-parameter", 4, 26, "camera.position"},
    {"ParameterGivenTwice", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": "s.result"},
   "params": {"camera": {"angle": 9},
    "camera.angle": 10}}}})",
     "config/duplicate-key", 5, 5, "twice"},
    {"ParameterOutOfRange", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {"sigma": 65}}}})",
     "pass/out-of-range", 3, 79, "0 to 64 texels"},
    {"ParameterOfWrongType", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {"sigma": "big"}}}})",
     "pass/wrong-type", 3, 79, "a number"},
    {"FractionForAWholeNumber", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {"radius": 1.5}}}})",
     "pass/wrong-type", 3, 80, "whole"},
    {"UnknownChoice", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"},
  "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {"mode": "sort"}}}})",
     "pass/unknown-choice", 3, 78, "\"soft\""},
    {"VectorTooShort", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source", "params": {"size": [4]}}}})",
     "pass/wrong-type", 2, 59, "2 numbers"},
    {"RaggedList", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"}, "b": {"pass": "toy/blur", "in": {"source": "s.result"},
  "params": {"weights": [[1, 2], [3]]}}}})",
     "config/ragged-list", 3, 34, "length"},
    {"NullValue", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source", "params": {"size": null}}}})",
     "config/wrong-type", 2, 59, "null"},
    {"HugeInteger", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source", "params": {"size": [18446744073709551615, 1]}}}})",
     "config/not-a-number", 2, 60, "large"},
    {"UnknownReference", R"({"tuff": 1, "params": {"width_": 4}, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source", "params": {"size": ["$widht", 1]}}}})",
     "config/unknown-parameter", 2, 60, "$width"},
    {"ReferenceOfWrongType", R"({"tuff": 1, "params": {"p": "x"}, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source", "params": {"size": ["$p", 1]}}}})",
     "config/wrong-type", 2, 60, "numbers"},
    {"TextAmongNumbers", R"({"tuff": 1, "outputs": {"o": "b.result"}, "nodes": {"s": {"pass":
 "toy/source"}, "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {"names":
 [1, "two"]}}}})",
     "config/wrong-type", 3, 6, "text among numbers"},
    {"NumbersForTexts", R"({"tuff": 1, "outputs": {"o": "b.result"}, "nodes": {"s": {"pass":
 "toy/source"}, "b": {"pass": "toy/blur", "in": {"source": "s.result"}, "params": {"names":
 [1, 2]}}}})",
     "pass/wrong-type", 3, 2, "list of texts"},
    {"ParameterOutsideItsOwnRange", R"({"tuff": 1,
 "params": {"p": {"default": 11, "range": [0, 10]}}, "outputs": {"o": "s.result"},
 "nodes": {"s": {"pass": "toy/source", "params": {"size": [4, 4]}}}})",
     "config/out-of-range", 2, 30, "0 to 10"},
    {"KeyframesOutOfOrder", R"({"tuff": 1, "params": {"p": {"keys": [[0, 1], [2, 3],
 [1, 4]]}}, "outputs": {"o": "s.result"}, "nodes": {"s": {"pass": "toy/source"}}})",
     "config/bad-keys", 2, 3, "increase"},
    {"KeyframesEmpty", R"({"tuff": 1, "params": {"p": {"keys": []}},
 "outputs": {"o": "s.result"}, "nodes": {"s": {"pass": "toy/source"}}})",
     "config/bad-keys", 1, 38, "at least one"},
    {"KeyframesOfDifferentLength", R"({"tuff": 1, "params": {"p": {"keys": [[0, [1, 2]],
 [1, [1, 2, 3]]]}}, "outputs": {"o": "s.result"}, "nodes": {"s": {"pass": "toy/source"}}})",
     "config/wrong-type", 2, 6, "3 numbers"},
    {"KeyframeLeavesTheRange", R"({"tuff": 1, "outputs": {"o": "b.result"},
 "nodes": {"s": {"pass": "toy/source"}, "b": {"pass": "toy/blur", "in": {"source": "s.result"},
  "params": {"sigma": {"keys": [[0, 1], [5, 65]]}}}}})",
     "pass/out-of-range", 3, 23, "65"},
    {"Cycle", R"({"tuff": 1, "outputs": {"o": "a.result"},
 "nodes": {"a": {"pass": "toy/blur", "in": {"source": "c.result"}},
  "b": {"pass": "toy/blur", "in": {"source": "a.result"}},
  "c": {"pass": "toy/blur", "in": {"source": "b.result"}}}})",
     "config/cycle", 2, 55, "a -> b -> c -> a"},
    {"SelfCycle", R"({"tuff": 1, "outputs": {"o": "a.result"},
 "nodes": {"a": {"pass": "toy/blur", "in": {"source": "a.result"}}}})",
     "config/cycle", 2, 55, "a -> a"},
    {"AssetOfTwoKinds", R"({"tuff": 1, "assets": {"a": {"image": "x.png", "volume": "y.npy"}},
 "outputs": {"o": "a"}})",
     "config/bad-asset", 1, 29, "exactly one"},
    {"UnknownGenerator", R"({"tuff": 1, "assets": {"a": {"generate": "nose"}},
 "outputs": {"o": "a"}})",
     "config/unknown-generator", 1, 42, "noise"},
    {"GeneratedFormat", R"({"tuff": 1, "assets": {"a": {"generate": "noise",
 "format": "r8_unorm"}}, "outputs": {"o": "a"}})",
     "config/bad-format", 2, 12, "rgba8_unorm"},
    {"KeyOfAnotherGenerator", R"({"tuff": 1, "assets": {"a": {"generate": "noise", "cell": 3}},
 "outputs": {"o": "a"}})",
     "config/unknown-key", 1, 51, "cell"},
    {"HistoryWithoutSource", R"({"tuff": 1,
 "history": {"h": {"format": "rgba8_unorm", "size": [8, 8]}}, "outputs": {"o": "h"}})",
     "config/missing-key", 2, 19, "from"},
    {"HistoryFormat", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "history": {"h": {"from": "s.result", "format": "rgba8", "size": [8, 8]}},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/bad-format", 2, 50, "rgba8"},
    {"HistorySize", R"({"tuff": 1, "outputs": {"o": "s.result"},
 "history": {"h": {"from": "s.result", "format": "rgba8_unorm", "size": [8, 0]}},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/bad-size", 2, 73, "16384"},
    {"HistoryOfABundle", R"({"tuff": 1, "outputs": {"o": "h"},
 "history": {"h": {"from": "g.grid", "format": "rgba8_unorm", "size": [8, 8]}},
 "nodes": {"g": {"pass": "toy/grid"}}})",
     "config/wrong-port-type", 2, 28, "Grid"},
    {"OutputWithoutSource", R"({"tuff": 1, "outputs": {"o": {"file": "a.png"}}})",
     "config/missing-key", 1, 30, "from"},
    {"OutputToNowhere", R"({"tuff": 1, "outputs": {"o": {"from": "s.result", "file": ""}},
 "nodes": {"s": {"pass": "toy/source"}}})",
     "config/bad-file", 1, 59, "no file"},
    {"TwoOutputsOneFile", R"({"tuff": 1, "outputs": {"o": {"from": "s.result", "file": "a.png"},
 "p": {"from": "s.result", "file": "./a.png"}}, "nodes": {"s": {"pass": "toy/source"}}})",
     "config/duplicate-file", 2, 36, "same file"},
    {"MissingUsedFile", R"({"tuff": 1, "outputs": {"o": "u.x"},
 "nodes": {"u": {"use": "no-such-file.json"}}})",
     "config/not-found", 2, 25, "no-such-file"},
};

INSTANTIATE_TEST_SUITE_P(Table, ConfigError, testing::ValuesIn(kErrors),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace tuff
