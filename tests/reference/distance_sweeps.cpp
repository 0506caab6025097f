#include "tests/reference/distance_reference.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace tuff::reference {
namespace {

using Values = std::vector<std::int64_t>;

/// Passes along lines of `length` texels, `step` apart, that begin at `starts`.
std::uint32_t erode_lines(Values& field, const std::vector<std::size_t>& starts,
                          std::uint32_t length, std::size_t step, std::uint32_t most) {
    for (std::uint32_t pass = 1;; ++pass) {
        const Values before = field;
        bool changed = false;
        for (const std::size_t start : starts)
            for (std::uint32_t i = 0; i < length; ++i) {
                const std::size_t at = start + i * step;
                std::int64_t nearest = kNoObject;
                if (i > 0) nearest = std::min(nearest, before[at - step]);
                if (i + 1 < length) nearest = std::min(nearest, before[at + step]);
                const std::int64_t value = nearest + 2 * pass - 1;
                if (nearest == kNoObject || value > most || value >= field[at]) continue;
                field[at] = value;
                changed = true;
            }
        if (!changed) return pass;
    }
}

// --- Danielsson ----------------------------------------------------------------------------------

struct Way {
    std::int64_t x = 1 << 20; // far, and sums of squares do not overflow
    std::int64_t y = 1 << 20;
    std::int64_t squared() const { return x * x + y * y; }
};

class VectorSweeps {
  public:
    VectorSweeps(const Seed& seed) : width_(seed.width), height_(seed.height) {
        for (const std::uint8_t texel : seed.texels)
            ways_.push_back(texel != 0 ? Way{0, 0} : Way{});
    }

    void run(Neighbours neighbours) {
        using Steps = std::vector<std::pair<int, int>>;
        const bool eight = neighbours == Neighbours::eight;
        const Steps down = eight ? Steps{{-1, -1}, {0, -1}, {1, -1}} : Steps{{0, -1}};
        const Steps up = eight ? Steps{{-1, 1}, {0, 1}, {1, 1}} : Steps{{0, 1}};
        for (std::int64_t y = 0; y < height_; ++y)
            sweep_row(y, down);
        for (std::int64_t y = height_; y-- > 0;)
            sweep_row(y, up);
    }

    std::vector<std::uint32_t> squares() const {
        std::vector<std::uint32_t> result;
        for (const Way& way : ways_)
            result.push_back(
                static_cast<std::uint32_t>(std::min<std::int64_t>(way.squared(), kNoObject)));
        return result;
    }

  private:
    Way& at(std::int64_t x, std::int64_t y) {
        return ways_[static_cast<std::size_t>(y * width_ + x)];
    }
    void look_at(std::int64_t x, std::int64_t y, int dx, int dy) {
        if (x + dx < 0 || x + dx >= width_ || y + dy < 0 || y + dy >= height_) return;
        const Way& other = at(x + dx, y + dy);
        const Way way{other.x + dx, other.y + dy};
        if (way.squared() < at(x, y).squared()) at(x, y) = way;
    }
    void sweep_row(std::int64_t y, std::span<const std::pair<int, int>> from) {
        for (std::int64_t x = 0; x < width_; ++x)
            for (const auto& [dx, dy] : from)
                look_at(x, y, dx, dy);
        for (std::int64_t x = 0; x < width_; ++x)
            look_at(x, y, -1, 0);
        for (std::int64_t x = width_; x-- > 0;)
            look_at(x, y, 1, 0);
    }

    std::int64_t width_;
    std::int64_t height_;
    std::vector<Way> ways_;
};

} // namespace

ErosionPasses erosion_passes(const Seed& seed, std::uint32_t most) {
    Values field;
    for (const std::uint8_t texel : seed.texels)
        field.push_back(texel != 0 ? 0 : std::int64_t{kNoObject});
    std::vector<std::size_t> rows, columns;
    for (std::size_t y = 0; y < seed.height; ++y)
        rows.push_back(y * seed.width);
    for (std::size_t x = 0; x < seed.width; ++x)
        columns.push_back(x);
    ErosionPasses passes;
    passes.rows = erode_lines(field, rows, seed.width, 1, most);
    passes.columns = erode_lines(field, columns, seed.height, seed.width, most);
    return passes;
}

std::vector<std::uint32_t> danielsson_distances(const Seed& seed, Neighbours neighbours) {
    VectorSweeps sweeps(seed);
    sweeps.run(neighbours);
    return sweeps.squares();
}

std::vector<std::uint32_t> jump_flood_distances(const Seed& seed, const std::vector<int>& jumps) {
    const int width = static_cast<int>(seed.width), height = static_cast<int>(seed.height);
    const int texels = width * height; // also: no site
    const auto squared = [&](int site, int at) {
        if (site == texels) return int{kNoObject};
        const int dx = site % width - at % width, dy = site / width - at / width;
        return dx * dx + dy * dy;
    };
    std::vector<int> sites;
    for (int i = 0; i < texels; ++i)
        sites.push_back(seed.texels[static_cast<std::size_t>(i)] != 0 ? i : texels);
    for (const int jump : jumps) {
        const std::vector<int> before = sites;
        for (int at = 0; at < texels; ++at)
            for (int k = 0; k < 9; ++k) {
                const int x = at % width + (k % 3 - 1) * jump;
                const int y = at / width + (k / 3 - 1) * jump;
                if (x < 0 || x >= width || y < 0 || y >= height) continue;
                int& nearest = sites[static_cast<std::size_t>(at)];
                const int site = before[static_cast<std::size_t>(y * width + x)];
                const std::pair other{squared(site, at), site};
                if (other < std::pair{squared(nearest, at), nearest}) nearest = site;
            }
    }
    std::vector<std::uint32_t> result;
    for (int at = 0; at < texels; ++at)
        result.push_back(
            static_cast<std::uint32_t>(squared(sites[static_cast<std::size_t>(at)], at)));
    return result;
}

} // namespace tuff::reference
