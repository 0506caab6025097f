// Transparent fragments in lists and arrays: what is kept, and what is made of it.

#include "passes/oit/pool_size.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>

namespace tuff {
namespace {

using passes::BlendOrder;
using passes::FragmentLayout;
using passes::FragmentPacking;
using passes::LongLists;
using passes::TileChoice;

std::string names(FragmentLayout layout, BlendOrder order) {
    return fmt::format("{}, {}", layout == FragmentLayout::linked ? "linked" : "arrays",
                       order == BlendOrder::over ? "over" : "under");
}

TEST_F(OitTest, PicturesAreThoseOfASorterAlsoWhereDepthsAreEqual) {
    std::mt19937 random(1);
    const std::uint32_t counts[] = {1, 5, 16, 64};
    for (const std::uint32_t count : counts) {
        // 64 layers lie on 8 depths only, and are more than are sorted at a time.
        const PaneScene scene = random_panes(random, 16, count, count == 64 ? 8 : count);
        const auto expected = blended_by_sorting(scene, quantized_8bit);
        for (const auto layout : {FragmentLayout::linked, FragmentLayout::arrays})
            for (const auto order : {BlendOrder::over, BlendOrder::under}) {
                Ways ways = exact_ways();
                ways.capture.layout = layout;
                ways.capture.pool.layers = static_cast<float>(count);
                ways.resolve.order = order;
                const Drawn drawn = draw(scene, ways);
                expect_near(drawn.color, expected, 4e-7 * (count + 1),
                            fmt::format("{} layers, {}", count, names(layout, order)));
                EXPECT_EQ(drawn.status.demand, fragments_of(scene));
                EXPECT_EQ(drawn.status.lost, 0u);
            }
    }
}

/// Panes that go through each other, captured in some order.
SceneData crossing_panes() {
    SceneBuilder builder;
    builder.camera(1.0f);
    for (int i = 0; i < 12; ++i) {
        const float turn = 0.5f * static_cast<float>(i);
        const glm::vec4 color(0.1f * static_cast<float>(i % 10), 0.9f - 0.07f * turn, 0.5f,
                              0.3f + 0.05f * static_cast<float>(i));
        // The last four lie in one plane.
        const glm::mat4 tilted =
            i < 8 ? glm::rotate(glm::mat4(1.0f), turn, glm::vec3(0.3f, 1.0f, 0.1f * turn))
                  : glm::translate(glm::mat4(1.0f), glm::vec3(0.1f * turn, 0.0f, 0.0f));
        SceneMaterial material = SceneBuilder::unlit(color, AlphaMode::blend);
        material.flags |= material_double_sided;
        builder.quad(builder.material(material), tilted);
    }
    return std::move(builder).finish();
}

TEST_F(OitTest, TheOrderOfDrawsDoesNotChangeABit) {
    struct Variant {
        const char* name;
        FragmentLayout layout;
        FragmentPacking packing;
        BlendOrder order;
        std::uint32_t samples;
    };
    const Variant variants[] = {
        {"lists", FragmentLayout::linked, FragmentPacking::standard, BlendOrder::over, 1},
        {"tight lists", FragmentLayout::linked, FragmentPacking::tight, BlendOrder::under, 1},
        {"compact arrays", FragmentLayout::arrays, FragmentPacking::compact, BlendOrder::over, 4},
    };
    constexpr int kShuffles = 20;
    for (const Variant& variant : variants) {
        std::mt19937 random(7);
        std::vector<std::uint32_t> draws(12);
        std::iota(draws.begin(), draws.end(), 0u);
        Graph g = graph();
        const Seen seen = see(g, crossing_panes(), 24, 24, variant.samples, glm::vec4(0.2f));
        for (int shuffle = 0; shuffle < kShuffles; ++shuffle) {
            passes::OitCapture capture{
                .scene = seen.scene, .view = seen.view, .layout = variant.layout};
            capture.pool.packing = variant.packing;
            capture.pool.layers = 12.0f;
            capture.draws = draws;
            passes::OitResolve resolve = exact_ways().resolve;
            resolve.order = variant.order;
            resolve.view = seen.view;
            resolve.lists = g.add(capture).lists;
            g.output(fmt::format("{}", shuffle), g.add(resolve).color);
            std::ranges::shuffle(draws, random);
        }
        testing_gpu::Running running = run(std::move(g));
        const HostImage first = running.image("0");
        for (int shuffle = 1; shuffle < kShuffles; ++shuffle)
            EXPECT_EQ(running.image(fmt::format("{}", shuffle)).texels, first.texels)
                << variant.name << ", shuffle " << shuffle;
        const auto middle = first.texel(12, 12); // is not empty
        EXPECT_GT(std::abs(middle[0] - 0.2f) + std::abs(middle[1] - 0.2f), 0.05f) << variant.name;
    }
}

/// Goes through all lists: how long they are together, and whether each node is met once.
void audit(const std::vector<std::uint32_t>& heads, const std::vector<std::uint32_t>& words,
           std::uint32_t stored, std::uint32_t stride, const std::string& what) {
    std::vector<int> met(stored, 0);
    for (const std::uint32_t head : heads) {
        std::uint32_t steps = 0;
        for (std::uint32_t node = head; node != ~0u; node = words[node * stride + stride - 1]) {
            ASSERT_LT(node, stored) << what;
            ASSERT_LE(++steps, stored) << what << ": a list goes round";
            ++met[node];
        }
    }
    EXPECT_TRUE(std::ranges::all_of(met, [](int times) { return times == 1; })) << what;
}

TEST_F(OitTest, ListsAreWholeAndWhatIsHiddenIsNotInThem) {
    std::mt19937 random(3);
    PaneScene scene = random_panes(random, 24, 20, 20);
    scene.solids.push_back({.left = 4,
                            .right = 20,
                            .top = 3,
                            .bottom = 17,
                            .z = 0.05f,
                            .color = {0.5f, 0.25f, 0.75f, 1.0f}});
    scene.panes[7].z = scene.solids[0].z; // of two at one depth the opaque one is seen
    const auto needed = static_cast<std::uint32_t>(fragments_of(scene));
    for (const FragmentPacking packing :
         {FragmentPacking::standard, FragmentPacking::hdr, FragmentPacking::compact}) {
        Ways ways = exact_ways();
        ways.capture.pool.packing = packing;
        ways.capture.pool.layers = 20.0f;
        const Drawn drawn = draw(scene, ways);
        EXPECT_EQ(drawn.status.demand, needed);
        audit(drawn.heads, drawn.fragments, needed,
              passes::words_of(passes::payload_of(packing), FragmentLayout::linked), "lists");
        const auto expected = blended_by_sorting(
            scene, packing == FragmentPacking::hdr ? quantized_half : quantized_8bit);
        expect_near(drawn.color, expected, 2e-5, "before a solid");
    }
    // A step of colour may be off by half for each layer, and more add up.
    Ways tight = exact_ways();
    tight.capture.pool.packing = FragmentPacking::tight;
    tight.capture.pool.layers = 20.0f;
    expect_near(draw(scene, tight).color, blended_by_sorting(scene, quantized_565), 2e-5, "tight");
}

/// The picture of the fragments in lists of the standard packing, before the scene's background.
std::vector<glm::dvec4> blended_from_lists(const OitTest::Drawn& drawn, const PaneScene& scene) {
    std::vector<glm::dvec4> picture;
    for (const std::uint32_t head : drawn.heads) {
        std::vector<std::array<std::uint32_t, 4>> list;
        for (std::uint32_t node = head; node != ~0u; node = list.back()[3]) {
            list.emplace_back();
            std::ranges::copy_n(drawn.fragments.begin() + 4 * std::ptrdiff_t{node}, 4,
                                list.back().begin());
        }
        // By depth, and by triangle where these are equal; the farthest first.
        std::ranges::sort(list, std::greater{},
                          [](const auto& words) { return std::pair(words[1] >> 2, words[2]); });
        glm::dvec4 color(scene.background);
        for (const auto& words : list) {
            glm::dvec4 over;
            for (int c = 0; c < 4; ++c)
                over[c] = static_cast<double>(words[0] >> (8 * c) & 0xffu) / 255.0;
            color = glm::dvec4(glm::dvec3(over) * over.a, over.a) + (1.0 - over.a) * color;
        }
        picture.push_back(color);
    }
    return picture;
}

TEST_F(OitTest, FullPoolsKeepTheListsWholeAndTellWhatWouldHaveDone) {
    std::mt19937 random(5);
    const PaneScene scene = random_panes(random, 24, 12, 12);
    const auto needed = static_cast<std::uint32_t>(fragments_of(scene));
    for (const FragmentLayout layout : {FragmentLayout::linked, FragmentLayout::arrays})
        for (const std::int64_t capacity :
             {std::int64_t{0}, std::int64_t{1}, std::int64_t{needed / 4}, std::int64_t{needed}}) {
            Ways ways = exact_ways();
            ways.capture.layout = layout;
            ways.capture.pool.capacity = capacity;
            ways.words_beyond = 64;
            const Drawn drawn = draw(scene, ways);
            const std::string what = fmt::format("room for {} of {}", capacity, needed);
            EXPECT_EQ(drawn.status.demand, needed) << what;
            EXPECT_EQ(drawn.status.lost, needed - static_cast<std::uint32_t>(capacity)) << what;
            if (layout == FragmentLayout::linked) {
                audit(drawn.heads, drawn.fragments, static_cast<std::uint32_t>(capacity), 4, what);
                expect_near(drawn.color, blended_from_lists(drawn, scene), 1e-5, what);
            }
            EXPECT_TRUE(drawn.beyond_is_untouched) << what;
            for (std::uint32_t i = 0; i < 24 * 24; ++i)
                for (const float channel : drawn.color.texel(i % 24, i / 24))
                    ASSERT_TRUE(channel >= 0.0f && channel <= 1.001f) << what;
        }
    // What the status says brings the next frames up to date.
    passes::PoolSize size(needed / 4);
    EXPECT_TRUE(size.observe(needed));
    EXPECT_GE(size.capacity(), needed);
    EXPECT_LE(size.capacity(), std::max(needed + needed / 4, passes::PoolSize::kLeast));
    Ways ways = exact_ways();
    ways.capture.pool.capacity = size.capacity();
    const Drawn recovered = draw(scene, ways);
    EXPECT_EQ(recovered.status.lost, 0u);
    EXPECT_FALSE(size.observe(recovered.status.demand));
    expect_near(recovered.color, blended_by_sorting(scene, quantized_8bit), 1e-5, "recovered");
}

TEST_F(OitTest, LongListsAreCutOffBehindTheNearestWhereThatIsAskedFor) {
    std::mt19937 random(11);
    const PaneScene scene = random_panes(random, 16, 30, 30);
    for (const std::uint32_t keep : {1u, 18u})
        for (const auto order : {BlendOrder::over, BlendOrder::under}) {
            Ways ways = exact_ways();
            ways.capture.pool.layers = 30.0f;
            ways.resolve.keep = keep;
            ways.resolve.order = order;
            ways.resolve.tiles = TileChoice::all;
            const Drawn exact = draw(scene, ways);
            expect_near(exact.color, blended_by_sorting(scene, quantized_8bit), 2e-5,
                        fmt::format("exact by {}", keep));
            ways.resolve.long_lists = LongLists::nearest;
            const Drawn nearest = draw(scene, ways);
            expect_near(nearest.color,
                        blended_by_sorting(scene, quantized_8bit, glm::dvec2(0.5), keep), 2e-5,
                        fmt::format("nearest {}", keep));
        }
}

TEST_F(OitTest, FragmentsBlendInTheModesOfTheirMaterials) {
    std::mt19937 random(13);
    PaneScene scene = random_panes(random, 16, 14, 14);
    for (std::size_t i = 0; i < scene.panes.size(); ++i)
        scene.panes[i].mode = static_cast<std::uint32_t>(i % 4);
    for (const auto order : {BlendOrder::over, BlendOrder::under}) {
        Ways ways = exact_ways();
        ways.capture.pool.layers = 14.0f;
        ways.capture.pool.packing = FragmentPacking::hdr;
        ways.resolve.order = order;
        expect_near(draw(scene, ways).color, blended_by_sorting(scene, quantized_half), 1e-4,
                    names(FragmentLayout::linked, order));
    }
}

TEST_F(OitTest, NothingTransparentAndOnePixelGiveThePictureAndItsFragments) {
    for (const std::uint32_t side : {1u, 9u})
        for (const std::uint32_t count : {0u, 3u}) {
            std::mt19937 random(17);
            PaneScene scene = random_panes(random, side, count, 8);
            scene.solids.push_back({.left = 0,
                                    .right = 5,
                                    .top = 0,
                                    .bottom = 5,
                                    .z = -9.9f,
                                    .color = {1.0f, 0.5f, 0.25f, 1.0f}});
            for (const auto layout : {FragmentLayout::linked, FragmentLayout::arrays}) {
                Ways ways = exact_ways();
                ways.capture.layout = layout;
                const Drawn drawn = draw(scene, ways);
                expect_near(drawn.color, blended_by_sorting(scene, quantized_8bit), 1e-5,
                            fmt::format("{} panes, {} pixels", count, side));
            }
        }
}

TEST_F(OitTest, SurfacesWithoutADepthLeaveTheOthersAlone) {
    std::mt19937 random(19);
    const PaneScene good = random_panes(random, 12, 5, 5);
    for (const auto layout : {FragmentLayout::linked, FragmentLayout::arrays}) {
        PaneScene scene = good;
        scene.panes.push_back({.left = 0,
                               .right = 12,
                               .top = 0,
                               .bottom = 12,
                               .z = std::numeric_limits<float>::quiet_NaN(),
                               .color = {1.0f, 1.0f, 1.0f, 0.5f}});
        Ways ways = exact_ways();
        ways.capture.layout = layout;
        const Drawn drawn = draw(scene, ways);
        expect_near(drawn.color, blended_by_sorting(good, quantized_8bit), 1e-5, "without depth");
        EXPECT_EQ(drawn.status.demand, fragments_of(good));
    }
}

TEST_F(OitTest, AlphaBeyondItsRangeAndColorsWithoutNumbersAreTamed) {
    PaneScene scene{.width = 8, .height = 8, .panes = {}, .solids = {}};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    scene.panes = {
        {.left = 0, .right = 8, .top = 0, .bottom = 4, .z = 1, .color = {0.5f, 0.25f, 1.0f, 7.0f}},
        {.left = 0, .right = 4, .top = 0, .bottom = 8, .z = 2, .color = {1.0f, 1.0f, 1.0f, -3.0f}},
        {.left = 4, .right = 8, .top = 2, .bottom = 8, .z = 3, .color = {nan, 0.5f, nan, 0.5f}}};
    Ways ways = exact_ways();
    const Drawn drawn = draw(scene, ways);
    PaneScene tamed = scene;
    tamed.panes[0].color.a = 1.0f;
    tamed.panes[1].color.a = 0.0f;
    tamed.panes[2].color = {0.0f, 0.5f, 0.0f, 0.5f};
    expect_near(drawn.color, blended_by_sorting(tamed, quantized_8bit), 1e-5, "tamed");
}

} // namespace
} // namespace tuff
