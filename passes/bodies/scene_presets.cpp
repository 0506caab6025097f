#include "passes/bodies/scene_parts.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace tuff::passes {
namespace {

constexpr float kPitch = 1.05f; // of boxes side by side, sizes

class Maker {
  public:
    Maker(const MakeBodies& scene, BodyList& list)
        : scene_(scene), list_(list), random_(scene.seed), s_(scene.size) {}

    void run() {
        if (scene_.floor && scene_.preset != ScenePreset::cradle) list_.plane(still({}));
        switch (scene_.preset) {
        case ScenePreset::listed: break;
        case ScenePreset::stack:
        case ScenePreset::pyramid:
        case ScenePreset::wall:
        case ScenePreset::terrace:
        case ScenePreset::ring: copies(); break;
        case ScenePreset::pegs: pegs(); break;
        case ScenePreset::cards: cards(); break;
        case ScenePreset::cradle: cradle(); break;
        case ScenePreset::grid: block(glm::vec3(0.0f, s_, 0.0f)); break;
        case ScenePreset::chain: chain(); break;
        case ScenePreset::terrain: terrain(); break;
        case ScenePreset::bowl: bowl(); break;
        }
    }

  private:
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(random_() >> 8) * 0x1p-24f;
    }
    BodyStart start(glm::vec3 place) const {
        return {.place = origin_ + place,
                .mass = scene_.mass,
                .friction = scene_.friction,
                .restitution = scene_.restitution};
    }
    BodyStart still(glm::vec3 place) const {
        BodyStart s = start(place);
        s.mass = 0.0f;
        return s;
    }
    glm::quat any_turn() {
        const float w = between(-1.0f, 1.0f);
        const float x = between(-1.0f, 1.0f);
        const float y = between(-1.0f, 1.0f);
        return glm::normalize(glm::quat(w + 2.0f, x, y, between(-1.0f, 1.0f)));
    }

    /// Piles side by side, over about a square.
    void copies() {
        const auto n = static_cast<float>(std::max(scene_.count, 1u));
        const float ring = 2.0f * ring_radius() + s_;
        glm::vec2 room(2.0f * s_);
        switch (scene_.preset) {
        case ScenePreset::pyramid: room = {1.05f * n * s_ + s_, 2.0f * s_}; break;
        case ScenePreset::wall: room = {n * (s_ + scene_.gap) + s_, 1.5f * s_}; break;
        case ScenePreset::terrace: room = glm::vec2((kPitch * (n + 1.0f) + 0.5f) * s_); break;
        case ScenePreset::ring: room = glm::vec2(ring + s_); break;
        default: break;
        }
        const auto all = static_cast<float>(scene_.copies);
        const float across = std::clamp(std::ceil(std::sqrt(all * room.y / room.x)), 1.0f, all);
        const auto side = static_cast<std::uint32_t>(across);
        const glm::vec2 middle(0.5f * (across - 1.0f), 0.5f * (std::ceil(all / across) - 1.0f));
        for (std::uint32_t i = 0; i < scene_.copies; ++i) {
            const glm::vec2 at = room * (glm::vec2(i % side, i / side) - middle);
            origin_ = {at.x, 0.0f, at.y};
            switch (scene_.preset) {
            case ScenePreset::stack: stack(); break;
            case ScenePreset::pyramid: pyramid(); break;
            case ScenePreset::wall: wall(); break;
            case ScenePreset::terrace: terrace(scene_.count + (i % 16 == 15 ? 1 : 0)); break;
            default: ring_of_bricks(); break;
            }
        }
        origin_ = glm::vec3(0.0f);
    }

    std::uint32_t rows() const { return scene_.rows != 0 ? scene_.rows : scene_.count; }

    /// Each box of the storeys above the first stands on four.
    void terrace(std::uint32_t count) {
        const std::uint32_t storeys = scene_.rows != 0 ? std::min(scene_.rows, count) : count;
        for (std::uint32_t storey = 0; storey < storeys; ++storey) {
            const std::uint32_t side = count - storey;
            const float middle = 0.5f * static_cast<float>(side - 1);
            for (std::uint32_t i = 0; i < side * side; ++i)
                list_.box(glm::vec3(0.5f * s_),
                          start({kPitch * s_ * (static_cast<float>(i % side) - middle),
                                 (static_cast<float>(storey) + 0.5f) * (s_ + scene_.gap),
                                 kPitch * s_ * (static_cast<float>(i / side) - middle)}));
        }
    }

