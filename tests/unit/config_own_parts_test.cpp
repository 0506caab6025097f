// Nodes that work on a rank's part of a field and know nothing of ranks.

#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Stands for mpi/exchange: asks for the ranks, and returns an image of the same size.
struct Swap {
    static constexpr std::string_view kName = "toy/swap";
    Image source;
    Image result;
    static void describe(PassInfo<Swap>& info) {
        info.summary("Exchanges");
        info.input("source", &Swap::source, "a part");
        info.output("result", &Swap::result, "the same with its halo");
    }
    void build(Graph& graph) {
        if (graph.ranks().size() == 1) return;
        CustomNodeBuilder node = graph.custom("swap");
        node.read(source, Access::sampled, stage::kCompute);
        result = node.write(graph.image("swapped", graph.desc(source)), Access::storage_write,
                            stage::kCompute);
    }
};

/// Stands for a reduction: makes one number of an image.
struct Count {
    static constexpr std::string_view kName = "toy/count";
    Image source;
    Buffer result;
    static void describe(PassInfo<Count>& info) {
        info.summary("Counts");
        info.input("source", &Count::source, "what is counted");
        info.output("result", &Count::result, "the sum");
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("count");
        node.read(source, Access::sampled, stage::kCompute);
        result = node.write(graph.buffer("sum", {.size = 4, .stride = 4}), Access::storage_write,
                            stage::kCompute);
    }
};

/// Stands for mpi/all_reduce.
struct Total {
    static constexpr std::string_view kName = "toy/total";
    Buffer source;
    Buffer result;
    static void describe(PassInfo<Total>& info) {
        info.summary("Sums over ranks");
        info.input("source", &Total::source, "a number");
        info.output("result", &Total::result, "the sum over ranks");
    }
    void build(Graph& graph) {
        if (graph.ranks().size() == 1) return;
        CustomNodeBuilder node = graph.custom("total");
        node.read(source, Access::storage_read, stage::kCompute);
        result = node.write(graph.buffer("total", {.size = 4, .stride = 4}), Access::storage_write,
                            stage::kCompute);
    }
};

/// Divides an image by a number.
struct Divide {
    static constexpr std::string_view kName = "toy/divide";
    Image source;
    Buffer by;
    Image result;
    static void describe(PassInfo<Divide>& info) {
        info.summary("Divides");
        info.input("source", &Divide::source, "an image");
        info.input("by", &Divide::by, "a number");
        info.output("result", &Divide::result, "the quotient");
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("divide");
        node.read(source, Access::sampled, stage::kCompute);
        node.read(by, Access::storage_read, stage::kCompute);
        result = node.write(graph.image("quotient", graph.desc(source)), Access::storage_write,
                            stage::kCompute);
    }
};

/// Reads two images of one size.
struct Blend {
    static constexpr std::string_view kName = "toy/blend";
    Image a;
    Image b;
    Image result;
    static void describe(PassInfo<Blend>& info) {
        info.summary("Blends");
        info.input("a", &Blend::a, "an image");
        info.input("b", &Blend::b, "another");
        info.output("result", &Blend::result, "both");
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("blend");
        node.read(a, Access::sampled, stage::kCompute);
        node.read(b, Access::sampled, stage::kCompute);
        result = node.write(graph.image("blended", graph.desc(a)), Access::storage_write,
                            stage::kCompute);
    }
};

/// An array, and a bundle that holds it.
struct MakeArray {
    static constexpr std::string_view kName = "toy/array";
    int length = 1;
    Buffer result;
    toys::Grid bundle;
    static void describe(PassInfo<MakeArray>& info) {
        info.summary("An array");
        info.parameter("length", &MakeArray::length, "elements").structural();
        info.output("result", &MakeArray::result, "the array").elements<float>();
        info.output("bundle", &MakeArray::bundle, "the same in a bundle");
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("array");
        const auto bytes = static_cast<std::uint64_t>(length) * 4;
        result = node.write(graph.buffer("array", {.size = bytes, .stride = 4}),
                            Access::storage_write, stage::kCompute);
        bundle.cells = result;
    }
};

