// What holds of every pass that comes with Tuff, whatever it does.

#include "passes/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
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

/// A pass with a number in one of its parameters, put there as C++ does: unchecked.
class PokedPass {
  public:
    explicit PokedPass(const detail::PassDescription& description)
        : description_(description), pass_(description.type().make(), description.type().destroy) {}
    void poke(std::size_t parameter, double number) {
        const auto& field = description_.fields()[parameter];
        void* at = static_cast<std::byte*>(pass_.get()) + field.offset;
        switch (field.type.scalar) {
        case detail::Scalar::boolean: FAIL() << "has no range";
        case detail::Scalar::int8: return store<std::int8_t>(at, number);
        case detail::Scalar::int16: return store<std::int16_t>(at, number);
        case detail::Scalar::int32: return store<std::int32_t>(at, number);
        case detail::Scalar::int64: return store<std::int64_t>(at, number);
        case detail::Scalar::uint8: return store<std::uint8_t>(at, number);
        case detail::Scalar::uint16: return store<std::uint16_t>(at, number);
        case detail::Scalar::uint32: return store<std::uint32_t>(at, number);
        case detail::Scalar::uint64: return store<std::uint64_t>(at, number);
        case detail::Scalar::float32: return store<float>(at, number);
        case detail::Scalar::float64: return store<double>(at, number);
        }
    }
    /// What adding it says, but for inputs, which are not connected.
    Diagnostics mistakes() {
        Graph graph;
        description_.build(graph, pass_.get());
        Diagnostics all = graph.peek().diagnostics;
        std::erase_if(all, [](const Diagnostic& d) { return d.code == "graph/unconnected"; });
        EXPECT_TRUE(graph.peek().nodes.empty()) << "it is built all the same";
        return all;
    }

  private:
    template <typename Number>
    static void store(void* at, double number) {
        const auto typed = static_cast<Number>(number);
        std::memcpy(at, &typed, sizeof(typed));
    }

    const detail::PassDescription& description_;
    std::unique_ptr<void, void (*)(void*)> pass_;
};

/// Values just outside the range of a parameter, of those that its type can hold.
std::vector<double> values_outside(const ParameterInfo& info, const detail::FieldType& type) {
    std::vector<double> outside;
    if (info.integral) {
        const bool is_signed = type.scalar <= detail::Scalar::int64;
        const bool narrow =
            type.scalar == detail::Scalar::int32 || type.scalar == detail::Scalar::uint32;
        const double least = !is_signed ? 0.0 : narrow ? -2147483648.0 : -9.0e15;
        const double most = !narrow ? 9.0e15 : is_signed ? 2147483647.0 : 4294967295.0;
        if (info.low > least) outside.push_back(info.low - 1.0);
        if (info.high < most) outside.push_back(info.high + 1.0);
        return outside;
    }
    constexpr float kFar = std::numeric_limits<float>::infinity();
    outside = {std::nan(""), static_cast<double>(kFar), -static_cast<double>(kFar)};
    const auto next = [&](double end, float towards, bool excluded) {
        const auto near = static_cast<float>(end);
        outside.push_back(static_cast<double>(excluded ? near : std::nextafter(near, towards)));
    };
    if (std::isfinite(info.low)) next(info.low, -kFar, info.excludes_low);
    if (std::isfinite(info.high)) next(info.high, kFar, info.excludes_high);
    return outside;
}

bool has_numbers(const ParameterInfo& info) {
    return info.kind == ParameterKind::integer || info.kind == ParameterKind::real ||
           info.kind == ParameterKind::vector;
}

TEST(RegisteredPasses, RefuseValuesBeyondTheirRangesFromCppAsFromConfigs) {
    const PassRegistry registry = passes::make_registry();
    std::size_t tried = 0;
    for (const PassDescriptor& pass : registry.all())
        for (std::size_t p = 0; p < pass.parameters.size(); ++p) {
            const ParameterInfo& info = pass.parameters[p];
            if (!has_numbers(info)) continue;
            const detail::FieldType& type = pass.description->fields()[p].type;
            for (const double value : values_outside(info, type)) {
                SCOPED_TRACE(pass.name + " " + info.name + " " + std::to_string(value));
                ParameterValue written = value;
                if (info.kind == ParameterKind::vector)
                    written = std::vector<double>(info.components, value);
                const auto set = pass.make()->set_parameter(p, written);
                ASSERT_FALSE(set.has_value());
                EXPECT_EQ(set.error()[0].code, "pass/out-of-range");

                PokedPass poked(*pass.description);
                poked.poke(p, value);
                const Diagnostics mistakes = poked.mistakes();
                ASSERT_EQ(mistakes.size(), 1u);
                EXPECT_EQ(mistakes[0].code, "pass/out-of-range");
                EXPECT_THAT(mistakes[0].message, testing::HasSubstr("\"" + info.name + "\""));
                ++tried;
            }
        }
    EXPECT_GT(tried, 1000u);
}

TEST(RegisteredPasses, RefuseChoicesThatAreNone) {
    const PassRegistry registry = passes::make_registry();
    for (const PassDescriptor& pass : registry.all())
        for (std::size_t p = 0; p < pass.parameters.size(); ++p) {
            if (pass.parameters[p].kind != ParameterKind::choice) continue;
            SCOPED_TRACE(pass.name + " " + pass.parameters[p].name);
            PokedPass poked(*pass.description);
            poked.poke(p, static_cast<double>(pass.parameters[p].choices.size()));
            const Diagnostics mistakes = poked.mistakes();
            ASSERT_EQ(mistakes.size(), 1u);
            EXPECT_EQ(mistakes[0].code, "pass/unknown-choice");
        }
}

TEST(RegisteredPasses, AreMadeWithDefaultsThatTheyTake) {
    const PassRegistry registry = passes::make_registry();
    for (const PassDescriptor& pass : registry.all()) {
        const std::unique_ptr<PassInstance> made = pass.make();
        for (std::size_t p = 0; p < pass.parameters.size(); ++p)
            EXPECT_TRUE(made->set_parameter(p, pass.parameters[p].default_value).has_value())
                << pass.name << " " << pass.parameters[p].name;
    }
}

TEST(RegisteredPasses, AskForShapesOfImagesOnly) {
    const PassRegistry registry = passes::make_registry();
    for (const PassDescriptor& pass : registry.all())
        for (const PortInfo& port : pass.inputs)
            EXPECT_TRUE(port.shape == PortShape::any || port.type == "Image")
                << pass.name << " " << port.name;
}

} // namespace
} // namespace tuff