    /// So wide that bricks do not touch at their inner edges.
    float ring_radius() const {
        const float angle =
            std::numbers::pi_v<float> / static_cast<float>(std::max(scene_.count, 3u));
        return s_ * (0.25f + 0.5f * kPitch / std::tan(angle));
    }
    /// Bricks of every second row are over the gaps of those below.
    void ring_of_bricks() {
        const std::uint32_t around = std::max(scene_.count, 3u);
        const float step = 2.0f * std::numbers::pi_v<float> / static_cast<float>(around);
        for (std::uint32_t row = 0; row < rows(); ++row)
            for (std::uint32_t i = 0; i < around; ++i) {
                const float angle = step * (static_cast<float>(i) + (row % 2 != 0 ? 0.5f : 0.0f));
                BodyStart brick =
                    start({ring_radius() * std::sin(angle),
                           (static_cast<float>(row) + 0.5f) * 0.5f * (s_ + scene_.gap),
                           ring_radius() * std::cos(angle)});
                brick.turn = glm::angleAxis(angle, glm::vec3(0.0f, 1.0f, 0.0f));
                list_.box(s_ * glm::vec3(0.5f, 0.25f, 0.25f), brick);
            }
    }

    void stack() {
        for (std::uint32_t i = 0; i < scene_.count; ++i)
            list_.box(glm::vec3(0.5f * s_),
                      start({0.0f, (static_cast<float>(i) + 0.5f) * (s_ + scene_.gap), 0.0f}));
    }
    void pyramid() {
        for (std::uint32_t row = 0; row < scene_.count; ++row)
            for (std::uint32_t i = 0; i + row < scene_.count; ++i) {
                const float x =
                    static_cast<float>(i) - 0.5f * static_cast<float>(scene_.count - row - 1);
                list_.box(glm::vec3(0.5f * s_),
                          start({x * s_ * 1.05f,
                                 (static_cast<float>(row) + 0.5f) * (s_ + scene_.gap), 0.0f}));
            }
    }
    /// Every second row has a brick less, so that none hangs over the end.
    void wall() {
        const glm::vec3 half = s_ * glm::vec3(0.5f, 0.25f, 0.25f);
        for (std::uint32_t row = 0; row < rows(); ++row) {
            const std::uint32_t bricks = scene_.count - row % 2;
            for (std::uint32_t i = 0; i < bricks; ++i) {
                const float x = static_cast<float>(i) - 0.5f * static_cast<float>(bricks - 1);
                list_.box(half, start({x * (s_ + scene_.gap),
                                       (static_cast<float>(row) + 0.5f) * 0.5f * (s_ + scene_.gap),
                                       0.0f}));
            }
        }
    }
    /// Any kind of body that moves, about as large as the others.
    void any(glm::vec3 place) {
        BodyStart s = start(place);
        s.turn = any_turn();
        const glm::vec3 towards(between(-1.0f, 1.0f), between(-1.0f, 1.0f), between(-1.0f, 1.0f));
        s.velocity = scene_.speed * towards;
        const float r = 0.5f * s_ * between(0.6f, 0.9f);
        switch (random_() % 4) {
        case 0: list_.sphere(r, s); break;
        case 1:
            list_.box(r * glm::vec3(between(0.5f, 0.75f), 0.6f, between(0.5f, 0.75f)), s);
            break;
        case 2: list_.capsule(0.5f * r, 0.5f * r, s); break;
        default: list_.hull(gem(), s); break;
        }
    }
    /// One of few, since each body has its own copy.
    const Hull& gem() {
        constexpr std::size_t kGems = 4;
        if (gems_.empty())
            for (std::size_t i = 0; i < kGems; ++i) {
                std::vector<glm::vec3> points;
                for (int k = 0; k < 12; ++k) {
                    const glm::vec3 v(between(-1.0f, 1.0f), between(-1.0f, 1.0f),
                                      between(-1.0f, 1.0f));
                    points.push_back(0.42f * s_ * v / std::max(glm::length(v), 0.1f));
                }
                if (auto hull = convex_hull(points)) gems_.push_back(std::move(*hull));
            }
        return gems_[random_() % gems_.size()];
    }
    void block(glm::vec3 corner) {
        const auto side = static_cast<std::uint32_t>(
            std::ceil(std::cbrt(static_cast<double>(std::max(scene_.count, 1u)))));
        const float step = 1.1f * s_ + scene_.gap;
        for (std::uint32_t i = 0; i < scene_.count; ++i) {
            const glm::vec3 cell(i % side, i / (side * side), i / side % side);
            const glm::vec3 middle(0.5f * static_cast<float>(side - 1), 0.0f,
                                   0.5f * static_cast<float>(side - 1));
            any(corner + step * (cell - middle));
        }
    }

