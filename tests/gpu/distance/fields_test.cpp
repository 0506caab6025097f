#include "passes/distance/erosion.hpp"
#include "passes/distance/field.hpp"
#include "passes/distance/grassfire.hpp"
#include "tests/gpu/distance/methods.hpp"

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

using testing_distance::exact_methods;
using testing_distance::FieldMethod;
using testing_distance::FieldOptions;
using Numbers = std::vector<std::uint32_t>;

/// One field, brought to the host.
struct FetchedField {
    HostImage image;
    passes::DistanceStatus status;
};

/// All methods on one seed, in one graph.
class FieldsTest : public DistanceTest {
  protected:
    std::vector<FetchedField> fields_of(const std::vector<FieldMethod>& methods,
                                        const reference::Seed& seed) {
        Graph g = graph();
        const Image picture = image_of(g, seed);
        for (const FieldMethod& method : methods) {
            const auto made = method.add(g, picture);
            g.output(method.name, made.field);
            g.output(method.name + "_status", made.status);
        }
        testing_gpu::Running running = run(std::move(g));
        std::vector<FetchedField> fields;
        for (const FieldMethod& method : methods)
            fields.push_back({running.image(method.name),
                              passes::DistanceStatus::read(
                                  running.buffer<std::uint32_t>(method.name + "_status"))});
        return fields;
    }

    /// Both channels of each texel of a signed field.
    static std::array<Numbers, 2> channels_of(const HostImage& image) {
        EXPECT_EQ(image.format, Format::rg32_uint);
        std::array<Numbers, 2> result;
        for (std::size_t i = 0; i + 8 <= image.texels.size(); i += 8)
            for (std::size_t c = 0; c < 2; ++c) {
                std::uint32_t value = 0;
                std::memcpy(&value, image.texels.data() + i + 4 * c, 4);
                result[c].push_back(value);
            }
        return result;
    }
};

reference::Outside outside_of(passes::FieldBorder border) {
    return static_cast<reference::Outside>(border);
}

TEST_F(FieldsTest, Check1And2EveryMethodIsExactOnEverySeed) {
    const auto methods = exact_methods();
    for (const NamedSeed& one : seeds_of_all_kinds()) {
        const auto fields = fields_of(methods, one.seed);
        for (std::size_t i = 0; i < methods.size(); ++i) {
            EXPECT_EQ(whole_numbers(fields[i].image),
                      reference::brute_distances(one.seed, methods[i].metric))
                << methods[i].name << ", " << one.name;
            const passes::DistanceStatus& status = fields[i].status;
            EXPECT_EQ(status.objects, static_cast<std::uint32_t>(
                                          std::ranges::count(one.seed.texels, std::uint8_t{1})));
            EXPECT_EQ(status.objects + status.background, one.seed.texels.size());
            EXPECT_EQ(status.codes, 0u) << methods[i].name << ", " << one.name;
        }
    }
}

TEST_F(FieldsTest, Check1ClampedFieldsAreTheLeastOfDistanceAndClamp) {
    for (const std::uint32_t clamp : {1u, 2u, 16u, 255u}) {
        const auto methods = exact_methods({.clamp = clamp});
        for (const NamedSeed& one :
             {NamedSeed{"300 x 40", random_seed(300, 40, 0.002)},
              NamedSeed{"a column", random_seed(1, 130, 0.02)},
              NamedSeed{"empty", seed_where(37, 21, [](auto, auto) { return false; })}}) {
            Numbers expected =
                reference::brute_distances(one.seed, reference::DistanceMetric::squared_euclid);
            for (std::uint32_t& value : expected)
                value = std::min(value, clamp * clamp);
            const auto fields = fields_of(methods, one.seed);
            for (std::size_t i = 0; i < methods.size(); ++i) {
                EXPECT_EQ(whole_numbers(fields[i].image), expected)
                    << methods[i].name << ", " << one.name << ", " << clamp;
                EXPECT_EQ(fields[i].status.codes,
                          one.seed.empty_of_objects() ? passes::kEmptySeed : 0u)
                    << methods[i].name << ", " << one.name << ", " << clamp;
            }
        }
    }
}

