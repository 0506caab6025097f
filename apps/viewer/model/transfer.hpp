#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The transfer function of a cast as its editor changes it, and the filters of its volume.
namespace tuff::viewer {

/// How the numbers of a volume are spread, as volume/cast counts them.
struct VolumeHistogram {
    float low = 0.0f, high = 0.0f; ///< the range that the bins share evenly
    std::array<std::uint32_t, 256> counts{};
};

struct TransferPoint {
    double value = 0.0;
    std::array<double, 3> color{}; ///< linear
    double opacity = 0.0;          ///< 0 to 1
    friend bool operator==(const TransferPoint&, const TransferPoint&) = default;
};

/// Points with ascending values, at least one; straight in between.
class Transfer {
  public:
    static constexpr std::size_t kMax = 64; ///< points, as volume/cast takes them

    /// From the list that is the parameter of volume/cast; nothing where that is none.
    static std::optional<Transfer> of(const std::vector<double>& list);
    std::vector<double> list() const;

    const std::vector<TransferPoint>& points() const { return points_; }
    /// Colour and opacity at a value.
    TransferPoint at(double value) const;
    /// Adds a point of the colour that is there, and returns its index; nothing where there is no
    /// room.
    std::optional<std::size_t> add(double value, double opacity);
    /// Moves a point, but not past its neighbours.
    void move(std::size_t index, double value, double opacity);
    void set_color(std::size_t index, std::array<double, 3> color);
    /// The last point stays.
    void remove(std::size_t index);

  private:
    std::vector<TransferPoint> points_;
};

/// Names of `preset`.
inline constexpr std::array<std::string_view, 4> kPresets = {"grey", "thesis", "bone", "hot"};

/// A transfer function for numbers from `low` to `high`: "grey" begins above noise, "thesis" has a
/// tenth of the number as opacity, "bone" is for computed tomography, in Hounsfield units where the
/// range is like theirs, "hot" goes from black over red and yellow to white.
Transfer preset(std::string_view name, double low, double high);

/// The height of an opacity in the editor, both 0 to 1: small ones have more room.
double height_of(double opacity);
double opacity_of(double height);

/// What a volume is filtered by before it is shown.
enum class VolumeFilterKind : std::uint8_t { none, average, gaussian, sharpen };
inline constexpr std::array kFilterKinds = {"none", "average", "Gaussian", "sharpen"};

struct VolumeFilterChoice {
    VolumeFilterKind kind = VolumeFilterKind::none;
    std::uint32_t side = 3; ///< 3, 5 or 7 texels
    double sigma = 1.0;     ///< of the Gaussian, texels
};

/// The cube of weights, x fastest, whose sum is 1; empty for none. "sharpen" adds to the volume
/// what the average takes away from it.
std::vector<double> filter_weights(const VolumeFilterChoice& choice);

} // namespace tuff::viewer