/// Reads either.
struct Scan {
    static constexpr std::string_view kName = "toy/scan";
    Buffer source;
    toys::Grid bundle;
    Buffer result;
    static void describe(PassInfo<Scan>& info) {
        info.summary("Scans");
        info.optional_input("source", &Scan::source, "an array");
        info.optional_input("bundle", &Scan::bundle, "a bundle");
        info.output("result", &Scan::result, "the sums");
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("scan");
        const Buffer read = source ? source : bundle.cells;
        node.read(read, Access::storage_read, stage::kCompute);
        result = node.write(graph.buffer("sums", graph.desc(read)), Access::storage_write,
                            stage::kCompute);
    }
};

/// Stands for a pass of that name: an image as an array.
struct NamedFromImage {
    static constexpr std::string_view kName = "fft/from_image";
    Image source;
    Buffer result;
    static void describe(PassInfo<NamedFromImage>& info) {
        info.summary("An image as an array");
        info.input("source", &NamedFromImage::source, "an image");
        info.output("result", &NamedFromImage::result, "its numbers").elements<float>();
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("from_image");
        node.read(source, Access::sampled, stage::kCompute);
        const Extent extent = graph.extent(source);
        const auto bytes = std::uint64_t{4} * extent.width * extent.height;
        result = node.write(graph.buffer("numbers", {.size = bytes, .stride = 4}),
                            Access::storage_write, stage::kCompute);
    }
};

constexpr std::array<std::string_view, 5> kOfTheWhole = {
    "filter/register", "image/bloom", "image/reinhard", "image/seamless_clone", "image/blur"};

/// Stands for such a filter (blur: where `sigma` is wide), or for one whose look is known.
template <std::size_t number>
struct NamedFilter {
    static constexpr std::string_view kName =
        number < kOfTheWhole.size() ? kOfTheWhole[number] : "image/median";
    Image source;
    int window = 3;
    float sigma = 8.0f;
    Image result;
    static void describe(PassInfo<NamedFilter>& info) {
        info.summary("Filters");
        info.input("source", &NamedFilter::source, "an image");
        info.parameter("window", &NamedFilter::window, "cells").structural();
        info.parameter("sigma", &NamedFilter::sigma, "texels").structural();
        info.output("result", &NamedFilter::result, "filtered");
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("filter");
        node.read(source, Access::sampled, stage::kCompute);
        result = node.write(graph.image("filtered", graph.desc(source)), Access::storage_write,
                            stage::kCompute);
    }
};

/// The domain has 9 x 7 cells, the first of 2 x 2 ranks 5 x 4 of them.
class OwnPartsOfConfigs : public testing::Test {
  protected:
    OwnPartsOfConfigs() {
        registry_.add<Swap>();
        registry_.add<Count>();
        registry_.add<Total>();
        registry_.add<Divide>();
        registry_.add<Blend>();
        registry_.add<MakeArray>();
        registry_.add<Scan>();
        registry_.add<NamedFromImage>();
        registry_.add<NamedFilter<0>>();
        registry_.add<NamedFilter<1>>();
        registry_.add<NamedFilter<2>>();
        registry_.add<NamedFilter<3>>();
        registry_.add<NamedFilter<4>>();
        registry_.add<NamedFilter<kOfTheWhole.size()>>();
    }