    /// Layers of bodies above a board of lying pegs, in a box without a lid.
    void pegs() {
        const auto across =
            static_cast<std::uint32_t>(std::max(4.0, std::ceil(std::sqrt(scene_.count / 6.0))));
        const float step = 1.15f * s_;
        const float width = step * static_cast<float>(across);
        const float depth = 4.0f * s_;
        const float peg_step = 2.6f * s_;
        const auto per_row = static_cast<std::uint32_t>(width / peg_step);
        constexpr std::uint32_t kRows = 5;
        const float base = 0.16f * width + 4.0f * s_;
        for (std::uint32_t row = 0; row < kRows; ++row)
            for (std::uint32_t i = 0; i <= per_row; ++i) {
                const float x = (static_cast<float>(i) - 0.5f * static_cast<float>(per_row) +
                                 (row % 2 != 0 ? 0.5f : 0.0f)) *
                                peg_step;
                if (std::abs(x) > 0.5f * width) continue;
                BodyStart peg = still({x, base + static_cast<float>(row) * depth * 0.55f, 0.0f});
                peg.turn = glm::angleAxis(std::numbers::pi_v<float> / 2.0f, glm::vec3(1, 0, 0));
                list_.capsule(0.35f * s_, 0.5f * width, peg);
            }
        const float thick = 2.0f * s_;
        const float high = 0.1f * width + 2.0f * s_;
        for (int side = 0; side < 4; ++side) {
            const float sign = side % 2 == 0 ? 1.0f : -1.0f;
            const float away = 0.5f * width + thick + s_;
            const bool along_x = side < 2;
            const glm::vec3 place = along_x ? glm::vec3(sign * away, 0.5f * high, 0.0f)
                                            : glm::vec3(0.0f, 0.5f * high, sign * away);
            const glm::vec3 half = along_x ? glm::vec3(thick, 0.5f * high, away + thick)
                                           : glm::vec3(away - thick, 0.5f * high, thick);
            list_.box(half, still(place));
        }
        const float top = base + static_cast<float>(kRows) * depth * 0.55f;
        for (std::uint32_t i = 0; i < scene_.count; ++i) {
            const glm::vec3 cell(i % across, i / (across * across), i / across % across);
            const float middle = 0.5f * static_cast<float>(across - 1);
            const glm::vec3 jitter(between(-0.05f, 0.05f), 0.0f, between(-0.05f, 0.05f));
            BodyStart s = start(step * (cell - glm::vec3(middle, 0.0f, middle) + jitter) +
                                glm::vec3(0.0f, top, 0.0f));
            s.turn = any_turn();
            if (i % 2 == 0)
                list_.sphere(0.5f * s_, s);
            else
                list_.box(s_ * glm::vec3(0.45f, 0.32f, 0.45f), s);
        }
    }

    /// Cards lean against each other in pairs; flat ones lie on two tops.
    void cards() {
        const float length = s_;
        const float thick = 0.02f * s_;
        const float lean = 0.35f; // radians off upright
        const glm::vec3 half(0.5f * thick, 0.5f * length, 0.4f * length);
        const float up = std::cos(lean) * half.y + std::sin(lean) * half.x;
        const float across = std::sin(lean) * half.y + std::cos(lean) * half.x;
        const float pair = 4.0f * across + 0.5f * thick;
        float floor_y = 0.0f;
        for (std::uint32_t storey = 0; storey < scene_.count; ++storey) {
            const std::uint32_t tents = scene_.count - storey;
            for (std::uint32_t i = 0; i < tents; ++i) {
                const float x =
                    (static_cast<float>(i) - 0.5f * static_cast<float>(tents - 1)) * pair;
                for (const float sign : {-1.0f, 1.0f}) {
                    BodyStart card = start({x + sign * across, floor_y + up, 0.0f});
                    card.turn = glm::angleAxis(sign * lean, glm::vec3(0, 0, 1));
                    list_.box(half, card);
                }
            }
            floor_y += 2.0f * up;
            for (std::uint32_t i = 0; i + 1 < tents; ++i) {
                const float x =
                    (static_cast<float>(i) + 0.5f - 0.5f * static_cast<float>(tents - 1)) * pair;
                list_.box({0.5f * (pair + 0.4f * across), 0.5f * thick, half.z},
                          start({x, floor_y + 0.5f * thick, 0.0f}));
            }
            floor_y += thick;
        }
    }

