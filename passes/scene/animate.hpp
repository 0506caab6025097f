#pragma once

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tuff::passes {

/// What a clip shows before its start and after its end.
enum class ClipLoop : std::uint8_t {
    repeat,    ///< it begins again
    hold,      ///< its first and last moment
    ping_pong, ///< it runs back and forth
};

/// A clip as it is played, as a parameter group.
struct ClipParameters {
    std::string clip;
    ClipLoop loop = ClipLoop::repeat;
    float speed = 1.0f;
    float start = 0.0f; ///< seconds into the clip at time 0

    static void describe_fields(auto&& field) {
        using C = ClipParameters;
        field("clip", &C::clip, "name or number of the animation to blend with");
        field("loop", &C::loop, "what happens at the end, as for the first clip");
        field("speed", &C::speed, "seconds of the clip per second");
        field("start", &C::start, "time in the clip where \"time\" is 0").unit("seconds");
    }
};

/// The second of a clip of this length that is shown at a time.
double clip_time(const ClipParameters& playing, double time, double duration);

/// Plays the animations of a scene. See `describe`.
struct Animate {
    static constexpr std::string_view kName = "scene/animate";

    Scene source;
    float time = 0.0f;
    std::string clip;
    ClipLoop loop = ClipLoop::repeat;
    float speed = 1.0f;
    float start = 0.0f;
    ClipParameters second;
    float blend = 0.0f;

    Scene scene;

    static void describe(PassInfo<Animate>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ClipLoop> {
    static constexpr std::array<std::string_view, 3> names{"repeat", "hold", "ping-pong"};
};