    static std::string source(std::string_view name, int halo) {
        return fmt::format(R"("{}": {{"pass": "toy/source",
            "params": {{"size": ["=$part_width + {}", "=$part_height + {}"]}}}},)",
                           name, 2 * halo, 2 * halo);
    }
    static std::string pass(std::string_view name, std::string_view pass, std::string_view inputs,
                            std::string_view more = "") {
        return fmt::format(R"("{}": {{"pass": "toy/{}", "in": {{{}}} {}}},)", name, pass, inputs,
                           more);
    }
    static std::string blur(std::string_view name, std::string_view from,
                            std::string_view more = "") {
        return pass(name, "blur", fmt::format(R"("source": "{}")", from), more);
    }

    /// "name: size" of the nodes that are found on the first of these ranks.
    std::vector<std::string> found(std::string nodes, std::string_view output,
                                   std::string_view sections = "",
                                   std::array<std::uint32_t, 3> grid = {2, 2, 1}) {
        nodes.pop_back(); // the last comma
        const auto config =
            Config::parse(fmt::format(R"({{"tuff": 1, "domain": {{"cells": {}}}, {} "nodes": {{{}}},
                            "outputs": {{"o": "{}"}}}})",
                                      cells_, sections, nodes, output),
                          folder_ / "test.json", registry_);
        if (!config) throw std::runtime_error(to_string(config.error()));
        Config divided = *config;
        if (auto set = divided.set_ranks({.grid = grid}); !set)
            throw std::runtime_error(to_string(set.error()));
        const auto built = divided.build(shaders_, assets_);
        if (!built) throw std::runtime_error(to_string(built.error()));
        warnings_ = built->graph.diagnostics;
        std::vector<std::string> names;
        for (const ConfiguredNode& node : built->nodes)
            if (!node.own_part.empty()) names.push_back(node.name + ": " + node.own_part);
        return names;
    }

    std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
    std::string cells_ = "[9, 7, 1]";
    Diagnostics warnings_; ///< of the last one
};

TEST_F(OwnPartsOfConfigs, AreReadByPassesThatKnowNoRanks) {
    EXPECT_THAT(found(source("s", 1) + blur("b", "s.result"), "b.result"), ElementsAre("b: 7x6"));
    EXPECT_THAT(found(source("s", 0) + blur("b", "s.result"), "b.result"), ElementsAre("b: 5x4"));
    // Along an axis that is not divided there may be no halo.
    const std::string flat = R"("s": {"pass": "toy/source", "params": {"size": [7, 7]}},)";
    EXPECT_THAT(found(flat + blur("b", "s.result"), "b.result", "", {2, 1, 1}),
                ElementsAre("b: 7x7"));
}

TEST_F(OwnPartsOfConfigs, AreNoOtherImages) {
    const auto of_size = [&](std::string_view size) {
        return found(
            fmt::format(R"("s": {{"pass": "toy/source", "params": {{"size": {}}}}},)", size) +
                blur("b", "s.result"),
            "b.result");
    };
    EXPECT_THAT(of_size("[9, 7]"), IsEmpty());  // the whole field
    EXPECT_THAT(of_size("[11, 9]"), IsEmpty()); // with a halo
    EXPECT_THAT(of_size("[7, 4]"), IsEmpty());  // another halo along each axis
    EXPECT_THAT(of_size("[6, 5]"), IsEmpty());  // none that is the same on both sides
    EXPECT_THAT(of_size("[3, 2]"), IsEmpty());
    EXPECT_THAT(of_size("[64, 32]"), IsEmpty());
}

TEST_F(OwnPartsOfConfigs, AreNoneOfOneRank) {
    EXPECT_THAT(found(source("s", 1) + blur("b", "s.result"), "b.result", "", {1, 1, 1}),
                IsEmpty());
}