// With the others in one graph, and each border. Few passes are enough for these seeds.
TEST_F(FieldsTest, Check10QueriesEndTheSameFields) {
    for (const auto border :
         {passes::FieldBorder::background, passes::FieldBorder::object, passes::FieldBorder::wrap})
        for (const reference::Seed& seed :
             {random_seed(41, 29, 0.1), random_seed(75, 1, 0.1),
              seed_where(40, 35, [](auto x, auto y) { return (x + y) % 2 == 0; })}) {
            const auto methods = exact_methods({.border = border, .queries = true});
            const auto fields = fields_of(methods, seed);
            std::size_t queries = 0;
            for (std::size_t i = 0; i < methods.size(); ++i) {
                queries += methods[i].name.contains("query") ? 1u : 0u;
                EXPECT_EQ(whole_numbers(fields[i].image),
                          reference::brute_distances(seed, methods[i].metric, outside_of(border)))
                    << methods[i].name << ", " << int(border);
            }
            EXPECT_EQ(queries, 3u);
        }
}

TEST_F(FieldsTest, AnEmptySeedIsUnreachedAndSaysSo) {
    const auto methods = exact_methods();
    for (const NamedSeed& one :
         {NamedSeed{"37 x 21", seed_where(37, 21, [](auto, auto) { return false; })},
          NamedSeed{"1 x 1", seed_where(1, 1, [](auto, auto) { return false; })}}) {
        const auto fields = fields_of(methods, one.seed);
        const Numbers expected(one.seed.texels.size(), passes::kUnreached32);
        for (std::size_t i = 0; i < methods.size(); ++i) {
            EXPECT_EQ(whole_numbers(fields[i].image), expected) << methods[i].name;
            EXPECT_EQ(fields[i].status.codes, passes::kEmptySeed) << methods[i].name;
        }
    }
}

TEST_F(FieldsTest, WhatLiesOutsideIsAnObjectOrTheOppositeSide) {
    std::vector<NamedSeed> seeds{
        {"empty", seed_where(70, 37, [](auto, auto) { return false; })},
        {"one texel", seed_where(1, 1, [](auto, auto) { return false; })},
        {"a row", random_seed(75, 1, 0.02)},
        {"a column", random_seed(1, 75, 0.02)},
        {"corner", seed_where(97, 61, [](auto x, auto y) { return x == 0 && y == 0; })},
        {"66 x 40", random_seed(66, 40, 0.002)}};
    for (const auto border : {passes::FieldBorder::object, passes::FieldBorder::wrap})
        for (const NamedSeed& one : seeds) {
            const auto methods = exact_methods({.border = border});
            const auto fields = fields_of(methods, one.seed);
            const bool empty = one.seed.empty_of_objects() && border != passes::FieldBorder::object;
            for (std::size_t i = 0; i < methods.size(); ++i) {
                EXPECT_EQ(
                    whole_numbers(fields[i].image),
                    reference::brute_distances(one.seed, methods[i].metric, outside_of(border)))
                    << methods[i].name << ", " << one.name << ", " << int(border);
                EXPECT_EQ(fields[i].status.codes, empty ? passes::kEmptySeed : 0u)
                    << methods[i].name << ", " << one.name << ", " << int(border);
            }
        }
}

// --- signed --------------------------------------------------------------------------------------

/// Of each pair of neighbours, one an object: red of the other and green of it are 1.
void expect_unit_steps(const reference::Seed& seed, const std::array<Numbers, 2>& signed_field,
                       const std::string& name) {
    const auto expect_step = [&](std::size_t a, std::size_t b) {
        if ((seed.texels[a] != 0) == (seed.texels[b] != 0)) return;
        const std::size_t object = seed.texels[a] != 0 ? a : b;
        ASSERT_EQ(signed_field[0][a + b - object], 1u) << name;
        ASSERT_EQ(signed_field[1][object], 1u) << name;
    };
    for (std::uint32_t y = 0; y < seed.height; ++y)
        for (std::uint32_t x = 0; x < seed.width; ++x) {
            const std::size_t i = std::size_t{y} * seed.width + x;
            if (x + 1 < seed.width) expect_step(i, i + 1);
            if (y + 1 < seed.height) expect_step(i, i + seed.width);
        }
}