    void cradle() {
        const float r = 0.5f * s_;
        const float length = 4.0f * s_;
        BodyStart beam = still({0.0f, length, 0.0f});
        const float half = r * static_cast<float>(scene_.count) + r;
        const std::uint32_t top = list_.box({half, 0.1f * s_, 0.1f * s_}, beam);
        for (std::uint32_t i = 0; i < scene_.count; ++i) {
            const float x = (static_cast<float>(i) - 0.5f * static_cast<float>(scene_.count - 1)) *
                            (s_ + scene_.gap);
            const glm::vec3 pivot(x, length, 0.0f);
            BodyStart ball = start({x, 0.0f, 0.0f});
            ball.friction = 0.0f;
            if (i == 0) {
                const float angle = 0.6f;
                ball.turn = glm::angleAxis(-angle, glm::vec3(0, 0, 1));
                ball.place = pivot + ball.turn * glm::vec3(0.0f, -length, 0.0f);
            }
            const std::uint32_t id = list_.sphere(r, ball);
            list_.joint(JointKind::hinge, top, id, pivot, {0.0f, 0.0f, 1.0f});
        }
    }

    void chain() {
        const float half = 0.5f * s_;
        const float high = 1.2f * s_ * static_cast<float>(scene_.count) + s_;
        std::uint32_t before = list_.box(glm::vec3(0.3f * s_), still({0.0f, high, 0.0f}));
        for (std::uint32_t i = 0; i < scene_.count; ++i) {
            const float x = (static_cast<float>(i) + 0.5f) * s_;
            BodyStart link = start({x, high, 0.0f});
            link.turn = glm::angleAxis(std::numbers::pi_v<float> / 2.0f, glm::vec3(0, 0, 1));
            const std::uint32_t id = list_.capsule(0.2f * s_, 0.25f * s_, link);
            list_.joint(JointKind::ball, before, id, {x - half, high, 0.0f});
            before = id;
        }
    }

    void terrain() {
        const auto side = static_cast<float>(
            std::ceil(std::cbrt(static_cast<double>(std::max(scene_.count, 1u)))));
        constexpr std::uint32_t kPoints = 65;
        const float extent = 4.0f * side * s_;
        std::vector<float> heights;
        for (std::uint32_t z = 0; z < kPoints; ++z)
            for (std::uint32_t x = 0; x < kPoints; ++x) {
                const float u = 6.0f * static_cast<float>(x) / (kPoints - 1);
                const float v = 6.0f * static_cast<float>(z) / (kPoints - 1);
                heights.push_back(s_ * (1.0f + std::sin(2.0f * u) * std::cos(1.7f * v) +
                                        0.3f * std::sin(4.1f * u + 1.3f * v)));
            }
        list_.heights({kPoints, kPoints}, {extent, extent}, heights, still({}));
        block({0.0f, 4.0f * s_, 0.0f});
    }

    void bowl() {
        const auto side = static_cast<float>(
            std::ceil(std::cbrt(static_cast<double>(std::max(scene_.count, 1u)))));
        constexpr std::uint32_t kBowlPoints = 48;
        const float radius = 1.4f * side * s_;
        const float spacing = 2.6f * radius / (kBowlPoints - 1);
        std::vector<float> values;
        for (std::uint32_t z = 0; z < kBowlPoints; ++z)
            for (std::uint32_t y = 0; y < kBowlPoints; ++y)
                for (std::uint32_t x = 0; x < kBowlPoints; ++x) {
                    const glm::vec3 p =
                        spacing * (glm::vec3(x, y, z) - 0.5f * static_cast<float>(kBowlPoints - 1));
                    // A ball's shell, cut off above its middle.
                    const float shell = std::abs(glm::length(p) - 1.1f * radius) - 0.1f * radius;
                    values.push_back(std::max(shell, p.y));
                }
        list_.distances(glm::uvec3(kBowlPoints), spacing, values,
                        still({0.0f, 1.2f * radius, 0.0f}));
        block({0.0f, 1.5f * radius, 0.0f});
    }

    const MakeBodies& scene_;
    BodyList& list_;
    std::mt19937 random_;
    float s_;
    glm::vec3 origin_{0.0f}; ///< of the pile that is made
    std::vector<Hull> gems_;
};

} // namespace

void add_preset(const MakeBodies& scene, BodyList& list) {
    Maker(scene, list).run();
}

} // namespace tuff::passes