TEST_F(OwnPartsOfConfigs, MayBeReadByWhatHasValuesOfTheDomain) {
    const auto with = [&](std::string_view more, std::string_view sections = "") {
        return found(source("s", 1) + blur("b", "s.result", more), "b.result", sections);
    };
    EXPECT_THAT(with(R"(, "params": {"sigma": "$part_width"})"), IsEmpty());
    EXPECT_THAT(with(R"(, "params": {"sigma": "=1 + 0*$rank"})"), IsEmpty());
    EXPECT_THAT(with(R"(, "params": {"weights": [1, "$cells_x"]})"), IsEmpty());
    EXPECT_THAT(with(R"(, "params": {"sigma": "$wide"})",
                     R"("params": {"cells": "$part_height", "wide": "=2*$cells"},)"),
                IsEmpty());
    EXPECT_THAT(with(R"(, "when": "=$rank == 0")"), IsEmpty());
    EXPECT_THAT(with(R"(, "params": {"sigma": "$rank"})", R"("params": {"rank": 3.5},)"),
                ElementsAre("b: 7x6"));
}

TEST_F(OwnPartsOfConfigs, AreFoundInUsedConfigsAndLoops) {
    std::ofstream(folder_ / "used.json")
        << R"({"tuff": 1, "inputs": {"field": "Image"}, "params": {"wide": 1.0},
        "nodes": {"b": {"pass": "toy/blur", "in": {"source": "field"}, "params": {"sigma": "$wide"}}},
        "outputs": {"field": "b.result"}})";
    const auto used = [&](std::string_view more) {
        return found(
            source("s", 1) +
                fmt::format(R"("u": {{"use": "used.json", "in": {{"field": "s.result"}} {}}},)",
                            more),
            "u.field");
    };
    EXPECT_THAT(used(""), ElementsAre("u/b: 7x6"));
    EXPECT_THAT(used(R"(, "params": {"wide": "$part_width"})"), IsEmpty());
    const std::string loop = R"(, "repeat": 2, "carry": {"field": "field"})";
    EXPECT_THAT(used(loop), ElementsAre("u[0]/b: 7x6", "u[1]/b: 7x6"));
    EXPECT_THAT(used(loop + R"(, "params": {"wide": "$part_width"})"), IsEmpty());
    const std::string own = R"(, "repeat": 2, "carry": {"source": "result"})";
    EXPECT_THAT(found(source("s", 1) + blur("b", "s.result", own), "b.result"),
                ElementsAre("b[0]: 7x6", "b[1]: 7x6"));
}

TEST_F(OwnPartsOfConfigs, AreFilteredWhereHalosAreExchanged) {
    const std::string swap = pass("x", "swap", R"("source": "s.result")");
    EXPECT_THAT(found(source("s", 1) + swap + blur("b", "x.result"), "b.result"), IsEmpty());
    // Inner cells, which are put together with those at the border.
    const std::string beside = source("s", 1) + swap + blur("b", "s.result");
    EXPECT_THAT(
        found(beside + pass("m", "blend", R"("a": "b.result", "b": "x.result")"), "m.result"),
        IsEmpty());
    EXPECT_THAT(found(beside + pass("m", "mix", R"("sources": ["b.result"])"), "m.result"),
                ElementsAre("b: 7x6", "m: 7x6"));
    // Before it.
    EXPECT_THAT(
        found(source("s", 1) + blur("b", "s.result") + pass("x", "swap", R"("source": "b.result")"),
              "x.result"),
        IsEmpty());
    // Without a halo there is nothing to exchange.
    EXPECT_THAT(found(source("s", 0) + swap + blur("b", "x.result"), "b.result"),
                ElementsAre("b: 5x4"));
}

TEST_F(OwnPartsOfConfigs, AreFilteredAfterAnExchangeOfTheFrameBefore) {
    const auto of = [&](std::string_view kept) {
        return found(source("s", 1) + pass("x", "swap", R"("source": "s.result")") +
                         source("other", 1) + blur("b", "past"),
                     "b.result",
                     fmt::format(R"("history": {{"past": {{"from": "{}", "format": "rgba32_sfloat",
                         "size": ["=$part_width + 2", "=$part_height + 2"]}}}},)",
                                 kept));
    };
    EXPECT_THAT(of("x.result"), IsEmpty());
    EXPECT_THAT(of("other.result"), ElementsAre("b: 7x6"));
}