TEST_F(FieldsTest, Check6SignedFieldsAreThoseOfTheSeedAndOfItsInverse) {
    const auto methods = exact_methods({.channels = passes::FieldChannels::two});
    const std::vector<NamedSeed> seeds{
        {"disc",
         seed_where(71, 52, [](auto x, auto y) { return std::hypot(x - 30.0, y - 25.0) < 17.0; })},
        {"97 x 61, half", random_seed(97, 61, 0.5)},
        {"40 x 33, most", random_seed(40, 33, 0.97)},
        {"a row", random_seed(75, 1, 0.5)}};
    for (const NamedSeed& one : seeds) {
        const auto fields = fields_of(methods, one.seed);
        const auto inverse = fields_of(methods, one.seed.inverted());
        for (std::size_t i = 0; i < methods.size(); ++i) {
            const std::string name = methods[i].name + ", " + one.name;
            const auto both = channels_of(fields[i].image);
            ASSERT_EQ(both[0].size(), one.seed.texels.size()) << name;
            EXPECT_EQ(both[0], reference::brute_distances(one.seed, methods[i].metric)) << name;
            EXPECT_EQ(both[1], reference::brute_distances(one.seed.inverted(), methods[i].metric))
                << name;
            for (std::size_t t = 0; t < both[0].size(); ++t)
                ASSERT_TRUE(both[0][t] == 0 || both[1][t] == 0) << name;
            const auto swapped = channels_of(inverse[i].image);
            EXPECT_EQ(swapped[0], both[1]) << name;
            EXPECT_EQ(swapped[1], both[0]) << name;
            expect_unit_steps(one.seed, both, name);
            EXPECT_EQ(fields[i].status.codes, 0u) << name;
            EXPECT_EQ(fields[i].status.objects + fields[i].status.background,
                      one.seed.texels.size());
        }
    }
}

/// Both channels of any two-channel format.
std::array<Numbers, 2> wide_channels(const HostImage& image) {
    std::array<Numbers, 2> both;
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            const auto texel = image.texel(x, y);
            both[0].push_back(static_cast<std::uint32_t>(texel[0]));
            both[1].push_back(static_cast<std::uint32_t>(texel[1]));
        }
    return both;
}

TEST_F(FieldsTest, SixteenBitsHoldBothSides) {
    constexpr auto kTwo = passes::FieldChannels::two;
    constexpr auto kShort = passes::FieldStorage::u16;
    // Farther from the object than 255 texels: its square does not fit, and is unreached.
    const reference::Seed seed = seed_where(290, 41, [](auto x, auto y) {
        return x > 2 && x < 20 && y > 5 && y < 37 && (x + y) % 9 != 0;
    });
    const auto shortened = [](Numbers numbers) {
        for (std::uint32_t& value : numbers)
            if (value > 65534) value = passes::kUnreached16;
        return numbers;
    };
    const auto expect_both = [&](const std::string& name, auto pass,
                                 reference::DistanceMetric metric) {
        Graph g = graph();
        pass.seed = image_of(g, seed);
        pass.channels = kTwo;
        pass.storage = kShort;
        g.output("field", g.add(pass).field);
        const HostImage field = run(std::move(g)).image("field");
        EXPECT_EQ(field.format, Format::rg16_uint) << name;
        const auto both = wide_channels(field);
        EXPECT_EQ(both[0], shortened(reference::brute_distances(seed, metric))) << name;
        EXPECT_EQ(both[1], shortened(reference::brute_distances(seed.inverted(), metric))) << name;
    };
    for (const auto back_end :
         {passes::PassBackEnd::compute, passes::PassBackEnd::raster, passes::PassBackEnd::query})
        expect_both(std::string(ChoiceNames<passes::PassBackEnd>::names[int(back_end)]),
                    passes::ErosionDistance{.back_end = back_end},
                    reference::DistanceMetric::squared_euclid);
    for (const auto method : {passes::GrassfireMethod::tiles, passes::GrassfireMethod::query})
        expect_both(std::string(ChoiceNames<passes::GrassfireMethod>::names[int(method)]),
                    passes::Grassfire{.method = method}, reference::DistanceMetric::manhattan);
}

TEST_F(FieldsTest, ASeedOfObjectsAloneHasNoWayToTheBackgroundAndSaysSo) {
    const auto methods = exact_methods({.channels = passes::FieldChannels::two});
    for (const bool all : {true, false}) {
        const reference::Seed seed = seed_where(37, 21, [&](auto, auto) { return all; });
        const auto fields = fields_of(methods, seed);
        const Numbers zeros(seed.texels.size(), 0u);
        const Numbers none(seed.texels.size(), passes::kUnreached32);
        for (std::size_t i = 0; i < methods.size(); ++i) {
            const auto both = channels_of(fields[i].image);
            EXPECT_EQ(both[all ? 0 : 1], zeros) << methods[i].name;
            EXPECT_EQ(both[all ? 1 : 0], none) << methods[i].name;
            EXPECT_EQ(fields[i].status.codes, all ? passes::kFullSeed : passes::kEmptySeed)
                << methods[i].name;
        }
    }
}

} // namespace
} // namespace tuff