TEST_F(OwnPartsOfConfigs, AreFilteredBeforeAnExchangeOfTheNextFrame) {
    const std::string history = R"("history": {"past": {"from": "b.result",
        "format": "rgba32_sfloat", "size": ["=$part_width + 2", "=$part_height + 2"]}},)";
    const std::string nodes = source("s", 1) + blur("b", "s.result");
    EXPECT_THAT(found(nodes + pass("x", "swap", R"("source": "past")"), "x.result", history),
                IsEmpty());
    EXPECT_THAT(found(nodes + pass("c", "count", R"("source": "past")"), "c.result", history),
                testing::UnorderedElementsAre("b: 7x6", "c: 7x6"));
}

TEST_F(OwnPartsOfConfigs, AreReducedForAllRanks) {
    const std::string count = pass("c", "count", R"("source": "s.result")");
    const std::string total = pass("t", "total", R"("source": "c.result")");
    EXPECT_THAT(found(source("s", 0) + count, "c.result"), ElementsAre("c: 5x4"));
    EXPECT_THAT(found(source("s", 0) + count + total, "t.result"), IsEmpty());
    // It counts cells of others.
    EXPECT_THAT(found(source("s", 1) + count + total, "t.result"), ElementsAre("c: 7x6"));
    EXPECT_THAT(found(source("s", 1) + pass("x", "swap", R"("source": "s.result")") +
                          pass("c", "count", R"("source": "x.result")"),
                      "c.result"),
                ElementsAre("c: 7x6"));
    const std::string divide = R"("source": "s.result", "by": ")";
    EXPECT_THAT(found(source("s", 0) + count + total + pass("d", "divide", divide + "t.result\""),
                      "d.result"),
                IsEmpty());
    EXPECT_THAT(found(source("s", 0) + count + total + pass("d", "divide", divide + "c.result\""),
                      "d.result"),
                ElementsAre("d: 5x4"));
}

TEST_F(OwnPartsOfConfigs, AreArraysAndMembersOfBundles) {
    const auto scanned = [&](int length, std::string_view port,
                             std::array<std::uint32_t, 3> grid = {2, 2, 1}) {
        return found(
            fmt::format(R"("a": {{"pass": "toy/array", "params": {{"length": {}}}}},)", length) +
                pass("s", "scan",
                     fmt::format(R"("{}": "a.{}")", port, port == "source" ? "result" : port)),
            "s.result", "", grid);
    };
    EXPECT_THAT(scanned(20, "source"), ElementsAre("s: 20 elements"));
    EXPECT_THAT(scanned(42, "source"), ElementsAre("s: 42 elements"));
    EXPECT_THAT(scanned(20, "bundle"), ElementsAre("s: 20 elements"));
    EXPECT_THAT(scanned(21, "source"), IsEmpty());
    EXPECT_THAT(scanned(63, "source"), IsEmpty());
    // One cell and one number are the same size.
    EXPECT_THAT(scanned(1, "source", {9, 7, 1}), IsEmpty());
}

TEST_F(OwnPartsOfConfigs, AreArraysOfExchangedImages) {
    const auto scanned = [&](std::string_view from) {
        return found(
            source("s", 1) + pass("x", "swap", R"("source": "s.result")") +
                fmt::format(R"("a": {{"pass": "fft/from_image", "in": {{"source": "{}"}}}},)",
                            from) +
                pass("b", "scan", R"("source": "a.result")"),
            "b.result");
    };
    EXPECT_THAT(scanned("x.result"), IsEmpty());
    EXPECT_THAT(scanned("s.result"), ElementsAre("b: 42 elements"));
}

TEST_F(OwnPartsOfConfigs, AreTooNarrowForPassesThatLookBeyondTheirHalo) {
    cells_ = "[20, 18, 1]"; // parts with wide halos are smaller than the field
    // Codes of the warnings, of medians one after another, behind an exchange of a halo.
    const auto codes = [&](int halo, const std::vector<int>& windows,
                           std::array<std::uint32_t, 3> grid = {2, 2, 1}) {
        std::string nodes = source("s", halo) + pass("m", "swap", R"("source": "s.result")");
        for (std::size_t i = 0; i < windows.size(); ++i)
            nodes +=
                fmt::format(R"("m{}": {{"pass": "image/median", "in": {{"source": "m{}.result"}},
                                    "params": {{"window": {}}}}},)",
                            i + 1, i == 0 ? "" : std::to_string(i), windows[i]);
        EXPECT_THAT(found(nodes, fmt::format("m{}.result", windows.size()), "", grid), IsEmpty());
        std::vector<std::string> all;
        for (const Diagnostic& warning : warnings_) {
            all.push_back(warning.code);
            EXPECT_TRUE(warning.where.known());
            EXPECT_FALSE(warning.hint.empty());
        }
        return all;
    };
    EXPECT_THAT(codes(1, {3}), IsEmpty());
    EXPECT_THAT(codes(1, {5}), ElementsAre("mpi/halo-too-narrow"));
    EXPECT_THAT(warnings_.front().message,
                testing::HasSubstr("image/median looks 2 cells away along x, and 1 of the halo"));
    EXPECT_THAT(codes(2, {5}), IsEmpty());
    EXPECT_THAT(codes(2, {3, 3}), IsEmpty());
    EXPECT_THAT(codes(3, {3, 5}), IsEmpty());
    EXPECT_THAT(codes(2, {3, 5}), ElementsAre("mpi/halo-too-narrow"));
    EXPECT_THAT(codes(1, {3, 3}), ElementsAre("mpi/halo-too-narrow"));
    // Along axes that are not divided passes meet the ends of the field.
    EXPECT_THAT(codes(1, {5}, {1, 2, 1}), ElementsAre("mpi/halo-too-narrow"));
    EXPECT_THAT(warnings_.front().message, testing::HasSubstr("along y"));
}

TEST_F(OwnPartsOfConfigs, AreRefusedToFiltersOfTheWhole) {
    cells_ = "[90, 70, 1]";
    const auto filter = [](std::string_view name, std::string_view from, double sigma = 8.0) {
        return fmt::format(R"("f": {{"pass": "{}", "in": {{"source": "{}"}},
                              "params": {{"sigma": {}}}}},)",
                           name, from, sigma);
    };
    const std::string exchanged = source("s", 2) + pass("x", "swap", R"("source": "s.result")");
    for (const std::string_view name : kOfTheWhole) {
        try {
            (void)found(exchanged + filter(name, "x.result"), "f.result");
            ADD_FAILURE() << name << " is not refused";
        } catch (const std::runtime_error& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("mpi/needs-whole"));
            EXPECT_THAT(error.what(), testing::HasSubstr(std::string(name) + " filters the whole"));
        }
        // A part that nobody has exchanged may be meant, with an exchange behind it, too.
        EXPECT_THAT(found(source("s", 2) + filter(name, "s.result") +
                              pass("x", "swap", R"("source": "f.result")"),
                          "x.result"),
                    ElementsAre("f: 49x39"));
        EXPECT_THAT(found(source("s", 2) + filter(name, "s.result"), "f.result", "", {1, 1, 1}),
                    IsEmpty());
    }
    EXPECT_THAT(found(exchanged + filter("image/blur", "x.result", 0.5), "f.result"), IsEmpty());
    EXPECT_THAT(warnings_, IsEmpty());
    EXPECT_THAT(found(exchanged + filter("image/blur", "x.result", 3.9), "f.result"), IsEmpty());
    ASSERT_EQ(warnings_.size(), 1u);
    EXPECT_THAT(warnings_.front().message, testing::HasSubstr("image/blur looks 16 cells away"));
}

} // namespace
} // namespace tuff
